/** Tests `Idempotency-Key`: a repeated request is processed only once. */
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { coreErrors } from '#core/errors.ts';
import { runJob } from '#core/jobs/scheduler.ts';
import { definePlugin, defineRoute, type Job } from '#core/plugin.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { purgeAnswers } from '#plugins/keys/jobs.ts';
import { api, bearer, bootstrapAdmin, type IssuedKey, issueKey } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { startSecondServer } from '../../support/second-server.ts';
import { BOOTSTRAP_SECRET, startService, type TestService } from '../../support/service.ts';

/** The number of times that the handler of the test route ran, and its next behavior. */
let done = 0;
let work: () => Promise<void> = async () => undefined;

const testPlugin = definePlugin({
  name: 'test-once',
  summary: 'For a test',
  dependencies: [],
  routes: [
    defineRoute({
      id: 'test.work',
      method: 'POST',
      path: '/api/test/work/{name}',
      summary: 'Work',
      tag: 'Test',
      access: 'key',
      scope: null,
      request: { params: Type.Object({ name: Type.String() }), body: Type.Object({ n: Type.Integer() }) },
      replies: [{ status: 200, mediaType: 'application/json', description: 'How often' }],
      raises: [],
      throttle: { bucket: 'work', perMinute: 20 },
      handle: async (_context, { body }) => {
        done += 1;
        await work();
        return { status: 201, headers: { 'X-Work': 'done' }, body: { n: (body as { n: number }).n, done } };
      },
    }),
  ],
  start: () => undefined,
});

