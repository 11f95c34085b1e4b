import assert from 'node:assert/strict';
import { openInProcessIndex } from '#core/search/in-process.ts';
import type { SearchAnswer, SearchHit, SearchIndex, SearchQuery } from '#core/search/port.ts';
import { QdrantConnection } from '#core/search/qdrant/connection.ts';
import { openQdrantIndex } from '#core/search/qdrant/qdrant-index.ts';
import { QdrantStandIn } from '../../support/qdrant-stand-in.ts';
import { madeEmbedder } from './made-embedder.ts';
import { syntheticDocuments } from './synthetic.ts';

const fields = { title: 3, abstract: 1 };
const documents = syntheticDocuments(400);
const QUERIES: readonly SearchQuery[] = [
  { text: 'triptan', limit: 300 },
  { text: 'turmeric for the knee', limit: 50, facets: ['subject', 'year'] },
  { text: 'iron fatigue dose in a measured group of adults', limit: 20, offset: 30, facets: ['year'] },
  { text: 'gut microbiota', limit: 30, where: [{ field: 'year', from: 2000, to: 2010 }], facets: ['subject', 'year'] },
  { text: 'placebo', limit: 30, where: [{ field: 'subject', notIn: ['magnesium'] }] },
  { text: 'stool', limit: 10, where: [{ field: 'subject', in: ['iron'] }], facets: ['subject'] },
  { text: 'zeppelin', limit: 10, facets: ['subject'] },
  { text: 'lactobacilli', limit: 40, facets: ['subject'] },
  { text: 'osteoartritis', limit: 40, where: [{ field: 'year', to: 2009 }] },
  { text: 'transferr', limit: 25, offset: 5 },
  { text: 'probiotics against antibiotic diarrhoea in adults: outcome after weeks of a random trial', limit: 100 },
];

/** The tolerance for scores: the in-process index stores a byte per number, and Qdrant a float. */
const VECTORS_DIFFER = 0.01;

const isNear = (a: number, b: number, within = VECTORS_DIFFER): boolean => Math.abs(a - b) < within;

const legOf = ({ legs }: SearchHit, leg: string) => legs.find((each) => each.leg === leg);

/** Asserts that both indexes return the same hits: equal in their words, and within the vector tolerance otherwise. */
const alike = (here: readonly SearchHit[], there: readonly SearchHit[]): void => {
  assert.equal(there.length, here.length);
  const others = new Map(there.map((hit) => [hit.id, hit]));
  for (const [i, hit] of here.entries()) {
    assert.ok(isNear(hit.score, there[i]!.score), `place ${i}: ${hit.score} and ${there[i]!.score}`);
    const other = others.get(hit.id);
    // A hit may be missing here because the other index ranks it on the previous or next page.
    if (!other) {
      const ends = [here[0]!, here.at(-1)!];
      assert.ok(
        ends.some(({ score }) => isNear(hit.score, score)),
        hit.id,
      );
      continue;
    }
    assert.deepEqual(other.matched, hit.matched);
    assert.equal(legOf(other, 'bm25')?.rank, legOf(hit, 'bm25')?.rank);
    for (const { leg, score } of hit.legs) {
      const same = legOf(other, leg);
      const within = leg === 'bm25' || leg === 'ngram' ? 1e-4 : 100 * VECTORS_DIFFER;
      if (same) assert.ok(isNear(same.score, score, within), `${hit.id}, ${leg}: ${score} and ${same.score}`);
    }
    assert.equal(other.reasons.includes('bm25'), hit.reasons.includes('bm25'));
  }
};

const close = (a: number, b: number): void => assert.ok(isNear(a, b, 1e-4), `${a} and ${b}`);

for (const [words, embedder] of [
  ['', null],
  [', both with a sentence model', madeEmbedder()],
] as const) {
  describe(`Qdrant index (stand-in) compared with the in-process index${words}`, () => {
    const server = new QdrantStandIn();
    const address = process.env.QDRANT_URL;
    let here: SearchIndex;
    let there: SearchIndex;

    before(async () => {
      await server.start();
      here = await openInProcessIndex({ folder: null, fields, embedder });
      const connection = new QdrantConnection({ url: address ?? server.url, apiKey: process.env.QDRANT_API_KEY ?? '' });
      there = await openQdrantIndex({ connection, name: 'equality-test', fields, embedder });
      await there.clear();
      for (const index of [here, there]) {
        await index.apply({ upsert: documents.slice(0, 250), revision: 1 });
        await index.apply({ upsert: documents.slice(200), remove: ['doc-00003', 'doc-00008'], revision: 2 });
        await index.persist();
      }
    });

    after(async () => {
      await there.clear();
      for (const index of [here, there]) await index.close();
      await server.stop();
    });

    const both = async <T>(ask: (index: SearchIndex) => Promise<T>): Promise<[T, T]> => [
      await ask(here),
      await ask(there),
    ];

    it('has the same state and trains the same model', () => {
      const [a, b] = [here.state(), there.state()];
      assert.deepEqual([b.documents, b.revision, b.semantic], [a.documents, a.revision, a.semantic]);
      assert.equal(b.version.split('.m')[1], a.version.split('.m')[1]);
    });

    for (const query of QUERIES) {
      it(`returns the same hits for "${query.text}"`, async () => {
        const [a, b]: SearchAnswer[] = await both((index) => index.search(query));
        assert.ok(a && b);
        alike(a.hits, b.hits);
        // Documents without a word of the query are included by their cosine.
        assert.ok(Math.abs(b.total - a.total) <= 1, `${a.total} and ${b.total}`);
        assert.deepEqual(b.facets, a.facets);
        close(b.coverage ?? -1, a.coverage ?? -1);
      });
    }

    if (embedder)
      it('finds by the sentence model a word that is in no document', async () => {
        const [a, b] = await both((index) => index.search({ text: 'sumatriptan', limit: 5 }));
        alike(a.hits, b.hits);
        assert.ok(a.hits.length > 0 && a.hits.every(({ id }) => Number(id.slice(4)) % 4 === 0));
      });

    it('finds misspelled and truncated words in the same documents', async () => {
      for (const text of ['lactobacilli', 'osteoartritis', 'transferr']) {
        const [a, b] = await both((index) => index.search({ text, limit: 10 }));
        assert.ok(a.hits.length > 0 && a.hits[0]!.matched.length === 0, text);
        alike(a.hits, b.hits);
      }
    });

    it('has the same words with the same document counts', () => {
      const sorted = (index: SearchIndex) => [...index.words()].sort(([a], [b]) => (a < b ? -1 : 1));
      assert.deepEqual(sorted(there), sorted(here));
      for (const word of ['Migraines', 'placebo', 'zeppelin'])
        assert.equal(there.frequency(word), here.frequency(word));
    });

    it('finds the same similar documents', async () => {
      for (const id of ['doc-00000', 'doc-00005', 'doc-00399']) {
        const [a, b] = await both((index) => index.similar(id, { limit: 8, where: [{ field: 'year', to: 2015 }] }));
        alike(a, b);
      }
    });

    it('scores passages identically', () => {
      for (const text of ['magnesium for migraine attacks', 'knee cartilage', 'zeppelin']) {
        const [a, b] = [here.scorer(text), there.scorer(text)];
        assert.deepEqual(b.terms, a.terms);
        for (const passage of ['Magnesium prevents attacks of migraine.', 'The knee.', '']) {
          assert.deepEqual(b.score(passage), a.score(passage));
        }
      }
    });
  });
}
