/**
 * How well the in-process index finds what was judged relevant: each leg apart, and the ranking made of them.
 * Usage: npm run bench:retrieval -- [folder in the BEIR format] [--split dev]
 * Without a split: every one that qrels/ has. Without a folder: the sets of the data beside the project.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DATA, type Dataset, readAll, readBeir } from './datasets.ts';
import { type Measures, measure } from './measures.ts';
import { indexOf, percentile, RANKINGS, rankingsOf, row, timesOf } from './rankings.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: 'string' } },
});

async function evaluate({ name, documents, queries, judgements }: Dataset): Promise<void> {
  const index = await indexOf(documents);
  const measured = new Map(RANKINGS.map((ranking) => [ranking, [] as Measures[]]));
  for (const { id, text } of queries) {
    const rankings = await rankingsOf(index, text);
    for (const ranking of RANKINGS) measured.get(ranking)!.push(measure(rankings[ranking], judgements.get(id)!));
  }
  const texts = queries.slice(0, 500).map(({ text }) => text);
  const times = await timesOf(texts, (text) => index.search({ text, limit: 20 }));
  await index.close();
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)].map((ms) => ms.toFixed(1));
  console.log(`\n${name}: ${documents.length} documents, ${queries.length} queries, p50 ${p50} ms, p99 ${p99} ms each`);
  console.table(Object.fromEntries([...measured].map(([ranking, measures]) => [ranking, row(measures)])));
}

function splitsOf(folder: string): string[] {
  if (values.split !== undefined) return [values.split];
  const qrels = join(folder, 'qrels');
  if (!existsSync(qrels)) return [];
  const files = readdirSync(qrels).filter((name) => name.endsWith('.tsv'));
  return files.sort().map((name) => name.slice(0, -'.tsv'.length));
}

const [folder] = positionals;
const datasets = folder === undefined ? await readAll(DATA) : splitsOf(folder).map((split) => readBeir(folder, split));
let measured = 0;
for (const dataset of datasets) {
  if (!dataset) continue;
  await evaluate(dataset);
  measured += 1;
}
if (measured === 0) {
  console.log(
    `Nothing to measure with in ${folder ?? DATA}: corpus.jsonl, queries.jsonl or queries.<split>.jsonl, and qrels/<split>.tsv are needed.`,
  );
}