describe('requests with an Idempotency-Key', () => {
  let service: TestService;
  let admin: IssuedKey;
  let key: IssuedKey;
  before(async () => {
    service = await startService({ more: [testPlugin] });
    admin = await bootstrapAdmin(service);
  });
  after(() => service.stop());
  beforeEach(async () => {
    [done, work] = [0, async () => undefined];
    key = await issueKey(service, admin);
  });

  const send = (name: string, body: object = { n: 1 }, { by = key, path = '/api/test/work/a' } = {}) =>
    api(service)
      .post(path)
      .set(...bearer(by.key))
      .set('Idempotency-Key', name)
      .send(body);
  const usedBy = async ({ id }: IssuedKey) => {
    const [row] = await sql(service, "select used from quota_window where subject = ? and bucket = 'day'", [
      `key:${id}`,
    ]);
    return row?.used;
  };
  const newName = (): string => randomUUID();

  it('replay the first response without processing, charging or throttling the request again', async () => {
    const name = newName();
    const first = await send(name).expect(201);
    assert.equal(first.get('Idempotency-Replayed'), undefined);
    for (let times = 0; times < 25; times += 1) {
      const again = await send(name).expect(201);
      assert.deepEqual(again.body, first.body);
      assert.equal(again.get('Idempotency-Replayed'), 'true');
      assert.equal(again.get('X-Work'), 'done');
      assert.match(again.get('Content-Type') ?? '', /^application\/json/);
      assert.equal(again.get('Cache-Control'), 'private, no-store');
    }
    assert.deepEqual([done, await usedBy(key)], [1, 1]);
  });

  it('create one API key, whose raw value is replayed and not stored in plain text', async () => {
    const name = newName();
    const make = () => send(name, { name: 'once' }, { by: admin, path: '/api/keys' }).expect(200);
    const [first, again] = [await make(), await make()];
    assert.equal(again.body.key, first.body.key);
    assert.equal(await countOf(service, "api_key where name = 'once'"), 1);
    const rows = await sql(service, 'select id, fingerprint, sealed from idempotent_request');
    for (const row of rows) {
      const text = `${row.id} ${row.fingerprint} ${Buffer.from(row.sealed as Uint8Array).toString('latin1')}`;
      assert.ok(!text.includes(first.body.key) && !text.includes(name));
    }
  });

  it('rotate a key once, and replay a lost response to the old key', async () => {
    const [old, name] = [await issueKey(service, admin), newName()];
    const rotate = () =>
      send(name, { owner_secret: old.ownerSecret }, { by: old, path: `/api/keys/${old.id}/rotate` }).expect(200);
    const [first, again] = [await rotate(), await rotate()];
    assert.equal(first.body.key, again.body.key);
    assert.equal(await countOf(service, 'api_key where predecessor_id = ?', [old.id]), 1);
  });

  it('do not replay a new key to a caller who has only the old key', async () => {
    const [old, name] = [await issueKey(service, admin), newName()];
    const path = `/api/keys/${old.id}/rotate`;
    await send(name, { owner_secret: old.ownerSecret }, { by: old, path }).expect(200);
    const { text } = await send(name, {}, { by: old, path }).expect(422);
    assert.doesNotMatch(text, /ekb_/);
  });

  it('are rejected when the body, path, query or route differs', async () => {
    const name = newName();
    await send(name).expect(201);
    for (const reply of [
      await send(name, { n: 2 }),
      await send(name, { n: 1 }, { path: '/api/test/work/b' }),
      await send(name, { n: 1 }, { path: '/api/test/work/a?x=1' }),
      await send(name, { n: 1 }, { path: '/api/interactions/check' }),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [422, 'idempotency_key_reused']);
      assert.equal(reply.body.detail, 'Idempotency-Key was used for another request');
    }
    assert.deepEqual([done, await usedBy(key)], [1, 5]);
  });

  it('are scoped to the key holder: another key with the same idempotency key is a new request', async () => {
    const name = newName();
    await send(name).expect(201);
    const reply = await send(name, { n: 1 }, { by: await issueKey(service, admin) }).expect(201);
    assert.equal(reply.get('Idempotency-Replayed'), undefined);
    assert.equal(done, 2);
  });

  it('are processed once when concurrent: the others wait for the first response', async () => {
    const [name, gate] = [newName(), Promise.withResolvers<void>()];
    const begun = Promise.withResolvers<void>();
    work = async () => {
      begun.resolve();
      await gate.promise;
    };
    const first = send(name).then((reply) => reply);
    await begun.promise;
    const others = [send(name), send(name), send(name)].map((asked) => asked.then((reply) => reply));
    await sleep(50);
    gate.resolve();
    const replies = await Promise.all([first, ...others]);
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body]),
      Array(4).fill([201, { n: 1, done: 1 }]),
    );
    assert.deepEqual(
      replies.map((reply) => reply.get('Idempotency-Replayed')),
      [undefined, 'true', 'true', 'true'],
    );
    assert.equal(await usedBy(key), 1);
  });

  it('are not stored after an internal error or a temporary limit, so that a retry is processed', async () => {
    const name = newName();
    work = async () => {
      throw new Error('broken');
    };
    await send(name).expect(500);
    work = async () => {
      throw coreErrors.quota_exceeded({ bucket: 'work', used: 3, limit: 2 });
    };
    await send(name).expect(429);
    work = async () => undefined;
    const reply = await send(name).expect(201);
    assert.equal(reply.get('Idempotency-Replayed'), undefined);
    assert.equal(done, 3);
  });

  it('return 503 with Retry-After to a waiting request when the first one fails', async () => {
    const [name, begun, gate] = [newName(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    work = async () => {
      begun.resolve();
      await gate.promise;
      throw new Error('broken');
    };
    const first = send(name).then((reply) => reply);
    await begun.promise;
    const second = send(name).then((reply) => reply);
    await sleep(50);
    gate.resolve();
    assert.equal((await first).status, 500);
    const waited = await second;
    assert.deepEqual([waited.status, waited.get('Retry-After')], [503, '1']);
    assert.equal(done, 1);
  });

  it('replay a stored 404', async () => {
    const name = newName();
    work = async () => {
      throw coreErrors.not_found({ resource: 'Thing', id: 'a' });
    };
    const first = await send(name).expect(404);
    work = async () => undefined;
    const again = await send(name).expect(404);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.get('Idempotency-Replayed'), 'true');
    assert.equal(done, 1);
  });

  it('are not stored after a validation error, so that a corrected request is processed', async () => {
    const name = newName();
    await send(name, { n: 'x' }).expect(422);
    await api(service)
      .post('/api/test/work/a')
      .set(...bearer(key.key))
      .set({ 'Idempotency-Key': name, 'Content-Type': 'application/json' })
      .send('{')
      .expect(422);
    assert.equal((await send(name).expect(201)).get('Idempotency-Replayed'), undefined);
  });

  it('are rejected over the quota, and leave no record', async () => {
    const [poor, name] = [await issueKey(service, admin, { daily_limit: 1 }), newName()];
    await send(newName(), { n: 1 }, { by: poor }).expect(201);
    await send(name, { n: 1 }, { by: poor }).expect(429);
    await send(name, { n: 1 }, { by: poor }).expect(429);
    await sql(service, 'update api_key set daily_limit = 10 where id = ?', [poor.id]);
    assert.equal((await send(name, { n: 1 }, { by: poor }).expect(201)).get('Idempotency-Replayed'), undefined);
  });

  it('accept names of 1 to 255 visible ASCII characters, with or without quotes', async () => {
    const name = newName();
    await send(`"${name}"`).expect(201);
    assert.equal((await send(name).expect(201)).get('Idempotency-Replayed'), 'true');
    await send('x'.repeat(255)).expect(201);
    for (const wrong of ['x'.repeat(256), 'two words', '"half', '""', '', 'café']) {
      const reply = await send(Buffer.from(wrong).toString('latin1')).expect(422);
      assert.deepEqual(reply.body.detail, [
        {
          type: 'value_error',
          loc: ['header', 'Idempotency-Key'],
          msg: 'Value should be 1 to 255 visible ASCII characters',
        },
      ]);
    }
  });

  it('are rejected on streams, on uploads and without an API key, and the header is ignored on GET', async () => {
    const name = newName();
    const stream = await send(name, { question: 'Does it help?' }, { path: '/api/ask/stream' });
    const upload = await api(service)
      .post('/api/label-image/1')
      .set(...bearer(key.key))
      .set('Idempotency-Key', name)
      .attach('file', Buffer.from('x'), 'x.png');
    const anonymous = await api(service).post('/api/interactions/check').set('Idempotency-Key', name).send({});
    for (const reply of [stream, upload, anonymous])
      assert.deepEqual([reply.status, reply.body.code], [422, 'idempotency_not_supported']);
    const bootstrap = await api(service)
      .post('/api/keys')
      .set({ 'X-Admin-Bootstrap': BOOTSTRAP_SECRET, 'Idempotency-Key': name })
      .send({ name: 'root', is_admin: true });
    assert.equal(bootstrap.status, 401);
    await api(service)
      .get('/api/keys/me')
      .set(...bearer(key.key))
      .set('Idempotency-Key', name)
      .expect(200);
  });

  it('are processed by another server after a crash, once the claim has expired', async () => {
    const [name, other] = [newName(), await startSecondServer(service.environment)];
    const question = { question: `Does magnesium help people sleep? ${name}` };
    const lost = fetch(`${other.url}/api/ask`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key.key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': name,
      },
      body: JSON.stringify(question),
    }).then(
      ({ status }) => status,
      () => 'lost',
    );
    const claimed = 'idempotent_request where sealed is null';
    while (!(await countOf(service, claimed))) await sleep(5);
    other.process.child.kill('SIGKILL');
    await other.process.finished;
    assert.equal(await lost, 'lost');
    assert.equal(await countOf(service, `${claimed} and claimed_until <= now() + interval '15 seconds'`), 1);
    await sql(
      service,
      "update idempotent_request set claimed_until = now() - interval '1 second' where sealed is null",
    );
    const reply = await send(name, question, { path: '/api/ask' }).expect(200);
    assert.equal(reply.get('Idempotency-Replayed'), undefined);
    const again = await send(name, question, { path: '/api/ask' }).expect(200);
    assert.equal(again.body.answer_id, reply.body.answer_id);
  });

  it('are stored for 24 hours, and then deleted by a job', async () => {
    const name = newName();
    await send(name).expect(201);
    await sql(service, "update idempotent_request set created_at = now() - interval '25 hours'");
    assert.equal((await send(name).expect(201)).get('Idempotency-Replayed'), undefined);
    assert.equal(done, 2);
    const [kept] = await sql(
      service,
      "select count(*)::int as n from idempotent_request where created_at > now() - interval '1 hour'",
    );
    const forget = await runJob(service.runtime, keysPlugin, purgeAnswers as Job);
    assert.equal(forget.status, 'ok');
    assert.equal(await countOf(service, 'idempotent_request'), kept?.n);
  });

  it('are documented in the API description', async () => {
    const { body } = await api(service).get('/openapi.json').expect(200);
    const has = (path: string): boolean =>
      body.paths[path].post.parameters.some(({ name }: { name: string }) => name === 'Idempotency-Key');
    assert.deepEqual(
      ['/api/keys', '/api/ask', '/api/interactions/check', '/api/ask/stream', '/api/label-image/{dsld_id}'].map(has),
      [true, true, true, false, false],
    );
    assert.match(body.paths['/api/ask/stream'].post.responses['422'].description, /idempotency_not_supported/);
  });
});
