import assert from 'node:assert/strict';
import { atLeast, greatest, highest } from '#core/search/highest.ts';

const ROWS = 5_000;
/** Returns pseudo-random numbers that are the same every time. */
const scoresOf = (seed: number, distinct: number): Float32Array =>
  Float32Array.from({ length: ROWS + 50 }, (_, i) => {
    const value = Math.imul(i + seed, 2_654_435_761) >>> 0;
    return value % 3 === 0 ? 0 : ((value >>> 8) % distinct) / distinct;
  });
const comesFirst = (a: number, b: number) => a > b;
const sorted = (scores: Float32Array) =>
  [...scores.subarray(0, ROWS)]
    .map((score, ref) => ({ ref, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.ref - a.ref);

describe('highest scores', () => {
  for (const distinct of [1, 2, 7, 100, 1_000_000]) {
    const scores = scoresOf(distinct, distinct);
    for (const size of [1, 10, 300, ROWS * 2]) {
      it(`equal the first of the sorted scores: ${size} of ${ROWS} with ${distinct} values`, () => {
        assert.deepEqual(highest(scores, ROWS, { size, comesFirst }), sorted(scores).slice(0, size));
      });
    }

    it(`are all included in atLeast: ${distinct} values`, () => {
      const size = 400;
      const places = [...atLeast(scores, ROWS, { size, most: 2 * size })];
      assert.deepEqual(
        places,
        [...new Set(places)].sort((a, b) => a - b),
      );
      assert.ok(places.length <= 2 * size);
      const all = sorted(scores);
      if (all.length === 0) return assert.deepEqual(places, []);
      const last = all[Math.min(size, all.length) - 1]!.score;
      const held = new Set(places);
      assert.ok(places.length >= Math.min(size, all.length));
      assert.ok(all.every(({ ref, score }) => score <= last + 1 / 1_024 || held.has(ref)));
    });
  }

  it('are empty when no score is above zero', () => {
    const scores = new Float32Array(ROWS).fill(-1);
    assert.equal(greatest(scores, ROWS), 0);
    assert.deepEqual(highest(scores, ROWS, { size: 5, comesFirst }), []);
    assert.equal(atLeast(scores, ROWS, { size: 5, most: 10 }).length, 0);
    assert.deepEqual(highest(new Float32Array(3).fill(1), 3, { size: 0, comesFirst }), []);
  });
});
