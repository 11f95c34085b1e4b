/**
 * Compares this index, MiniSearch, Orama and Lucene on the same documents and queries in one run: quality, build, latency,
 * memory.
 * Usage: LUCENE_JARS=<folder> node --expose-gc bench/search/peers.ts [made-up documents, default 14000; 0: none] [data folder]
 * Without a JDK or LUCENE_JARS the Lucene rows are left out, and the output says so.
 */
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { SearchDocument } from '#core/search/port.ts';
import { DATA, type Dataset, readAll } from './datasets.ts';
import { ENGINES, type Engine } from './engines.ts';
import { luceneMissing, runLucene } from './lucene/lucene.ts';
import { askedOf, madeUpFrom } from './made-up.ts';
import { measure } from './measures.ts';
import { DEPTH, percentile, row, timesOf } from './rankings.ts';

const PAGE = 20;
/** Number of queries that are timed. */
const TIMED = 500;
const MEGABYTE = 2 ** 20;

/** A set of documents, with its query sets. */
interface Corpus {
  readonly documents: readonly SearchDocument[];
  readonly sets: readonly Dataset[];
}

type Row = Record<string, string>;
const NO_MEASURES: Row = { 'nDCG@10': '', 'Recall@100': '', MAP: '' };

/** Returns the bytes of heap and arrays in use after a garbage collection. */
async function held(): Promise<number> {
  await setTimeout(50);
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function runEngine(engine: Engine, { documents, sets }: Corpus): Promise<Row[]> {
  const before = await held();
  const since = performance.now();
  const opened = await engine.open(documents);
  const seconds = (performance.now() - since) / 1000;
  const megabytes = ((await held()) - before) / MEGABYTE;
  const rows: Row[] = [];
  for (const { queries, judgements } of sets) {
    const measures = [];
    for (const { id, text } of queries) {
      const judged = judgements.get(id);
      if (judged) measures.push(measure(await opened.search(text, DEPTH), judged));
    }
    const texts = queries.slice(0, TIMED).map(({ text }) => text);
    const times = await timesOf(texts, (text) => opened.search(text, PAGE));
    rows.push({
      ...(measures.length ? row(measures) : NO_MEASURES),
      'build s': `${seconds.toFixed(1)}${opened.behind ? ` (${opened.behind.toFixed(1)} behind)` : ''}`,
      'p50 / p99 ms': `${percentile(times, 0.5).toFixed(2)} / ${percentile(times, 0.99).toFixed(2)}`,
      MB: megabytes.toFixed(0),
    });
  }
  await opened.close();
  return rows;
}

/** Runs Lucene. Its memory is the JVM's heap and the index files, which it reads through the system's page cache. */
function luceneRows({ documents, sets }: Corpus): Row[] {
  return sets.map(({ queries, judgements }) => {
    const run = runLucene({ documents, queries, depth: DEPTH, timed: TIMED });
    const judged = queries.filter(({ id }) => judgements.has(id));
    const measures = judged.map(({ id }) => measure(run.hits.get(id) ?? [], judgements.get(id)!));
    return {
      ...(measures.length ? row(measures) : NO_MEASURES),
      'build s': run.build.toFixed(1),
      'p50 / p99 ms': `${run.p50.toFixed(2)} / ${run.p99.toFixed(2)}`,
      MB: `${(run.heap / MEGABYTE).toFixed(0)} + ${(run.disk / MEGABYTE).toFixed(0)} on disk`,
    };
  });
}

/** Groups data sets with the same documents, so that they share one index. */
function corporaOf(datasets: readonly Dataset[]): Corpus[] {
  const corpora = new Map<string, Dataset[]>();
  for (const dataset of datasets) {
    const key = dataset.documents.map(({ id }) => id).join();
    corpora.set(key, [...(corpora.get(key) ?? []), dataset]);
  }
  return [...corpora.values()].map((sets) => ({ documents: sets[0]!.documents, sets }));
}

function madeUpCorpus(datasets: readonly Dataset[], size: number): Corpus[] {
  const madeUp = madeUpFrom(datasets);
  if (!madeUp || size === 0) return [];
  const documents = Array.from({ length: size }, (_, i) => madeUp(i));
  const queries = askedOf(datasets, 150).map(({ text }, i) => ({ id: `q${i}`, text }));
  return [
    { documents, sets: [{ name: 'made-up documents, real queries', documents, queries, judgements: new Map() }] },
  ];
}

async function compare(corpus: Corpus, withLucene: boolean): Promise<void> {
  const byEngine = new Map<string, Row[]>();
  for (const engine of ENGINES) byEngine.set(engine.name, await runEngine(engine, corpus));
  if (withLucene) byEngine.set('Lucene, BM25', luceneRows(corpus));
  corpus.sets.forEach(({ name, queries }, at) => {
    console.log(`\n${name}: ${corpus.documents.length} documents, ${queries.length} queries`);
    console.table(Object.fromEntries([...byEngine].map(([engine, rows]) => [engine, rows[at]])));
  });
}

const datasets = await readAll(process.argv[3] ?? DATA);
if (datasets.length === 0) console.log(`No retrieval data in ${process.argv[3] ?? DATA}.`);
const missing = luceneMissing();
if (missing) console.log(`Lucene is left out: ${missing}.`);
const corpora = [...corporaOf(datasets), ...madeUpCorpus(datasets, Number(process.argv[2] ?? 14_000))];
for (const corpus of corpora) await compare(corpus, missing === null);
console.log(`\nload average at the end: ${loadavg()[0]!.toFixed(1)}`);
