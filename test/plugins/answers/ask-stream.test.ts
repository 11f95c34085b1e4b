/** Tests POST /api/ask/stream over HTTP: event order, wire format, resuming after a disconnect, and limits. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { api, type IssuedKey, issueKey } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { startBeside } from '../../support/shared.ts';
import { until } from '../../support/until.ts';
import {
  type AnswerService,
  answerBody,
  authorised,
  eventsOf,
  openStream,
  scriptedEngine,
  useAnswerService,
} from './support.ts';

describe('POST /api/ask/stream', () => {
  let service: AnswerService;
  let key: IssuedKey;
  useAnswerService((given) => {
    ({ service, key } = given);
  });

  const ask = (more: { headers?: Record<string, string>; body?: object; key?: IssuedKey } = {}) =>
    openStream(service, {
      headers: { ...authorised(more.key ?? key), ...more.headers },
      ...(more.body && { body: more.body }),
    });

  it('sends meta, status and sources before the text, then citations, warnings, the final answer and done', async () => {
    const stream = await ask();
    assert.equal(stream.status, 200);
    assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream\b/);
    assert.equal(stream.headers['cache-control'], 'no-store');
    assert.equal(stream.headers['x-accel-buffering'], 'no');
    const events = await stream.ended();
    const names = events.map(({ event }) => event);
    assert.deepEqual(
      names.filter((name, at) => name !== names[at - 1]),
      ['meta', 'status', 'sources', 'status', 'delta', 'citation', 'warning', 'final', 'done'],
    );
    const { answer_id, ...versions } = events[0]?.data ?? {};
    assert.match(answer_id, /^ans_[0-9a-f]{32}$/);
    assert.deepEqual(Object.keys(versions).sort(), ['index_version', 'retrieval_version']);
    assert.deepEqual(
      events.map(({ id }) => id),
      events.map((_, at) => `${answer_id}/${at + 1}`),
    );
    const final = events.find(({ event }) => event === 'final')?.data;
    const deltas = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text);
    assert.equal(deltas.join(''), final.answer);
    assert.equal(final.answer_id, answer_id);
    assert.deepEqual(events.at(-1)?.data, {});
  });

  it('follows the SSE wire format exactly: retry first, then id, event and data for each event', async () => {
    const stream = await ask();
    await stream.ended();
    const blocks = stream.text().split('\n\n');
    assert.equal(blocks[0], 'retry: 3000');
    assert.equal(blocks.at(-1), '');
    for (const block of blocks.slice(1, -1))
      assert.match(block, /^id: ans_[0-9a-f]{32}\/\d+\nevent: [a-z_]+\ndata: \{.*\}$/);
    assert.match(stream.text(), /\nevent: done\ndata: \{\}\n\n$/);
  });

  it('ends with the same object that the permalink returns, in the shape of POST /api/ask', async () => {
    const events = await (await ask()).ended();
    const final = events.find(({ event }) => event === 'final')?.data;
    const kept = await api(service).get(`/api/answers/${final.answer_id}`).expect(200);
    const { rerun_of, expires_at, ...same } = kept.body;
    assert.deepEqual(same, final);
    assert.equal(rerun_of, null);
    const once = await api(service)
      .post('/api/ask')
      .set(authorised(key))
      .send({ question: 'Does it help?' })
      .expect(200);
    assert.deepEqual(Object.keys(once.body).sort(), Object.keys(final).sort());
  });

  it('sends heartbeats while no event is available', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 2, open: gate.promise });
    service.answers.heartbeatMs = 20;
    const stream = await ask();
    await stream.until((_, text) => text.split(': heartbeat\n\n').length > 3);
    gate.resolve();
    await stream.ended();
    assert.match(stream.text(), /\n\n: heartbeat\n\n: heartbeat\n\n/);
  });

  it('resumes after a disconnect from the next event on, while the answer is still being generated', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 5, open: gate.promise });
    const first = await ask();
    await first.until((events) => events.some(({ event }) => event === 'delta'));
    const seen = first.events();
    first.drop();
    const second = await ask({ headers: { 'Last-Event-ID': seen.at(-1)?.id ?? '' } });
    gate.resolve();
    const rest = await second.ended();
    assert.deepEqual(
      [...seen, ...rest].map(({ id }) => Number(id.split('/')[1])),
      [...seen, ...rest].map((_, at) => at + 1),
    );
    assert.equal(rest.at(-1)?.event, 'done');
    assert.ok(second.text().startsWith('retry: 3000\n\n'));
  });

  it('resumes a finished stream from the database, repeatedly', async () => {
    const events = await (await ask()).ended();
    const [third] = events.slice(2);
    for (let times = 0; times < 2; times += 1) {
      const again = await ask({ headers: { 'Last-Event-ID': third?.id ?? '' } });
      assert.deepEqual(await again.ended(), events.slice(3));
    }
  });

  it('resumes in another process of the same service', async () => {
    const beside = await startBeside(service, {});
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 5, open: gate.promise });
    const first = await ask();
    await first.until((events) => events.some(({ event }) => event === 'delta'));
    const seen = first.events();
    first.drop();
    const headers = { ...authorised(key), 'Last-Event-ID': seen[1]?.id ?? '' };
    const second = await openStream(beside, { headers });
    await second.until((events) => events.some(({ event }) => event === 'delta'));
    gate.resolve();
    const rest = await second.ended();
    assert.deepEqual(
      rest.map(({ id }) => Number(id.split('/')[1])),
      rest.map((_, at) => at + 3),
    );
    assert.equal(rest.at(-1)?.event, 'done');
    await beside.stop();
  });

  it('finishes and stores the answer after the client disconnects', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 4, open: gate.promise });
    const stream = await ask();
    await stream.until((events) => events.length > 2);
    const id = stream.events()[0]?.data.answer_id;
    stream.drop();
    await sleep(50);
    gate.resolve();
    await until(() => countOf(service, 'answer where answer_id = ?', [id]));
    await api(service).get(`/api/answers/${id}`).expect(200);
  });

  it('is charged once, however often the client resumes', async () => {
    const used = async () => {
      const { body } = await api(service).get('/api/keys/me').set(authorised(key)).expect(200);
      return body.usage.day.used;
    };
    const before = await used();
    const events = await (await ask()).ended();
    for (let times = 0; times < 15; times += 1) {
      const again = await ask({ headers: { 'Last-Event-ID': events[1]?.id ?? '' } });
      assert.equal(again.headers.ratelimit, undefined);
      await again.ended();
    }
    assert.equal(await used(), before + 2);
  });

  it('sends only session_lost for another key, an unknown event ID, and an expired stream', async () => {
    const events = await (await ask()).ended();
    const place = { 'Last-Event-ID': events[1]?.id ?? '' };
    const other = await issueKey(service, service.admin);
    const lostOnes = [
      await ask({ key: other, headers: place }),
      await ask({ headers: { 'Last-Event-ID': `ans_${'0'.repeat(32)}/3` } }),
      await ask({ headers: { 'Last-Event-ID': 'nonsense' } }),
    ];
    await sql(service, "update answer_stream set expires_at = now() - interval '1 second'");
    lostOnes.push(await ask({ headers: place }));
    for (const stream of lostOnes) {
      assert.equal(stream.status, 200);
      const all = await stream.ended();
      assert.deepEqual(
        all.map(({ event, id }) => [event, id]),
        [['session_lost', '']],
      );
      assert.ok(stream.text().startsWith('retry: 3000\n\nid: \nevent: session_lost\n'));
    }
  });

  it('sends the stored events and then session_lost when the generating process has died', async () => {
    const events = await (await ask()).ended();
    const id = events[0]?.data.answer_id;
    await sql(
      service,
      `update answer_stream set state = 'running', touched_at = now() - interval '1 minute' where answer_id = ?`,
      [id],
    );
    await sql(service, 'delete from answer_stream_event where answer_id = ? and n > 6', [id]);
    const again = await ask({ headers: { 'Last-Event-ID': `${id}/4` } });
    assert.deepEqual(
      (await again.ended()).map(({ event }) => event),
      [events[4]?.event, events[5]?.event, 'session_lost'],
    );
  });

  it('ends with an error event in the standard error shape, then done, when the engine fails', async () => {
    service.answers.engine = {
      async *ask({ question }) {
        yield* eventsOf(answerBody(question)).slice(0, 3);
        throw new Error('the disk is on fire');
      },
    };
    const events = await (await ask()).ended();
    const [error, done] = events.slice(-2);
    assert.equal(error?.event, 'error');
    assert.equal(error?.data.status, 500);
    assert.equal(error?.data.code, 'internal_error');
    assert.match(error?.data.request_id, /^req_/);
    assert.equal(done?.event, 'done');
    assert.equal(await countOf(service, 'answer where answer_id = ?', [events[0]?.data.answer_id]), 0);
  });

  it('returns 401 and 422 before a stream opens', async () => {
    const without = await openStream(service, {});
    assert.equal(without.status, 401);
    assert.match(without.headers['content-type'] ?? '', /^application\/json/);
    const wrong = await ask({ body: { question: 'ab' } });
    assert.equal(wrong.status, 422);
    await wrong.ended();
    assert.equal(JSON.parse(wrong.text()).detail[0].type, 'string_too_short');
  });

  it('allows two concurrent streams per key, and returns 429 in bucket ask for the third', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 2, open: gate.promise });
    const two = [await ask(), await ask()];
    const third = await ask();
    assert.equal(third.status, 429);
    await third.ended();
    const body = JSON.parse(third.text());
    assert.equal(body.detail, 'Quota exceeded (ask): 3/2');
    assert.deepEqual(body['violated-policies'], ['ask']);
    assert.ok(third.headers['retry-after']);
    gate.resolve();
    for (const stream of two) await stream.ended();
    assert.equal((await ask()).status, 200);
  });

  it('allows ten questions a minute per key, streamed or not, and returns 429 in bucket ask for the eleventh', async () => {
    for (let times = 0; times < 5; times += 1) {
      await (await ask()).ended();
      await api(service).post('/api/ask').set(authorised(key)).send({ question: 'Does it help?' }).expect(200);
    }
    const eleventh = await ask();
    assert.equal(eleventh.status, 429);
    await eleventh.ended();
    assert.equal(JSON.parse(eleventh.text()).detail, 'Quota exceeded (ask): 11/10');
    const once = await api(service)
      .post('/api/ask')
      .set(authorised(key))
      .send({ question: 'Does it help?' })
      .expect(429);
    assert.equal(once.body.detail, 'Quota exceeded (ask): 11/10');
  });
});
