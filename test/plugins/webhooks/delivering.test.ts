import { strict as assert } from 'node:assert';
import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { createAjv } from '#core/http/validate.ts';
import { DeliveryList, WebhookList } from '#plugins/webhooks/schemas.ts';
import { api, bearer, bootstrapAdmin } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { startBeside } from '../../support/shared.ts';
import {
  adminOf,
  type Clocked,
  change,
  clockedWorker,
  header,
  type Receiver,
  retraction,
  servicesOf,
  startReceiver,
  status,
  verified,
} from './support.ts';

const CREATED = {
  kind: 'key.created',
  subjectType: 'key',
  subjectId: 'key_1',
  data: { plan: 'free', is_admin: false },
} as const;

describe('webhook delivery', () => {
  let service: TestService;
  let admin: ReturnType<typeof adminOf>;
  let adminKey: string;
  let receiver: Receiver;
  let clock: Clocked;
  const lines: string[] = [];
  before(async () => {
    service = await startService({ settings: { WEBHOOK_ALLOW_PRIVATE: 'on' }, onLog: (line) => lines.push(line) });
    adminKey = (await bootstrapAdmin(service)).key;
    admin = adminOf(service, adminKey);
  });
  after(() => service.stop());
  beforeEach(async () => {
    clock = await clockedWorker(service);
    receiver = await startReceiver();
    lines.length = 0;
  });
  afterEach(async () => {
    await clock.worker.stop();
    await receiver.stop();
    await sql(service, 'delete from webhook_endpoint');
    await sql(service, 'delete from webhook_outbox');
  });

  it('sends a thin signed payload with index version and URL, which the public library verifies', async () => {
    const { secret } = await admin.register(receiver.url);
    await change(service, retraction('pmid-7'));
    await clock.pass(0);
    assert.equal(receiver.requests.length, 1);
    const [request] = receiver.requests;
    assert.ok(request);
    assert.match(header(request, 'webhook-id'), /^evt_[0-9a-z]+$/);
    assert.equal(header(request, 'content-type'), 'application/json');
    const headers = request.headers as Record<string, string>;
    const body = new Webhook(secret).verify(request.body, headers) as Record<string, unknown>;
    const { timestamp, ...rest } = body;
    assert.deepEqual(rest, {
      type: 'evidence.retracted',
      data: {
        source_id: 'pmid-7',
        pmid: '7',
        doi: '',
        old: { quality_tier: 'B', retraction_status: 'none' },
        new: { quality_tier: 'D', retraction_status: 'retracted' },
        url: 'http://evidence.test/v1/evidence/pmid-7',
      },
      index_version: 'index-1',
    });
    assert.ok(Math.abs(Date.now() - Date.parse(String(timestamp))) < 60_000);
    assert.throws(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(request.body, headers));
    assert.throws(() => new Webhook(secret).verify(`${request.body} `, headers));
  });

  it('adds an Ed25519 signature that verifies with the published public key', async () => {
    const { id } = await admin.register(receiver.url);
    await change(service, CREATED);
    await clock.pass(0);
    const [request] = receiver.requests;
    assert.ok(request);
    const { public_key } = await admin.show(id);
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(public_key.replace('whpk_', ''), 'base64'),
    ]);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const text = `${header(request, 'webhook-id')}.${header(request, 'webhook-timestamp')}.${request.body}`;
    const [, asymmetric = ''] = header(request, 'webhook-signature').split(' ');
    assert.match(asymmetric, /^v1a,/);
    assert.equal(verify(null, Buffer.from(text), key, Buffer.from(asymmetric.slice(4), 'base64')), true);
  });

  it('sends each webhook only the event types that it subscribed to', async () => {
    const other = await startReceiver();
    await admin.register(receiver.url, { events: ['evidence.retracted'] });
    await admin.register(other.url, { events: ['key.created', 'feedback.created'] });
    await change(service, CREATED, retraction('pmid-1'), retraction('pmid-2'));
    await clock.pass(0);
    const typesOf = (one: Receiver) => one.requests.map(({ body }) => JSON.parse(body).type);
    assert.deepEqual(typesOf(receiver), ['evidence.retracted', 'evidence.retracted']);
    assert.deepEqual(typesOf(other), ['key.created']);
    await other.stop();
  });

  it('ignores changes that are not events', async () => {
    await admin.register(receiver.url);
    await change(service, { kind: 'content.changed', subjectType: 'content', subjectId: 'supplements/zinc.md' });
    await clock.pass(0);
    assert.equal(receiver.requests.length, 0);
    assert.equal(await countOf(service, 'webhook_outbox'), 0);
  });

  it('queues nothing while no webhook is registered or the webhook is paused', async () => {
    await change(service, retraction('pmid-1'));
    assert.equal(await countOf(service, 'webhook_outbox'), 0);
    const { id } = await admin.register(receiver.url, { active: false });
    await change(service, retraction('pmid-2'));
    assert.equal(await countOf(service, 'webhook_outbox'), 0);
    await admin.patch(`/api/webhooks/${id}`, { active: true }).expect(200);
    await change(service, retraction('pmid-3'));
    await clock.pass(0);
    assert.deepEqual(
      receiver.requests.map(({ body }) => JSON.parse(body).data.source_id),
      ['pmid-3'],
    );
  });

  it('sends nothing when the transaction of the change fails', async () => {
    await admin.register(receiver.url);
    const failing = service.runtime.db.write(async (em) => {
      const { recordChanges } = await import('#core/db/change-log.ts');
      await recordChanges(em, [retraction('pmid-1')]);
      throw new Error('after the change');
    });
    await assert.rejects(failing);
    await clock.pass(0);
    assert.equal(receiver.requests.length, 0);
  });

  it('retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h with the same ID, then disables it', async () => {
    const { id, secret } = await admin.register(receiver.url);
    receiver.answers = [status(500)];
    await change(service, retraction('pmid-1'));
    await clock.pass(0);
    for (const [at, seconds] of [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
      assert.equal(receiver.requests.length, at + 1);
      const [row] = await admin.deliveries(id);
      assert.equal(row.status, 'waiting');
      assert.ok(Date.parse(row.next_try_at) - clock.now().getTime() > (seconds - 3) * 1000, 'not earlier');
      await clock.pass(seconds - 4);
      assert.equal(receiver.requests.length, at + 1, `nothing came before ${seconds} s`);
      await clock.pass(5);
      assert.equal(receiver.requests.length, at + 2, `a try came after ${seconds} s`);
    }
    const [row] = await admin.deliveries(id);
    assert.deepEqual([row.status, row.attempts, row.next_try_at, row.response_status], ['failed', 10, null, 500]);
    assert.equal(new Set(receiver.requests.map((one) => header(one, 'webhook-id'))).size, 1);
    assert.equal(new Set(receiver.requests.map(({ body }) => body)).size, 1);
    assert.equal(new Set(receiver.requests.map((one) => header(one, 'webhook-timestamp'))).size, 10);
    for (const request of receiver.requests) verified(request, secret);
    const shown = await admin.show(id);
    assert.deepEqual(
      [shown.active, shown.consecutive_failures, shown.last_status_code, shown.disabled_reason],
      [false, 10, 500, 'Every try of an event failed, over three days'],
    );
    const told = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'webhook_disabled');
    assert.deepEqual(
      told.map(({ level, webhook }) => [level, webhook]),
      [['warn', id]],
    );
    assert.equal(
      lines.some((line) => line.includes(String(receiver.port))),
      false,
      'no log line holds the address',
    );
  });

  it('resumes after the webhook is reactivated, which resets its failure count', async () => {
    const { id } = await admin.register(receiver.url);
    receiver.answers = [status(410)];
    await change(service, retraction('pmid-1'));
    await clock.pass(0);
    assert.equal((await admin.show(id)).active, false);
    const shown = (await admin.patch(`/api/webhooks/${id}`, { active: true }).expect(200)).body;
    assert.deepEqual([shown.active, shown.consecutive_failures, shown.disabled_reason], [true, 0, null]);
    receiver.answers = [status(200)];
    await change(service, retraction('pmid-2'));
    await clock.pass(0);
    assert.equal(JSON.parse(receiver.requests.at(-1)?.body ?? '').data.source_id, 'pmid-2');
  });

  it('stops after 410, which disables the webhook at once', async () => {
    const { id } = await admin.register(receiver.url);
    receiver.answers = [status(410)];
    await change(service, retraction('pmid-1'), retraction('pmid-2'));
    await clock.pass(0);
    await clock.pass(100_000);
    assert.equal(receiver.requests.length, 1);
    const shown = await admin.show(id);
    assert.deepEqual([shown.active, shown.disabled_reason], [false, 'The receiver answered 410 Gone']);
    const states = (await admin.deliveries(id)).map((row: { status: string }) => row.status).sort();
    assert.deepEqual(states, ['failed', 'waiting']);
  });

  it('resets the failure count after a success', async () => {
    const { id } = await admin.register(receiver.url);
    receiver.answers = [status(503), status(200)];
    await change(service, retraction('pmid-1'));
    await clock.pass(0);
    assert.equal((await admin.show(id)).consecutive_failures, 1);
    await clock.pass(6);
    const shown = await admin.show(id);
    assert.deepEqual([shown.consecutive_failures, shown.last_status_code], [0, 200]);
    const [row] = await admin.deliveries(id);
    assert.deepEqual(
      row.tries.map((one: { status: number; error: string | null }) => [one.status, one.error]),
      [
        [503, 'status'],
        [200, null],
      ],
    );
  });

  it('treats a redirect as a failure, and does not follow it', async () => {
    const { id } = await admin.register(receiver.url);
    receiver.answers = [status(302, { Location: receiver.url.replace('hook', 'elsewhere') })];
    await change(service, retraction('pmid-1'));
    await clock.pass(0);
    assert.deepEqual(
      receiver.requests.map(({ path }) => path),
      ['/hook'],
    );
    assert.equal((await admin.deliveries(id))[0].tries[0].error, 'redirected');
  });

  for (const [name, value] of [
    ['in seconds', () => '120'],
    ['as a time', (now: Date) => new Date(now.getTime() + 120_000).toUTCString()],
  ] as const) {
    it(`respects Retry-After ${name}, and sends nothing else to that address in the meantime`, async () => {
      await admin.register(receiver.url);
      receiver.answers = [status(429, { 'Retry-After': value(clock.now()) }), status(200)];
      await change(service, retraction('pmid-1'));
      await clock.pass(0);
      await change(service, retraction('pmid-2'));
      await clock.pass(100);
      assert.equal(receiver.requests.length, 1);
      await clock.pass(25);
      assert.equal(receiver.requests.length, 3);
    });
  }

  it('replays an event with the same ID, as a separate delivery', async () => {
    const { id } = await admin.register(receiver.url);
    await change(service, retraction('pmid-1'));
    await clock.pass(0);
    const [row] = await admin.deliveries(id);
    assert.equal(row.status, 'delivered');
    const again = (await admin.post(`/api/webhooks/${id}/deliveries/${row.id}/replay`).expect(200)).body;
    assert.deepEqual([again.status, again.replay_of, again.event_id], ['waiting', row.id, row.event_id]);
    await clock.pass(1);
    const ids = receiver.requests.map((one) => header(one, 'webhook-id'));
    assert.deepEqual(ids, [row.event_id, row.event_id]);
    assert.equal(receiver.requests[0]?.body, receiver.requests[1]?.body);
    assert.equal((await admin.deliveries(id)).length, 2);
  });

  it('replays the failed and missed events of a time range, and with `all` also the delivered ones', async () => {
    const since = new Date(Date.now() - 1).toISOString();
    const early = { ...retraction('pmid-early') };
    await change(service, early);
    const { id } = await admin.register(receiver.url, { events: ['evidence.retracted'] });
    await change(service, retraction('pmid-good'), CREATED);
    await clock.pass(0);
    await admin.patch(`/api/webhooks/${id}`, { active: false }).expect(200);
    await change(service, retraction('pmid-paused'));
    await admin.patch(`/api/webhooks/${id}`, { active: true }).expect(200);
    const until = new Date(Date.now() + 1_000).toISOString();
    const replayed = async (more: object = {}) => {
      const before = receiver.requests.length;
      const { body } = await admin.post(`/api/webhooks/${id}/replay`, { since, until, ...more }).expect(200);
      assert.equal(body.next_cursor, null);
      await clock.pass(1);
      const ids = receiver.requests.slice(before).map((one) => JSON.parse(one.body).data.source_id);
      assert.equal(body.queued, ids.length);
      return ids.sort();
    };
    assert.deepEqual(await replayed(), ['pmid-early', 'pmid-paused']);
    assert.deepEqual(await replayed(), []);
    assert.deepEqual(await replayed({ all: true }), ['pmid-early', 'pmid-good', 'pmid-paused']);
    const good = receiver.requests.filter(({ body }) => body.includes('pmid-good'));
    assert.equal(new Set(good.map((one) => header(one, 'webhook-id'))).size, 1);
  });

  it('signs with both secrets for a day after a rotation, then with the new one alone', async () => {
    const { id, secret } = await admin.register(receiver.url);
    const reply = await admin.post(`/api/webhooks/${id}/rotate-secret`).expect(200);
    assert.equal(reply.get('Cache-Control'), 'no-store');
    const { secret: next, previous_secret_valid_until: until } = reply.body;
    assert.notEqual(next, secret);
    assert.ok(Math.abs(Date.parse(until) - Date.now() - 86_400_000) < 60_000);
    assert.equal(JSON.stringify(await admin.show(id)).includes('whsec_'), false);
    await change(service, retraction('pmid-1'));
    await clock.pass(0);
    const [during] = receiver.requests;
    assert.ok(during);
    for (const one of [secret, next]) new Webhook(one).verify(during.body, during.headers as Record<string, string>);
    await clock.pass(86_410);
    await change(service, retraction('pmid-2'));
    await clock.pass(0);
    const after = receiver.requests[1];
    assert.ok(after);
    verified(after, next);
    assert.throws(() => verified(after, secret));
  });

  it('sends one request at a time to each address, and alternates between addresses', async () => {
    const other = await startReceiver();
    let [now, most] = [0, 0];
    receiver.answers = [
      (_, response) => {
        now += 1;
        most = Math.max(most, now);
        setTimeout(() => {
          now -= 1;
          response.end();
        }, 20);
      },
    ];
    await admin.register(receiver.url);
    await change(service, ...Array.from({ length: 12 }, (_, at) => retraction(`pmid-${at}`)));
    await admin.register(other.url, { events: ['key.created'] });
    await change(service, CREATED);
    let countWhenOtherGot = 0;
    other.answers = [
      (_, response) => {
        countWhenOtherGot = receiver.requests.length;
        response.end();
      },
    ];
    await clock.pass(0);
    assert.equal(most, 1);
    assert.deepEqual([receiver.requests.length, other.requests.length], [13, 1]);
    assert.ok(countWhenOtherGot < 5, `the other address waited for ${countWhenOtherGot}`);
    await other.stop();
  });

  it('sends a test event at once, even to a paused webhook, and changes only the last status', async () => {
    const { id, secret } = await admin.register(receiver.url, { active: false, events: ['key.created'] });
    receiver.answers = [status(500, { 'Content-Type': 'text/plain' }, 'no\u0007 luck Bearer abcdef whsec_QUJD')];
    const asked = admin.post(`/api/webhooks/${id}/test`).then((reply) => reply);
    while (!(await countOf(service, 'webhook_delivery'))) await clock.pass(0);
    await clock.pass(0);
    const { status: code, body } = await asked;
    assert.equal(code, 200);
    assert.deepEqual([body.type, body.status, body.attempts, body.response_status], ['webhook.test', 'failed', 1, 500]);
    assert.equal(body.tries[0].response_excerpt, 'no luck … …');
    const [request] = receiver.requests;
    assert.ok(request);
    const sent = verified(request, secret);
    assert.deepEqual([sent.type, sent.data], ['webhook.test', { webhook_id: id }]);
    const shown = await admin.show(id);
    assert.deepEqual(
      [shown.active, shown.consecutive_failures, shown.last_status_code, shown.disabled_reason],
      [false, 0, 500, null],
    );
  });

  it('lists deliveries in pages, newest first, with filters', async () => {
    const { id } = await admin.register(receiver.url);
    receiver.answers = [status(500), status(200)];
    await change(service, retraction('pmid-1'));
    await clock.pass(0);
    await change(service, CREATED);
    await clock.pass(1);
    await change(service, retraction('pmid-3'));
    await clock.pass(1);
    const pages: string[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const { body } = await admin.get(`/api/webhooks/${id}/deliveries?page_size=1&cursor=${cursor}`).expect(200);
      assert.equal(body.page_size, 1);
      pages.push(body.deliveries[0].event.data.source_id ?? body.deliveries[0].type);
      cursor = body.next_cursor ?? '';
    }
    assert.deepEqual(pages, ['pmid-3', 'key.created', 'pmid-1']);
    assert.equal(cursor, '');
    assert.equal((await admin.deliveries(id, '?status=waiting')).length, 1);
    assert.equal((await admin.deliveries(id, '?type=key.created')).length, 1);
    const { body } = await admin.get(`/api/webhooks/${id}/deliveries`).expect(200);
    const validate = createAjv().compile(DeliveryList);
    assert.ok(validate(body), JSON.stringify(validate.errors?.[0]));
    assert.ok(createAjv().compile(WebhookList)((await admin.get('/api/webhooks').expect(200)).body));
    const [row] = await admin.deliveries(id, '?status=delivered&type=evidence.retracted');
    assert.equal(row.event.data.source_id, 'pmid-3');
  });

  it('counts an event that cannot be signed as a failed attempt, as after the loss of APP_SECRET', async () => {
    const { id } = await admin.register(receiver.url);
    await sql(service, "update webhook_endpoint set sealed = decode('00', 'hex')");
    await change(service, retraction('pmid-1'));
    await clock.pass(0);
    const [row] = await admin.deliveries(id);
    assert.deepEqual([row.status, row.attempts, row.tries[0].error], ['waiting', 1, 'not_signed']);
    assert.equal(receiver.requests.length, 0);
  });

  it('signs with the same secret after APP_SECRET changes, and a job reseals the secret', async () => {
    const { secret } = await admin.register(receiver.url);
    const other = await startBeside(service, {
      settings: { WEBHOOK_ALLOW_PRIVATE: 'on', APP_SECRET: 'another one, of enough letters and more' },
    });
    try {
      const moved = await clockedWorker(other);
      await change(other, retraction('pmid-1'));
      await moved.pass(0);
      const [request] = receiver.requests;
      assert.ok(request);
      verified(request, secret);
      const { resealWebhooks } = await import('#plugins/webhooks/jobs.ts');
      const context = { ...other.runtime, signal: AbortSignal.timeout(10_000) } as never;
      assert.deepEqual(await resealWebhooks.run(context), { resealed: 1 });
      assert.deepEqual(await resealWebhooks.run(context), { resealed: 0 });
      await change(other, retraction('pmid-2'));
      await moved.pass(0);
      verified(receiver.requests[1]!, secret);
      await moved.worker.stop();
    } finally {
      await other.stop();
    }
  });

  it('deletes deliveries and events after 30 days by a job', async () => {
    const { id } = await admin.register(receiver.url);
    await change(service, retraction('pmid-1'), retraction('pmid-2'));
    await clock.pass(0);
    const old = "now() - interval '31 days'";
    await sql(
      service,
      `update webhook_delivery set created_at = ${old} where id = (select min(id) from webhook_delivery where endpoint_id = ?)`,
      [id],
    );
    await sql(service, `update webhook_event set created_at = ${old}`);
    const { purgeDeliveries } = await import('#plugins/webhooks/jobs.ts');
    const { runtime } = service;
    const context = { ...servicesOf(service), ...runtime, signal: AbortSignal.timeout(10_000) };
    const counts = await purgeDeliveries.run(context as never);
    assert.equal(counts.deliveries, 1);
    assert.equal((await admin.deliveries(id)).length, 1);
    const left = await countOf(
      service,
      'webhook_event v where exists (select 1 from webhook_delivery where event_id = v.id)',
    );
    assert.equal(left, 1);
    assert.equal(await countOf(service, 'webhook_event'), 1);
  });

  it('includes no text, e-mail address or permalink from feedback', async () => {
    await admin.register(receiver.url, { events: ['feedback.created'] });
    const send = (path: string, body: object) =>
      api(service)
        .post(path)
        .set(...bearer(adminKey))
        .send(body)
        .expect(200);
    const message = 'I take warfarin and my name is Ann';
    await send('/api/feedback', {
      category: 'unsafe',
      message,
      email: 'ann@example.org',
      target_type: 'supplement',
      target_id: 'ginkgo',
      page_url: '/supplements/ginkgo?q=ann',
    });
    await send('/api/feedback', { category: 'other', message, target_type: 'page', target_id: 'ann@example.org' });
    await send('/api/chat/feedback', { answer_id: 'ans_permalink', rating: 'down', comment: message });
    await clock.pass(0);
    const data = receiver.requests.map(({ body }) => JSON.parse(body).data);
    assert.deepEqual(
      data.map(({ feedback_id: _, ...rest }) => rest).sort((a, b) => a.target_type.localeCompare(b.target_type)),
      [
        { category: '', target_type: 'answer', target_id: '', rating: 'down' },
        { category: 'other', target_type: 'page', target_id: '' },
        { category: 'unsafe', target_type: 'supplement', target_id: 'ginkgo' },
      ],
    );
    for (const { body } of receiver.requests) assert.equal(/ann|warfarin|permalink/i.test(body), false);
  });

  it('sends a body that matches the schema of its event type, for every type', async () => {
    await admin.register(receiver.url);
    const about = { subjectType: 'test', subjectId: '19279' };
    await change(
      service,
      retraction('pmid-1'),
      CREATED,
      {
        kind: 'evidence.created',
        ...about,
        data: { pmid: '1', doi: '', new: { quality_tier: 'A', retraction_status: 'none' } },
      },
      { kind: 'evidence.updated', ...about, data: { pmid: '1', doi: '' } },
      { kind: 'evidence.removed', ...about },
      { kind: 'evidence.tier_changed', ...about, data: { old: { quality_tier: 'A' }, new: { quality_tier: 'B' } } },
      { kind: 'interaction.created', ...about, data: { supplement: 'kava', new: { severity: 'major' } } },
      {
        kind: 'interaction.severity_changed',
        ...about,
        data: { supplement: 'kava', old: { severity: 'minor' }, new: { severity: 'major' } },
      },
      { kind: 'product.imported', ...about, subjectId: 'dsld', data: { read: 3, added: 2, problems: ['none'] } },
      { kind: 'product.created', ...about, data: { name: 'Zinc', brand: 'Acme' } },
      {
        kind: 'product.market_status_changed',
        ...about,
        data: { name: 'Zinc', brand: 'x'.repeat(30_000), from: true, to: false, as_of: null },
      },
      { kind: 'product.recalled', ...about, data: { recall_number: 'F-1', classification: 'Class I', status: '' } },
      {
        kind: 'label_image.created',
        ...about,
        subjectId: '7',
        data: { dsld_id: 19279, kind: 'front', source: 'upload' },
      },
      {
        kind: 'label_image.primary_changed',
        ...about,
        data: { old: { primary_image_id: null }, new: { primary_image_id: 7 } },
      },
      { kind: 'index.published', ...about, subjectId: 'pubmed', data: { added: 3 } },
      { kind: 'pipeline.failed', ...about, subjectId: 'ingest_pubmed', data: { secret: 'of nobody' } },
      { kind: 'key.deactivated', ...about, subjectId: 'key_1' },
      {
        kind: 'key.quota_warning',
        ...about,
        subjectId: 'key_1',
        data: { bucket: 'day', used: 400, limit: 500, ip: '1' },
      },
      { kind: 'feedback.created', ...about, subjectType: 'feedback', data: { category: 'praise' } },
    );
    await clock.pass(0);
    assert.equal(receiver.requests.length, 19);
    const schemas = new Map(servicesOf(service).events.map(({ type, body }) => [type, createAjv().compile(body)]));
    const known = new Map(servicesOf(service).events.map(({ type, example }) => [type, example.data as object]));
    for (const { body } of receiver.requests) {
      const event = JSON.parse(body) as { type: string; data: Record<string, unknown> };
      const validate = schemas.get(event.type);
      assert.ok(validate?.(event), `${body}: ${JSON.stringify(validate?.errors?.[0])}`);
      assert.ok(Buffer.byteLength(body) < 20_480);
      const names = new Set([...Object.keys(known.get(event.type) ?? {}), 'new']);
      assert.deepEqual(
        Object.keys(event.data).filter((name) => !names.has(name)),
        [],
        event.type,
      );
      if (event.data.url) assert.match(String(event.data.url), /^http:\/\/evidence\.test\//);
    }
  });
});
