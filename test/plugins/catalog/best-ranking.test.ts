import { strict as assert } from 'node:assert';
import { type Candidate, rank } from '#plugins/catalog/best-ranking.ts';

const candidate = (given: Partial<Candidate> & { id: number }): Candidate => ({
  name: `Product ${given.id}`,
  brand: 'Brand',
  brandSlug: 'brand',
  form: 'Capsule',
  market: true,
  dose: '300 mg',
  match: 'within',
  share: 1,
  reason: '',
  isComplete: true,
  interactions: 2,
  against: [],
  ...given,
});

const placesOf = (candidates: readonly Candidate[]) => rank(candidates).ranked.map(({ id, place }) => [id, place]);

describe('rank()', () => {
  it('orders by dose match: trial range, near below, far below, then above the trial range', () => {
    const places = placesOf([
      candidate({ id: 1, match: 'above', share: 3 }),
      candidate({ id: 2, match: 'below', share: 0.2 }),
      candidate({ id: 3, match: 'below', share: 0.6, interactions: 40 }),
      candidate({ id: 4, interactions: 40, isComplete: false }),
    ]);
    assert.deepEqual(places, [
      [4, 1],
      [3, 2],
      [2, 3],
      [1, 4],
    ]);
  });

  it('breaks ties by complete amounts first, then by fewer interactions', () => {
    const places = placesOf([
      candidate({ id: 1, isComplete: false, interactions: 0 }),
      candidate({ id: 2, interactions: 9 }),
      candidate({ id: 3, interactions: 1 }),
    ]);
    assert.deepEqual(places, [
      [3, 1],
      [2, 2],
      [1, 3],
    ]);
  });

  it('gives equal products the same place and skips the next place', () => {
    const places = placesOf([
      candidate({ id: 1, name: 'B' }),
      candidate({ id: 2, name: 'A' }),
      candidate({ id: 3, interactions: 5 }),
    ]);
    assert.deepEqual(places, [
      [2, 1],
      [1, 1],
      [3, 3],
    ]);
  });

  it('excludes a product with a reason against it, whatever its dose', () => {
    const { ranked, leftOut } = rank([candidate({ id: 1, against: ['Recalled'] }), candidate({ id: 2 })]);
    assert.deepEqual([ranked.map(({ id }) => id), leftOut.map(({ id }) => id)], [[2], [1]]);
  });

  it('leaves trace doses and doses without a comparison unranked', () => {
    const { ranked, unranked } = rank([
      candidate({ id: 1, match: 'below', share: 0.05 }),
      candidate({ id: 2, match: 'unknown', share: null, reason: 'No trial dose.' }),
    ]);
    assert.deepEqual(ranked, []);
    assert.deepEqual(
      unranked.map(({ id }) => id),
      [1, 2],
    );
  });
});
