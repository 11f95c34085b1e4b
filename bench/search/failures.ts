/**
 * Lists failing queries by class: three queries each with the expected results, the actual results, and the rank in each
 * retriever.
 * Usage: node bench/search/failures.ts [data folder] [examples of each class, default 3]
 * NFCorpus is for academic use: only its ids and queries are shown. README.md explains why each class fails.
 */
import { join } from 'node:path';
import { analyse, analyseQuery } from '#core/search/analyser.ts';
import type { InProcessIndex } from '#core/search/in-process.ts';
import { DATA, type Dataset, readBeir, readJats, readPubMedQa } from './datasets.ts';
import { measure } from './measures.ts';
import { indexOf, LEGS, type Ranking, rankingsOf } from './rankings.ts';

const data = process.argv[2] ?? DATA;
const each = Number(process.argv[3] ?? 3);

interface Result {
  readonly id: string;
  readonly text: string;
  readonly words: number;
  /** Number of documents that contain each term of the query. */
  readonly frequencies: readonly number[];
  readonly judged: ReadonlyMap<string, number>;
  readonly rankings: Record<Ranking, string[]>;
  readonly ndcg: Record<Ranking, number>;
}

/** A class of failures: the queries that belong to it, and the score by which the worst are selected (higher is worse). */
interface FailureClass {
  readonly name: string;
  readonly holds: (result: Result, documents: number) => boolean;
  readonly badness: (result: Result) => number;
}

const lost = ({ ndcg }: Result): number => 1 - ndcg.whole;
const isLow = ({ ndcg }: Result): boolean => ndcg.whole < 0.2;

const BY_SUBJECT: readonly FailureClass[] = [
  {
    name: 'a name that no text has',
    holds: (result) => result.frequencies.length > 0 && Math.max(...result.frequencies) === 0,
    badness: lost,
  },
  {
    name: 'one name that no text has among other words',
    holds: (result) =>
      isLow(result) && result.words > 1 && Math.min(...result.frequencies) === 0 && Math.max(...result.frequencies) > 0,
    badness: lost,
  },
  {
    name: 'a word that hundreds of texts hold',
    holds: (result, documents) =>
      isLow(result) && result.words <= 2 && Math.min(...result.frequencies) > 0.03 * documents,
    badness: (result) => result.judged.size,
  },
  {
    name: 'several subjects in one query',
    holds: (result) => isLow(result) && result.words >= 4 && /\band\b|\bor\b|\bvs\b|&|,/i.test(result.text),
    badness: lost,
  },
  {
    name: 'a title of eight words and more that names its subject by the way',
    holds: (result) => isLow(result) && result.words >= 8,
    badness: lost,
  },
  {
    name: 'what words find, feedback loses',
    holds: ({ ndcg }) => ndcg.bm25 > ndcg.whole,
    badness: ({ ndcg }) => ndcg.bm25 - ndcg.whole,
  },
  {
    name: 'negation',
    holds: (result) => isLow(result) && /\b(?:not|no|without|non|never|avoid\w*|free)\b/i.test(result.text),
    badness: lost,
  },
];

const rankOf = (result: Result, ranking: Ranking): number =>
  result.rankings[ranking].indexOf(result.id) + 1 || Number.POSITIVE_INFINITY;
const isMissed = (result: Result): boolean => rankOf(result, 'whole') > 1;

const KNOWN_ITEMS: readonly FailureClass[] = [
  {
    name: 'another text of the same study or subject comes first',
    holds: isMissed,
    badness: (result) => Math.min(1000, rankOf(result, 'whole')),
  },
  { name: 'numbers and doses', holds: (result) => isMissed(result) && /\d/.test(result.text), badness: lost },
  {
    name: 'negation',
    holds: (result) => isMissed(result) && /\b(?:not|no|without|non)\b/i.test(result.text),
    badness: lost,
  },
  {
    name: 'what words find, the other legs lose',
    holds: (result) => rankOf(result, 'whole') > rankOf(result, 'bm25'),
    badness: (result) => rankOf(result, 'whole') - rankOf(result, 'bm25'),
  },
];

async function resultsOf(index: InProcessIndex, { queries, judgements }: Dataset): Promise<Result[]> {
  const results: Result[] = [];
  for (const { id, text } of queries) {
    const judged = judgements.get(id)!;
    const rankings = await rankingsOf(index, text);
    const scored = [...LEGS, 'whole' as const].map((ranking) => [ranking, measure(rankings[ranking], judged).ndcg10]);
    const frequencies = analyseQuery(text).words.map(({ written }) =>
      Math.max(0, ...analyse(written).map((term) => index.frequency(term))),
    );
    const words = text.split(/\s+/).length;
    results.push({
      id,
      text,
      words,
      frequencies,
      judged,
      rankings,
      ndcg: Object.fromEntries(scored) as Result['ndcg'],
    });
  }
  return results;
}

const place = (ranked: readonly string[], id: string): string => {
  const at = ranked.indexOf(id);
  return at < 0 ? 'none' : String(at + 1);
};

function show(result: Result): void {
  const wanted = [...result.judged].sort(([, a], [, b]) => b - a).slice(0, 3);
  const ranks = (id: string) =>
    [...LEGS, 'whole' as const].map((ranking) => `${ranking} ${place(result.rankings[ranking], id)}`).join(', ');
  console.log(
    `\n  ${result.id}: "${result.text}"  nDCG@10 whole ${result.ndcg.whole.toFixed(2)}, bm25 ${result.ndcg.bm25.toFixed(2)}`,
  );
  console.log(`    documents by word: ${result.frequencies.join(', ')}; ${result.judged.size} relevant`);
  for (const [id, grade] of wanted) console.log(`    should come: ${id} (grade ${grade}); ranks: ${ranks(id)}`);
  const came = result.rankings.whole.slice(0, 3).map((id) => `${id}${result.judged.has(id) ? ' (relevant)' : ''}`);
  console.log(`    comes: ${came.join(', ') || 'nothing'}`);
}

async function report(dataset: Dataset, classes: readonly FailureClass[]): Promise<void> {
  const index = await indexOf(dataset.documents);
  const results = await resultsOf(index, dataset);
  for (const { name, holds, badness } of classes) {
    const found = results
      .filter((result) => holds(result, dataset.documents.length))
      .sort((a, b) => badness(b) - badness(a));
    console.log(`\n## ${dataset.name}: ${name}: ${found.length} of ${results.length} queries`);
    for (const result of found.slice(0, each)) show(result);
  }
  await index.close();
}

const nfcorpus = ['dev', 'train'].map((split) => readBeir(join(data, 'nfcorpus'), split));
const known = [await readJats(join(data, 'jats')), readPubMedQa(join(data, 'pubmedqa/pqal-dev.json'))];
if ([...nfcorpus, ...known].every((dataset) => dataset === null)) console.log(`No retrieval data in ${data}.`);
for (const dataset of nfcorpus) if (dataset) await report(dataset, BY_SUBJECT);
for (const dataset of known) if (dataset) await report(dataset, KNOWN_ITEMS);
