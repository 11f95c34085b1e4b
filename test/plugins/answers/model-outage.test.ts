/** Tests an unavailable or hallucinating language model: the answer must still come from the sources. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { api, type IssuedKey, issueKey } from '../../support/client.ts';
import { type AnswerService, authorised, openStream, startAnswerService } from './support.ts';

const QUESTION = { question: 'Does magnesium help people sleep?', model_consent: true };

describe('an answer while the language model is unavailable', () => {
  let model: Server;
  let service: AnswerService;
  let key: IssuedKey;
  let calls = 0;
  before(async () => {
    model = createServer((request, response) => {
      calls += 1;
      request.resume();
      response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":{"message":"out of memory"}}');
    });
    model.listen(0, '127.0.0.1');
    await once(model, 'listening');
    service = await startAnswerService({
      settings: {
        LLM_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
        LLM_MODEL: 'stand-in',
      },
    });
    key = await issueKey(service, service.admin);
  });
  after(async () => {
    await service.stop();
    model.close();
    model.closeAllConnections();
  });

  it("does not call the model without the caller's consent: as JSON, as a stream or on a rerun", async () => {
    const question = { question: QUESTION.question };
    const before = calls;
    const { body } = await api(service).post('/api/ask').set(authorised(key)).send(question).expect(200);
    const events = await (await openStream(service, { headers: authorised(key), body: question })).ended();
    const agreed = await api(service).post('/api/ask').set(authorised(key)).send(QUESTION).expect(200);
    assert.ok(calls > before, 'the model was asked with the consent');
    const after = calls;
    const again = await api(service)
      .post(`/api/answers/${agreed.body.answer_id}/rerun`)
      .set(authorised(key))
      .expect(200);
    assert.equal(calls, after, 'a consent counts for one time');
    for (const answer of [body, events.at(-2)?.data, again.body]) {
      assert.equal(answer.model, 'extractive');
      assert.ok(answer.warnings.some(({ code }: { code: string }) => code === 'model_consent_missing'));
    }
    const { text } = await api(service).get('/chat').expect(200);
    assert.match(text, /<input type="checkbox" name="model_consent" value="true" id="ask-model"\/?>/);
  }).timeout(180_000);

  it('is extractive, with a warning and without an error', async () => {
    const { body } = await api(service).post('/api/ask').set(authorised(key)).send(QUESTION).expect(200);
    assert.ok(calls > 0, 'the model was asked');
    assert.equal(body.model, 'extractive');
    assert.ok(body.warnings.length > 0);
    assert.ok(body.claims.length > 0);
    for (const { quote_verified } of body.citations) assert.equal(quote_verified, true);
  }).timeout(180_000);

  it('sends a warning in the stream, and ends the stream normally', async () => {
    const events = await (await openStream(service, { headers: authorised(key), body: QUESTION })).ended();
    const names = events.map(({ event }) => event);
    assert.ok(names.includes('warning'));
    assert.deepEqual(names.slice(-2), ['final', 'done']);
    const text = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text);
    assert.equal(text.join(''), events.at(-2)?.data.answer);
  }).timeout(180_000);
});
