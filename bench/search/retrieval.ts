/**
 * Measures how well the in-process index finds the documents judged relevant: each retriever alone, and the combined ranking.
 * Usage: npm run bench:retrieval -- [folder in the BEIR format] [--split dev]
 * Without a split: all splits in qrels/. Without a folder: the data sets beside the project.
 */
import { parseArgs } from 'node:util';
import { type Dataset, nothingIn, readChosen } from './datasets.ts';
import { indexOf, measureAll, percentile, row } from './rankings.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: 'string' } },
});

async function evaluate(dataset: Dataset): Promise<void> {
  const { name, documents, queries } = dataset;
  const index = await indexOf(documents);
  const { measured, times } = await measureAll(index, dataset);
  await index.close();
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)].map((ms) => ms.toFixed(1));
  console.log(`\n${name}: ${documents.length} documents, ${queries.length} queries, p50 ${p50} ms, p99 ${p99} ms each`);
  console.table(Object.fromEntries([...measured].map(([ranking, measures]) => [ranking, row(measures)])));
}

const [folder] = positionals;
const datasets = await readChosen(folder, values.split);
for (const dataset of datasets) await evaluate(dataset);
if (datasets.length === 0) console.log(nothingIn(folder));
