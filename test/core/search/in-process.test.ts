import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessIndex, openInProcessIndex } from '#core/search/in-process.ts';
import type { SearchDocument } from '#core/search/port.ts';
import { describeSearchIndex, evidence } from './index-contract.ts';
import { madeEmbedder } from './made-embedder.ts';
import { syntheticDocuments } from './synthetic.ts';

const fields = { title: 3, terms: 2, abstract: 1 };

describeSearchIndex('in this process', () => openInProcessIndex({ folder: null, fields }));
describeSearchIndex('in this process with a sentence model', () =>
  openInProcessIndex({ folder: null, fields, embedder: madeEmbedder() }),
);

describe('in-process index', () => {
  const folders: string[] = [];
  const opened: InProcessIndex[] = [];

  const open = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'search-index-'));
    folders.push(folder);
    const index = await openInProcessIndex({ folder, fields });
    opened.push(index);
    return index;
  };

  const filled = async (batches: readonly (readonly SearchDocument[])[]) => {
    const index = await open();
    for (const upsert of batches) await index.apply({ upsert, revision: 1 });
    await index.persist();
    return index;
  };

  afterEach(async () => {
    for (const index of opened.splice(0)) await index.close();
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  it('searches by words alone below 200 documents', async () => {
    const index = await filled([syntheticDocuments(199)]);
    assert.equal(index.state().semantic, 'none');
    const answer = await index.search({ text: 'migraine', limit: 200 });
    assert.ok(answer.hits.every((hit) => hit.reasons.join() === 'bm25'));
  });

  it('finds documents on the subject without the word after training', async () => {
    const index = await filled([syntheticDocuments(400)]);
    assert.equal(index.state().semantic, 'ready');
    const answer = await index.search({ text: 'triptan', limit: 300 });
    const further = answer.hits.filter((hit) => hit.reasons.join() === 'semantic');
    assert.ok(further.length > 0);
    const ids = new Set(further.map((hit) => Number(hit.id.slice(4)) % 4));
    assert.deepEqual([...ids], [0], 'all of them are about the first subject');
    assert.ok(answer.hits[0]?.reasons.includes('rrf_primary') || answer.hits[0]?.reasons.includes('bm25'));
  });

  it('has the same model and the same results whatever the order and the batches of the documents', async () => {
    const documents = syntheticDocuments(700);
    const shuffled = documents.map((_, i) => documents[(i * 333) % 700]!);
    const inBatches = Array.from({ length: 10 }, (_, i) => shuffled.slice(70 * i, 70 * (i + 1)));
    const [one, other] = [await filled([documents]), await filled(inBatches)];
    assert.equal(one.state().version, other.state().version);
    for (const text of ['triptan', 'turmeric for the knee', 'iron fatigue dose']) {
      assert.deepEqual(await one.search({ text, limit: 50 }), await other.search({ text, limit: 50 }));
    }
  });

  it('retrains when the corpus has grown, and serves searches meanwhile', async () => {
    const index = await filled([syntheticDocuments(300)]);
    const before = index.state().version;
    await index.apply({ upsert: syntheticDocuments(400), revision: 1 });
    const answers = [await index.search({ text: 'triptan', limit: 5 })];
    await index.settled();
    answers.push(await index.search({ text: 'triptan', limit: 5 }));
    assert.ok(answers.every((answer) => answer.hits.length === 5));
    assert.notEqual(index.state().version, before);
  });

  it('does not block other work while it indexes and trains', async () => {
    const index = await open();
    // The test counts turns because other programs also use the processor, so time is unreliable.
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await index.apply({ upsert: syntheticDocuments(3000), revision: 1 });
    await index.settled();
    clearInterval(timer);
    assert.ok(turns > 20, `${turns} turns`);
  });

  it('handles concurrent changes, searches and a clear', async () => {
    const index = await open();
    const documents = syntheticDocuments(600);
    const work: Promise<unknown>[] = [];
    for (let i = 0; i < 6; i++) {
      work.push(index.apply({ upsert: documents.slice(100 * i, 100 * (i + 1)), revision: i + 1 }));
      work.push(index.search({ text: 'knee', limit: 3 }), index.persist());
    }
    work.push(index.clear(), index.apply({ upsert: documents.slice(0, 5), revision: 9 }));
    await Promise.all(work);
    assert.equal(index.state().documents, 5);
    assert.equal(index.state().revision, 9);
  });

  it('reports the share of a query that its hits cover, which is low for an off-topic question', async () => {
    const index = await filled([syntheticDocuments(300)]);
    const own = await index.search({ text: 'does magnesium prevent migraine attacks', limit: 5 });
    const foreign = await index.search({ text: 'measured mortgage interest of railway carriages', limit: 5 });
    assert.ok((own.coverage ?? 0) > 0.4, String(own.coverage));
    assert.ok((foreign.coverage ?? 1) < 0.3, String(foreign.coverage));
  });

  it('finds the right document among many for a misspelled, a truncated and a lengthened word', async () => {
    const plants = [
      evidence('quercetin', 'Quercetin and blood pressure', 'Quercetin was given to adults with hypertension.'),
      evidence('apigenin', 'Apigenin from chamomile', 'A flavone, apigenin, was given before sleep.'),
      evidence('cannabinoids', 'Cannabinoids for nausea', 'Cannabinoids were held against placebo.'),
    ];
    const index = await filled([[...syntheticDocuments(300), ...plants]]);
    const first = async (text: string) => (await index.search({ text, limit: 1 })).hits[0];
    for (const [text, id] of [
      ['quercitin', 'quercetin'],
      ['apigen', 'apigenin'],
      ['endocannabinoids', 'cannabinoids'],
    ] as const) {
      const hit = await first(text);
      assert.equal(hit?.id, id);
      assert.ok(hit.legs.some(({ leg, rank }) => leg === 'ngram' && rank === 1));
      assert.deepEqual(hit.matched, [], 'no word of the query is shown as found');
    }
  });

  it('falls back to its own model while the sentence model fails, and does not wait for one that hangs', async () => {
    const embedder = madeEmbedder();
    const index = await openInProcessIndex({ folder: null, fields, embedder });
    opened.push(index);
    const empty = { id: 'empty', text: {}, filters: {} };
    await index.apply({ upsert: [...syntheticDocuments(300), empty], revision: 1 });
    await index.settled();
    assert.equal(embedder.asked.length, 300, 'nothing is asked for a document without text');
    for (const fault of ['fails', 'hangs'] as const) {
      embedder.fault = fault;
      const since = performance.now();
      const { hits } = await index.search({ text: 'triptan', limit: 300 });
      assert.ok(performance.now() - since < 60_000, fault);
      assert.ok(
        hits.some(({ reasons }) => reasons.join() === 'semantic'),
        fault,
      );
      assert.ok(hits.every(({ id }) => id !== 'empty'));
    }
  });

  it('rejects changes after it is closed', async () => {
    const index = await open();
    await index.close();
    await assert.rejects(index.apply({ revision: 1 }), /closed/);
  });

  it('pages through all hits for a word, beyond the documents that are fully ranked', async () => {
    const index = await openInProcessIndex({ folder: null, fields: { title: 3, abstract: 1 } });
    const size = 5_000;
    const upsert = Array.from({ length: size }, (_, i) => ({
      id: `deep-${i}`,
      text: { title: `Zinc trial ${i}`, abstract: 'word '.repeat(i % 50) },
      filters: {},
    }));
    await index.apply({ upsert, revision: 1 });
    const seen = new Set<string>();
    for (let offset = 0; offset < size; offset += 1_000) {
      const { hits, total } = await index.search({ text: 'zinc', limit: 1_000, offset });
      assert.deepEqual([hits.length, total], [1_000, size]);
      for (const { id } of hits) seen.add(id);
    }
    assert.equal(seen.size, size);
    await index.close();
  });
});
