import assert from 'node:assert/strict';
import { expandBy, expandTerms, moveTowards, moveVector, unitTerms } from '#core/search/feedback.ts';
import type { LsaModel } from '#core/search/lsa.ts';
import { buildSegment, countTerms } from '#core/search/segment.ts';
import { tableOf } from '#core/search/vector-table.ts';

const fields = { title: 3, abstract: 1 };
const documents = [
  { id: 'a', text: { title: 'magnesium migraine', abstract: 'aura attack magnesium' }, filters: {} },
  { id: 'b', text: { title: 'knee pain', abstract: 'cartilage migraine' }, filters: {} },
];
const model: LsaModel = {
  rows: new Map([
    ['magnesium', 0],
    ['migrain', 1],
    ['aura', 2],
    ['knee', 3],
  ]),
  idf: Float32Array.from([1, 2, 3, 2]),
  projection: new Float32Array(16),
  dimensions: 4,
  trainedOn: 2,
  digest: 'made-up',
};
const segment = {
  ...buildSegment(
    documents,
    documents.map((document) => countTerms(document, fields)),
  ),
  vectors: tableOf(Float32Array.from([0.6, 0.8, 0, 0, 0, 0, 1, 0]), 4),
};
const view = { segment, base: 0, allowed: new Uint8Array(2).fill(1), open: true };
const at = (doc: number, score: number) => ({ view, doc, score });

const lengthOf = (values: Iterable<number>) => Math.sqrt([...values].reduce((sum, value) => sum + value ** 2, 0));
/** Compares within the precision of a vector table. */
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.003, `${a} and ${b}`);
const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6, `${a} and ${b}`);

describe('relevance feedback', () => {
  it('weights the query and the documents by their shares, which add up to 1', () => {
    for (const share of [0, 0.5, 0.6]) {
      const expanded = expandTerms(['magnesium', 'dose'], [at(0, 2), at(1, 1)], { model, size: 3, share });
      close(
        expanded.reduce((sum, { weight }) => sum + weight, 0),
        1,
      );
      assert.ok(expanded.every(({ weight }) => weight >= 0));
      close(expanded.find(({ term }) => term === 'dose')?.weight ?? 0, (1 - share) / 2);
    }
  });

  it('adds only the strongest terms known to the model, with more weight for better documents', () => {
    const of = (found: readonly ReturnType<typeof at>[], size = 10) =>
      new Map(
        expandTerms(['dose'], found, { model, size, share: 0.5 }).map(({ term, weight }) => [term, weight] as const),
      );
    assert.deepEqual([...of([at(0, 1)]).keys()].sort(), ['aura', 'dose', 'magnesium', 'migrain']);
    assert.deepEqual([...of([at(0, 1)], 1).keys()], ['dose', 'migrain']);
    const [more, less] = [of([at(0, 1), at(1, 3)]), of([at(0, 3), at(1, 1)])];
    assert.ok(more.get('knee')! > less.get('knee')!);
  });

  it('leaves the query unchanged when the documents have no known term', () => {
    const expanded = expandBy(['dose', 'zinc'], [{ score: 1, own: [] }], { size: 5, share: 0.4 });
    assert.deepEqual(
      expanded.map(({ term }) => term),
      ['dose', 'zinc'],
    );
    assert.equal(expanded[0]!.weight, expanded[1]!.weight);
  });

  it('weights the terms of a document as a unit vector', () => {
    const own = unitTerms([
      { term: 'magnesium', count: 4, idf: 1 },
      { term: 'aura', count: 1, idf: 3 },
    ]);
    close(lengthOf(own.map(({ weight }) => weight)), 1);
    assert.ok(own[1]!.weight > own[0]!.weight);
    assert.deepEqual(unitTerms([]), []);
  });

  it('moves the query vector towards the document vectors, and returns a unit vector', () => {
    const query = Float32Array.from([0, 0, 0, 1]);
    const moved = moveVector(query, [at(0, 1), at(1, 0.5)], { dimensions: 4, share: 0.6 });
    assert.ok(moved);
    close(lengthOf(moved), 1);
    assert.ok(moved[1]! > moved[0]! && moved[0]! > moved[2]! && moved[2]! > 0 && moved[3]! > 0);
    const unmoved = moveVector(query, [at(0, 1)], { dimensions: 4, share: 0 });
    assert.deepEqual(unmoved, query);
  });

  it('uses the documents alone when the query has no vector, and the query alone when they have none', () => {
    const alone = moveVector(null, [at(0, 2)], { dimensions: 4, share: 0.6 });
    assert.ok(alone);
    close(lengthOf(alone), 1);
    near(alone[0]!, 0.6);
    const query = Float32Array.from([1, 0, 0, 0]);
    const options = { dimensions: 4, share: 0.6 };
    assert.equal(moveTowards(query, [], options), query);
    assert.equal(moveTowards(query, [{ score: 1, vector: new Float32Array(4) }], options), query);
    assert.equal(moveTowards(null, [], options), null);
  });
});
