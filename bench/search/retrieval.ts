/**
 * How well the in-process index finds what was judged relevant, each leg apart and both fused.
 * Usage: node bench/search/retrieval.ts [data folder, default ../shared/data]
 */
import { join } from 'node:path';
import { openInProcessIndex } from '#core/search/in-process.ts';
import type { SearchHit } from '#core/search/port.ts';
import { type Dataset, readBeir, readJats, readPubMedQa } from './datasets.ts';
import { type Measures, mean, measure } from './measures.ts';

const data = process.argv[2] ?? join(import.meta.dirname, '../../../shared/data');
const DEPTH = 1000;

/** The hits of one leg in that leg's own order. */
function ofLeg(hits: readonly SearchHit[], leg: string): string[] {
  const ranked = hits.flatMap((hit) => {
    const found = hit.legs.find((each) => each.leg === leg);
    return found ? [{ id: hit.id, rank: found.rank }] : [];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ id }) => id);
}

async function evaluate(dataset: Dataset): Promise<void> {
  const index = await openInProcessIndex({ folder: null, fields: { title: 3, terms: 2, abstract: 1 } });
  await index.apply({ upsert: dataset.documents, revision: 1 });
  await index.settled();
  const legs: Record<string, Measures[]> = { bm25: [], semantic: [], fused: [] };
  const startedAt = performance.now();
  for (const { id, text } of dataset.queries) {
    const judged = dataset.judgements.get(id)!;
    // Both legs in full: the page must be long enough for all candidates of either.
    const { hits } = await index.search({ text, limit: DEPTH + 200 });
    legs.bm25!.push(measure(ofLeg(hits, 'bm25').slice(0, DEPTH), judged));
    legs.semantic!.push(measure(ofLeg(hits, 'semantic').slice(0, DEPTH), judged));
    legs.fused!.push(
      measure(
        hits.slice(0, DEPTH).map((hit) => hit.id),
        judged,
      ),
    );
  }
  const perQuery = (performance.now() - startedAt) / dataset.queries.length;
  const { documents, queries } = dataset;
  console.log(
    `\n${dataset.name}: ${documents.length} documents, ${queries.length} queries, ${perQuery.toFixed(1)} ms each`,
  );
  const rows = Object.entries(legs).map(([leg, measures]) => {
    const { ndcg10, recall100, map } = mean(measures);
    return [leg, { 'nDCG@10': ndcg10.toFixed(4), 'Recall@100': recall100.toFixed(4), MAP: map.toFixed(4) }];
  });
  console.table(Object.fromEntries(rows));
  await index.close();
}

const datasets = [
  readBeir(join(data, 'nfcorpus'), 'dev'),
  readBeir(join(data, 'nfcorpus'), 'train'),
  readPubMedQa(join(data, 'pubmedqa/pqal-dev.json')),
  await readJats(join(data, 'jats')),
].filter((dataset) => dataset !== null);

if (datasets.length === 0) console.log(`No retrieval data in ${data}; give its folder as the argument.`);
for (const dataset of datasets) await evaluate(dataset);
