/** Measures the configured cross-encoder on the first fifty hits, compared with the local reranker. */
import type { CrossEncoder } from '#core/models/port.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { crossEncoderReranker, PATIENCE_MS } from '#plugins/evidence/rerank/cross-encoder-reranker.ts';
import { localReranker } from '#plugins/evidence/rerank/local-reranker.ts';
import type { Reranker } from '#plugins/evidence/rerank/reranker.ts';
import { type Dataset, QUERY_PERMISSION } from './datasets.ts';
import { type Measures, measure } from './measures.ts';
import { percentile, rankingsOf, row } from './rankings.ts';
import { candidatesOf } from './rerank-lists.ts';

/** Time limit longer than any in the service, because the benchmark measures the order and the actual duration. */
const PATIENCE_HERE_MS = 600_000;

/** Returns rows for console.table. Every query is reranked; the service reranks only some kinds of queries. */
export async function rerankedRows(
  index: SearchIndex,
  dataset: Dataset,
  crossEncoder: CrossEncoder,
): Promise<Record<string, Record<string, string | number>>> {
  const local = localReranker((text) => index.scorer(text));
  const model = crossEncoderReranker(crossEncoder, local, PATIENCE_HERE_MS);
  return {
    'whole, then reranked locally': await rerankedRow(index, dataset, local),
    [`whole, then reranked by ${crossEncoder.name}`]: await rerankedRow(index, dataset, model),
  };
}

async function rerankedRow(index: SearchIndex, dataset: Dataset, reranker: Reranker) {
  const documents = new Map(dataset.documents.map((document) => [document.id, document]));
  const measured: Measures[] = [];
  const times: number[] = [];
  let fallbacks = 0;
  for (const { id, text } of dataset.queries) {
    const { whole } = await rankingsOf(index, text);
    const candidates = await candidatesOf(index, documents, text);
    const since = performance.now();
    const { scores, fallback } = await reranker.rerank(text, candidates, { permission: QUERY_PERMISSION });
    times.push(performance.now() - since);
    if (fallback !== null) fallbacks += 1;
    const order = candidates.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b);
    const head = order.map((at) => candidates[at]!.id);
    measured.push(measure([...head, ...whole.slice(head.length)], dataset.judgements.get(id)!));
  }
  return {
    ...row(measured),
    'p50 / p99, ms': [0.5, 0.99].map((share) => percentile(times, share).toFixed(1)).join(' / '),
    'failed, or too late for a reader': `${fallbacks}, ${times.filter((ms) => ms > PATIENCE_MS).length}`,
  };
}
