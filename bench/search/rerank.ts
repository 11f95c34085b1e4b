/**
 * Measures the effect of the local reranker on the first stage, and the quality of typo correction.
 * Usage: node bench/search/rerank.ts [data folder, default ../shared/data]
 * The items are the half that the weights were not trained on; NFCorpus is used for evaluation only.
 */
import { join } from 'node:path';
import { analyse } from '#core/search/analyser.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { readQuery } from '#plugins/evidence/query/corrector.ts';
import { buildNearWords } from '#plugins/evidence/query/near-words.ts';
import { countWords } from '#plugins/evidence/query/query-words.ts';
import { LONG_QUERY, SHORT_QUERY } from '#plugins/evidence/query/triggers.ts';
import { FEATURES } from '#plugins/evidence/rerank/features.ts';
import { scoreLocally } from '#plugins/evidence/rerank/local-reranker.ts';
import { WEIGHTS } from '#plugins/evidence/rerank/weights.ts';
import { type Dataset, readBeir } from './datasets.ts';
import { random } from './random.ts';
import { type Item, misspell, queriesOf, readJatsItems, readPubMedQaItems } from './rerank-data.ts';
import { candidatesOf, datasetLists, type List, madeLists, openWith, type Reader } from './rerank-lists.ts';
import { isHeldOut, rerankTable } from './rerank-table.ts';

const data = process.argv[2] ?? join(import.meta.dirname, '../../../shared/data');
const weights = FEATURES.map((name) => WEIGHTS[name]);

const lengthOf = ({ text }: { text: string }): string => {
  const words = countWords(text);
  return words >= LONG_QUERY ? 'long' : words <= SHORT_QUERY ? 'short' : 'medium';
};

/** Corrects typos before the search, as the service does; without names, because the texts have no vocabulary. */
const corrected: Reader = async (index) => {
  const near = await buildNearWords(index.words());
  const knowledge = {
    frequency: (word: string) => index.frequency(word),
    isName: () => false,
    isSubstance: () => false,
    near,
  };
  return (text, form) => (form === 'misspelt' ? (readQuery(text, knowledge).corrected?.query ?? text) : text);
};

const show = (title: string, lists: readonly List[], groupOf: (list: List) => string): void => {
  console.log(`\n${title}: nDCG@10 / MRR`);
  console.table(rerankTable(lists, weights, groupOf));
};

/** Tabulates the correction of words that occur in at least five documents, each with one typing error. */
const correctionTable = async (index: SearchIndex): Promise<void> => {
  const startedAt = performance.now();
  const near = await buildNearWords(index.words());
  const building = performance.now() - startedAt;
  const words = [...index.words()].filter(([word, n]) => n >= 5 && /^[a-z]{5,}$/.test(word)).map(([word]) => word);
  const next = random('slips');
  const knowledge = {
    frequency: (word: string) => index.frequency(word),
    isName: () => false,
    isSubstance: () => false,
    near,
  };
  const counts = { right: 0, another: 0, left: 0 };
  const times: number[] = [];
  for (let at = 0; at < 4_000; at += 1) {
    const word = words[next(words.length)]!;
    const typed = misspell(word, next);
    if (index.frequency(typed) > 0) continue;
    const since = performance.now();
    const to = readQuery(typed, knowledge).corrected?.query;
    times.push(performance.now() - since);
    if (!to) counts.left += 1;
    else if (analyse(to)[0] === analyse(word)[0]) counts.right += 1;
    else counts.another += 1;
  }
  console.log(`\nTypos: ${near.size} words filed in ${building.toFixed(0)} ms; ${times.length} words with one slip`);
  const share = (count: number): string => `${((100 * count) / times.length).toFixed(1)} %`;
  console.table({
    'set right': share(counts.right),
    'made another word': share(counts.another),
    'left as typed': share(counts.left),
    'p50 / p99, ms': percentiles(times),
  });
};

const percentiles = (times: number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  return [0.5, 0.99].map((part) => sorted[Math.floor(sorted.length * part)]!.toFixed(2)).join(' / ');
};

const speed = async (items: readonly Item[], index: SearchIndex): Promise<void> => {
  const documents = new Map(
    items.map(({ id, title, abstract }) => [id, { id, text: { title, abstract }, filters: {} }]),
  );
  const times: number[] = [];
  for (const { text } of items.slice(0, 300).flatMap((item) => queriesOf(item).slice(0, 1))) {
    const candidates = await candidatesOf(index, documents, text);
    if (candidates.length < 50) continue;
    const since = performance.now();
    scoreLocally(text, index.scorer(text), candidates);
    times.push(performance.now() - since);
  }
  console.log(`\nReranking 50 candidates: p50 / p99 ${percentiles(times)} ms over ${times.length} queries`);
};

const run = async (): Promise<void> => {
  const items = [
    ...readPubMedQaItems(join(data, 'pubmedqa/pqal-dev.json')),
    ...(await readJatsItems(join(data, 'jats'))),
  ];
  if (items.length === 0) {
    console.log(`No texts in ${data}; give its folder as the argument.`);
    return;
  }
  const index = await openWith(
    items.map(({ id, title, abstract }) => ({ id, text: { title, abstract }, filters: {} })),
  );
  await correctionTable(index);
  await speed(items, index);
  await index.close();
  const lists = await madeLists(items, isHeldOut, corrected);
  show('By form of the query, held-out items', lists, ({ set, form }) => `${set}, ${form}`);
  show('By length, held-out items', lists, (list) => `${list.set}, ${lengthOf(list)}`);
  const dev: Dataset | null = readBeir(join(data, 'nfcorpus'), 'dev');
  if (!dev) return;
  const judged = await datasetLists(dev);
  show(`${dev.name}, all of it reranked`, judged, () => 'all');
  show(`${dev.name}, by length`, judged, lengthOf);
  const train = readBeir(join(data, 'nfcorpus'), 'train')!;
  const long = train.queries.filter((query) => lengthOf(query) === 'long');
  show(`${train.name}, the long ones`, await datasetLists({ ...train, queries: long }), lengthOf);
};

await run();
