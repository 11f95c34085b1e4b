import assert from 'node:assert/strict';
import type { CrossEncoder } from '#core/models/port.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { crossEncoderReranker } from '#plugins/evidence/rerank/cross-encoder-reranker.ts';
import { createReranker } from '#plugins/evidence/rerank/index.ts';
import type { Candidate, Reranker } from '#plugins/evidence/rerank/reranker.ts';

const candidates: readonly Candidate[] = ['zinc', 'iron', 'kale'].map((word) => ({
  id: word,
  title: word,
  text: `All about ${word}. `.repeat(300),
  score: 0.01,
  legs: [],
}));
const local: Reranker = {
  name: 'local',
  rerank: async () => ({ scores: [1, 2, 3], name: 'local', fallback: null }),
};
const model = (score: CrossEncoder['score']): CrossEncoder => ({ name: 'made-up encoder', score });

describe('cross-encoder reranker', () => {
  it('sends title and truncated text to the model, and returns its scores', async () => {
    const asked: string[] = [];
    const reranker = crossEncoderReranker(
      model(async (query, passages) => {
        asked.push(query, ...passages);
        return [0.1, 0.9, 0.5];
      }),
      local,
    );
    assert.deepEqual(await reranker.rerank('which is a metal', candidates), {
      scores: [0.1, 0.9, 0.5],
      name: 'made-up encoder',
      fallback: null,
    });
    assert.equal(asked[0], 'which is a metal');
    assert.ok(asked.slice(1).every((passage) => passage.length <= 2_000));
    assert.match(asked[1]!, /^zinc All about zinc\./);
  });

  const failures: readonly (readonly [what: string, score: CrossEncoder['score'], reason: RegExp])[] = [
    ['fails', () => Promise.reject(new Error('the endpoint answered 503')), /503/],
    ['never answers', () => new Promise(() => undefined), /timeout|time/i],
    ['answers for some only', async () => [1, 2], /one number for each/],
    ['answers what is no number', async () => [1, Number.NaN, 3], /one number for each/],
  ];
  for (const [what, score, reason] of failures) {
    it(`falls back to the local reranker when the model ${what}`, async () => {
      const { fallback, ...rest } = await crossEncoderReranker(model(score), local, 50).rerank('q', candidates);
      assert.deepEqual(rest, { scores: [1, 2, 3], name: 'local' });
      assert.match(fallback ?? '', reason);
    });
  }

  it('stops when the caller aborts', async () => {
    const gone = AbortSignal.abort(new Error('client left'));
    const waiting = crossEncoderReranker(
      model(() => new Promise(() => undefined)),
      local,
      5_000,
    );
    await assert.rejects(waiting.rerank('q', candidates, { signal: gone }), /client left/);
  });

  it('is used when configured; otherwise the local reranker is used', () => {
    const index = {} as SearchIndex;
    assert.equal(createReranker({ crossEncoder: null }, index).name, 'local');
    assert.equal(createReranker({ crossEncoder: model(async () => []) }, index).name, 'made-up encoder');
  });
});
