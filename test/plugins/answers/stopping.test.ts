/** Tests an answer deleted during generation: the work stops, and nothing of it is stored or served. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { api, type IssuedKey, issueKey } from '../../support/client.ts';
import { countOf } from '../../support/database.ts';
import { startBeside } from '../../support/shared.ts';
import {
  type AnswerService,
  authorised,
  newAddress,
  type OpenStream,
  openStream,
  type Scripted,
  scriptedEngine,
  startAnswerService,
} from './support.ts';

const idOf = (stream: OpenStream): string => stream.events()[0]?.data.answer_id;

describe('an answer deleted during generation', () => {
  let service: AnswerService;
  let key: IssuedKey;
  let engine: Scripted;
  let gate: PromiseWithResolvers<void>;
  before(async () => {
    service = await startAnswerService();
  });
  after(() => service.stop());
  const gateBefore = (before: number): void => {
    gate = Promise.withResolvers<void>();
    engine = scriptedEngine(undefined, { before, open: gate.promise });
    service.answers.engine = engine;
  };
  beforeEach(async () => {
    key = await issueKey(service, service.admin);
    gateBefore(5);
  });
  afterEach(() => gate.resolve());

  const begin = async (): Promise<OpenStream> => {
    const stream = await openStream(service, { headers: authorised(key) });
    await stream.until((events) => events.some(({ event }) => event === 'delta'));
    return stream;
  };
  const remove = (id: string, at: { url: string } = service) =>
    api(at as AnswerService)
      .delete(`/api/answers/${id}`)
      .set(authorised(key));
  const assertNothingLeft = async (id: string) => {
    for (const table of ['answer', 'answer_stream', 'answer_stream_event'])
      assert.equal(await countOf(service, `${table} where answer_id = ?`, [id]), 0, table);
    await api(service).get(`/api/answers/${id}`).set('X-Forwarded-For', newAddress()).expect(404);
    const headers = { ...authorised(key), 'Last-Event-ID': `${id}/1` };
    const again = await (await openStream(service, { headers })).ended();
    assert.deepEqual(
      again.map(({ event }) => event),
      ['session_lost'],
    );
  };

  it('ends its stream with not_found and done, aborts the engine at once, and is never stored', async () => {
    const stream = await begin();
    const id = idOf(stream);
    const reply = await remove(id).expect(200);
    assert.deepEqual(reply.body, { answer_id: id, deleted: true });
    assert.equal(engine.signals[0]?.aborted, true);
    const events = await stream.ended();
    assert.deepEqual(
      events.slice(-2).map(({ event, data }) => [event, data.code]),
      [
        ['error', 'not_found'],
        ['done', undefined],
      ],
    );
    gate.resolve();
    await sleep(100);
    await assertNothingLeft(id);
    await remove(id).expect(404);
  });

  it('is not stored when the client has already disconnected', async () => {
    const stream = await begin();
    stream.drop();
    await remove(idOf(stream)).expect(200);
    gate.resolve();
    await sleep(100);
    await assertNothingLeft(idOf(stream));
  });

  it("frees its concurrency slot for the caller's next question", async () => {
    const streams = [await begin(), await begin()];
    assert.equal((await openStream(service, { headers: authorised(key) })).status, 429);
    await remove(idOf(streams[0] as OpenStream)).expect(200);
    assert.equal((await openStream(service, { headers: authorised(key) })).status, 200);
  });

  it('is stopped when another process deletes it, even if the engine emits nothing', async () => {
    const beside = await startBeside(service, {});
    const stream = await begin();
    await remove(idOf(stream), beside).expect(200);
    const startedAt = Date.now();
    const events = await stream.ended();
    assert.ok(Date.now() - startedAt < 60_000);
    assert.equal(events.at(-2)?.data.code, 'not_found');
    assert.equal(engine.signals[0]?.aborted, true);
    gate.resolve();
    await sleep(100);
    await assertNothingLeft(idOf(stream));
    await beside.stop();
  }).timeout(180_000);

  it('is deleted whether it finishes before or after the deletion', async () => {
    for (let times = 0; times < 5; times += 1) {
      gateBefore(5);
      key = await issueKey(service, service.admin);
      const stream = await begin();
      gate.resolve();
      await sleep(times * 3);
      await remove(idOf(stream)).expect(200);
      await stream.ended();
      await assertNothingLeft(idOf(stream));
    }
  }).timeout(180_000);

  it('can be stopped only by the device that asked, from the same site', async () => {
    const stream = await openStream(service, {
      path: '/chat/ask/stream',
      headers: { 'X-Forwarded-For': newAddress() },
    });
    await stream.until((events) => events.some(({ event }) => event === 'delta'));
    const id = idOf(stream);
    const cookie = (stream.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    const stop = () => api(service).post(`/answers/${id}/delete`).type('form');
    await stop().expect(404);
    await stop().set('Cookie', cookie).set('Sec-Fetch-Site', 'cross-site').expect(403);
    await stop().set('Cookie', cookie).set('Origin', 'https://elsewhere.example').expect(403);
    assert.equal(engine.signals[0]?.aborted, false);
    await stop().set('Cookie', cookie).set('Sec-Fetch-Site', 'same-origin').expect(303);
    assert.equal(engine.signals[0]?.aborted, true);
    assert.equal((await stream.ended()).at(-2)?.event, 'error');
    gate.resolve();
    await sleep(100);
    assert.equal(await countOf(service, 'answer where answer_id = ?', [id]), 0);
  });

  it('discards a rerun in progress', async () => {
    service.answers.engine = scriptedEngine();
    const ask = api(service).post('/api/ask').set(authorised(key)).send({ question: 'Does it help?' });
    const { answer_id: id } = (await ask.expect(200)).body;
    gateBefore(5);
    const rerun = api(service).post(`/api/answers/${id}/rerun`).set('X-Forwarded-For', newAddress()).then();
    while (!engine.asked.length) await sleep(5);
    await remove(id).expect(200);
    gate.resolve();
    assert.equal((await rerun).status, 404);
    assert.equal(await countOf(service, "answer where question = 'Does it help?' and rerun_of is not null"), 0);
  });
});

describe('an answer that a language model is writing', () => {
  let model: Server;
  let service: AnswerService;
  const open: ServerResponse[] = [];
  let closed = 0;
  before(async () => {
    model = createServer((request, response) => {
      request.resume();
      open.push(response);
      response.on('close', () => {
        closed += 1;
      });
    });
    model.listen(0, '127.0.0.1');
    await once(model, 'listening');
    const { port } = model.address() as AddressInfo;
    const settings = { LLM_BASE_URL: `http://127.0.0.1:${port}/v1`, LLM_MODEL: 'stand-in' };
    service = await startAnswerService({ settings });
  });
  after(async () => {
    await service.stop();
    model.close();
    model.closeAllConnections();
  });

  it('aborts the model request after deletion, and sends no other', async () => {
    const key = await issueKey(service, service.admin);
    const body = { question: 'Does magnesium help people sleep?', model_consent: true };
    const stream = await openStream(service, { headers: authorised(key), body });
    while (!open.length) await sleep(10);
    assert.equal(closed, 0);
    const startedAt = Date.now();
    await api(service)
      .delete(`/api/answers/${idOf(stream)}`)
      .set(authorised(key))
      .expect(200);
    await stream.ended();
    while (!closed) await sleep(5);
    assert.ok(Date.now() - startedAt < 30_000);
    await sleep(1_500);
    assert.equal(open.length, 1);
  }).timeout(180_000);
});
