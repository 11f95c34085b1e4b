/**
 * Measures the effect of the operator's models: the same search without and with EMBEDDING_MODEL, and the first fifty hits
 * reranked by RERANKER_MODEL. Settings are read as in the service, including a `.env` file.
 * Usage: EMBEDDING_MODEL=… npm run bench -- model [folder in the BEIR format] [--split dev]
 * Without a split: all splits in qrels/. Without a folder: the data sets beside the project.
 */
import { parseArgs } from 'node:util';
import { coreSettings, loadConfig } from '#core/config.ts';
import { OperatorError } from '#core/errors.ts';
import { createLog } from '#core/log.ts';
import { readModelSettings } from '#core/models/model-settings.ts';
import { type OpenModels, openModels } from '#core/models/open-models.ts';
import type { Embedder } from '#core/models/port.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { type Dataset, nothingIn, readChosen } from './datasets.ts';
import { countedEmbedder, type EmbedderCounts, vectorBytes } from './model-counts.ts';
import { rerankedRows } from './model-reranking.ts';
import { indexOf, measureAll, percentile, row } from './rankings.ts';

type Row = Record<string, string | number>;

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

const span = (times: readonly number[]): string =>
  [0.5, 0.99].map((share) => percentile(times, share).toFixed(1)).join(' / ');

/** Measures one run; `counts` are those of its embedder. The caller closes the index. */
async function measuredIndex(
  dataset: Dataset,
  { name, embedder, counts }: { name: string; embedder: Embedder | null; counts: EmbedderCounts | null },
): Promise<{ index: SearchIndex; rows: Record<string, Row> }> {
  const since = performance.now();
  const index = await indexOf(dataset.documents, embedder);
  const built = performance.now() - since;
  const inModel = counts?.passageMs ?? 0;
  const { measured, times } = await measureAll(index, dataset);
  const cost = {
    'build, s': seconds(built),
    'of it the model, s': seconds(inModel),
    'search p50 / p99, ms': span(times),
    'vectors, bytes a source': vectorBytes(embedder?.dimensions ?? 0),
  };
  const rows = {
    [`whole, ${name}`]: { ...row(measured.get('whole')!), ...cost },
    [`semantic leg, ${name}`]: row(measured.get('semantic')!),
  };
  return { index, rows };
}

async function evaluate(dataset: Dataset, { embedder, crossEncoder }: OpenModels): Promise<void> {
  const { name, documents, queries } = dataset;
  console.log(`\n${name}: ${documents.length} documents, ${queries.length} queries`);
  const without = await measuredIndex(dataset, { name: 'without a model', embedder: null, counts: null });
  const counted = embedder && countedEmbedder(embedder);
  const beside = counted && (await measuredIndex(dataset, { name: `with ${embedder.name}`, ...counted }));
  console.table({ ...without.rows, ...beside?.rows });
  if (counted) console.log(wordsOf(counted.counts));
  // The reranker runs after the search with the sentence model if there is one, as in the service.
  const { index } = beside ?? without;
  if (crossEncoder) console.table(await rerankedRows(index, dataset, crossEncoder));
  for (const opened of [without, beside]) await opened?.index.close();
}

const wordsOf = ({ queries, failed, late, queryMs }: EmbedderCounts): string =>
  `Of ${queries} queries the model failed ${failed}, and answered ${late} too late for a reader; ` +
  `a query's vector takes ${span(queryMs)} ms (p50 / p99).`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { split: { type: 'string' } } });
  const [folder] = positionals;
  const config = loadConfig(coreSettings);
  const { embedder, crossEncoder } = readModelSettings(config);
  if (!embedder && !crossEncoder) {
    console.log(
      'No model is configured: set EMBEDDING_MODEL or RERANKER_MODEL, as content/docs/settings.md describes.',
    );
    return 2;
  }
  const datasets = await readChosen(folder, values.split);
  if (datasets.length === 0) {
    console.log(nothingIn(folder));
    return 2;
  }
  const models = await openModels(config, createLog('warn'));
  try {
    for (const dataset of datasets) await evaluate(dataset, models);
  } finally {
    await models.close();
  }
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.log(error.message);
  process.exitCode = 2;
}
