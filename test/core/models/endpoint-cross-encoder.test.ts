import { strict as assert } from 'node:assert';
import { endpointCrossEncoder } from '#core/models/endpoint-cross-encoder.ts';
import { Permission } from '#core/models/permission.ts';
import { json, type OpenaiEndpoint, refusal, type Step, startEndpoint } from '../../support/openai-endpoint.ts';
import { failsWith, partsFor } from './parts.ts';

const byScore = (texts: readonly string[]) =>
  texts.map((text, index) => ({ index, score: text.length })).sort((a, b) => b.score - a.score);

/** Replies like vLLM, the llama.cpp server, Jina and Cohere: the best document first. */
const ranksDocuments: Step = (reply, asked) => {
  const results = byScore(asked.body.documents).map(({ index, score }) => ({ index, relevance_score: score }));
  json({ model: 'made-model', results })(reply, asked);
};

/** Replies like text-embeddings-inference. */
const ranksTexts: Step = (reply, asked) =>
  (asked.body.texts ? json(byScore(asked.body.texts)) : refusal(422, 'missing field `texts`'))(reply, asked);

describe('endpoint cross-encoder', () => {
  let server: OpenaiEndpoint;
  before(async () => {
    server = await startEndpoint();
  });
  after(() => server.close());
  const open = (path = '') => {
    const { endpoint, guard } = partsFor(server, { retries: 0 });
    return endpointCrossEncoder({ ...endpoint, baseUrl: `${endpoint.baseUrl}${path}` }, guard);
  };

  it('returns scores in the order of the passages when the endpoint ranks documents', async () => {
    server.script(ranksDocuments);
    assert.deepEqual(await open().score('sleep', ['aa', 'a', 'aaa'], { permission: Permission.publicText }), [2, 1, 3]);
    assert.equal(server.asked[0]?.path, '/v1/rerank');
    assert.deepEqual(server.asked[0]?.body, { model: 'made-model', query: 'sleep', documents: ['aa', 'a', 'aaa'] });
  });

  it('detects an endpoint that ranks texts, such as text-embeddings-inference', async () => {
    const encoder = open('/rerank');
    server.script(ranksTexts);
    assert.deepEqual(await encoder.score('sleep', ['aa', 'a'], { permission: Permission.publicText }), [2, 1]);
    assert.deepEqual(await encoder.score('sleep', ['a'], { permission: Permission.publicText }), [1]);
    assert.deepEqual(
      server.asked.map(({ path, body }) => [path, 'texts' in body]),
      [
        ['/v1/rerank', false],
        ['/v1/rerank', true],
        ['/v1/rerank', true],
      ],
    );
    assert.equal(server.asked[1]?.body.truncate, true);
  });

  it('also reads scores under data', async () => {
    server.script(json({ data: [{ index: 0, relevance_score: 0.25 }] }));
    assert.deepEqual(await open().score('sleep', ['a'], { permission: Permission.publicText }), [0.25]);
  });

  it('sends passages in batches, and nothing for an empty list', async () => {
    server.script(ranksDocuments);
    const passages = Array.from({ length: 50 }, (_, at) => 'x'.repeat(at + 1));
    assert.deepEqual(
      await open().score('sleep', passages, { permission: Permission.publicText }),
      passages.map(({ length }) => length),
    );
    assert.deepEqual(
      server.asked.map(({ body }) => body.documents.length),
      [32, 18],
    );
    assert.deepEqual(await open().score('sleep', [], { permission: Permission.publicText }), []);
  });

  it('fails with bad_reply when a passage has no score', async () => {
    for (const reply of [
      { results: [{ index: 0, relevance_score: 1 }] },
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 2, relevance_score: 1 },
        ],
      },
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 1, relevance_score: null },
        ],
      },
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 0, relevance_score: 2 },
        ],
      },
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 0.5, relevance_score: 2 },
        ],
      },
      '{"results": [{"index": 0, "relevance_score": 1e999}, {"index": 1, "relevance_score": 1}]}',
      '{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 1}]}',
      '<!doctype html><title>Sign in</title>',
      'null',
      {},
    ]) {
      server.script(json(reply));
      await failsWith('bad_reply', open().score('sleep', ['a', 'b'], { permission: Permission.publicText }));
    }
  });

  it('fails with refused when the endpoint accepts neither request format', async () => {
    server.script(refusal(400, 'this is no reranker'));
    await failsWith('refused', open().score('sleep', ['a'], { permission: Permission.publicText }));
    assert.equal(server.asked.length, 2);
  });
});
