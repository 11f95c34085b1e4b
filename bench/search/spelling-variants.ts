/**
 * Measures whether a query still finds its text when one of its words is spelled differently; NFCorpus cannot measure this,
 * because its text has no hyphens, digits, Greek letters or titles. Titles of JATS articles and PubMedQA's questions should each
 * find their own abstract among both; a query is the word under test and two others from the title, so that the word matters.
 * Usage: node bench/search/spelling-variants.ts [data folder]
 */
import { join } from 'node:path';
import type { SearchIndex } from '#core/search/port.ts';
import { readQuery } from '#plugins/evidence/query/corrector.ts';
import { buildNearWords } from '#plugins/evidence/query/near-words.ts';
import { DATA, type Dataset, readJats, readPubMedQa } from './datasets.ts';
import { mean, measure } from './measures.ts';
import { random } from './random.ts';
import { indexOf, rankingsOf } from './rankings.ts';
import { type KnownCompounds, knownCompounds, VARIANTS, type Variant, type Variation } from './word-variants.ts';

const MOST = 300;
const data = process.argv[2] ?? DATA;

interface Asked {
  readonly id: string;
  readonly written: string;
  readonly varied: string;
}

const SMALL = new Set(
  'the and for with from are was were does not its among between after before during than'.split(' '),
);
const wordsOf = (title: string): string[] =>
  title
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter(Boolean);

/** Builds a query from a title: a variation at a random position, with two of its other words. */
function askedOf({ id, text }: { id: string; text: string }, variant: Variant, known: KnownCompounds): Asked | null {
  const next = random(`${variant.name} ${id}`);
  const words = wordsOf(text);
  const places = words.flatMap((word, at) => {
    const variation = variant.vary(word, words[at + 1] ?? '', { known, next });
    return variation ? [{ at, variation }] : [];
  });
  if (places.length === 0) return null;
  const { at, variation } = places[next(places.length)]!;
  const others = words.filter(
    (word, i) => i !== at && i !== at + 1 && word.length > 2 && !SMALL.has(word.toLowerCase()),
  );
  while (others.length > 2) others.splice(next(others.length), 1);
  const query = (part: Variation['varied']) => [part, ...others].join(' ');
  return { id, written: query(variation.written), varied: query(variation.varied) };
}

async function score(index: SearchIndex, asked: readonly Asked[], textOf: (asked: Asked) => string): Promise<string[]> {
  const [bm25, whole] = [[] as ReturnType<typeof measure>[], [] as ReturnType<typeof measure>[]];
  for (const one of asked) {
    const rankings = await rankingsOf(index, textOf(one));
    const judged = new Map([[one.id, 1]]);
    bm25.push(measure(rankings.bm25, judged));
    whole.push(measure(rankings.whole, judged));
  }
  return [bm25, whole].map((measures) => mean(measures).ndcg10.toFixed(3));
}

async function run(datasets: readonly Dataset[]): Promise<void> {
  const documents = datasets.flatMap((dataset) => dataset.documents);
  const titles = datasets.flatMap((dataset) => dataset.queries);
  const known = knownCompounds([
    ...documents.map(({ text }) => text.abstract ?? ''),
    ...titles.map(({ text }) => text),
  ]);
  const index = await indexOf(documents);
  const near = await buildNearWords(index.words());
  const knowledge = {
    frequency: (word: string) => index.frequency(word),
    isName: () => false,
    isSubstance: () => false,
    near,
  };
  const corrected = (text: string) => readQuery(text, knowledge).corrected?.query ?? text;
  const table: Record<string, Record<string, string | number>> = {};
  const add = async (name: string, asked: readonly Asked[], varied: (asked: Asked) => string) => {
    if (asked.length === 0) return;
    const [bm25, whole] = await score(index, asked, ({ written }) => written);
    const [bm25Varied, wholeVaried] = await score(index, asked, varied);
    table[name] = {
      queries: asked.length,
      'bm25: as written': bm25!,
      varied: bm25Varied!,
      'whole: as written': whole!,
      'varied ': wholeVaried!,
    };
  };
  for (const variant of VARIANTS) {
    const asked = titles.flatMap((title) => askedOf(title, variant, known) ?? []).slice(0, MOST);
    await add(variant.name, asked, ({ varied }) => varied);
    if (variant.name.startsWith('one slip'))
      await add('the same, corrected as the service does', asked, ({ varied }) => corrected(varied));
  }
  const reversed = titles.map(({ id, text }) => ({ id, written: text, varied: wordsOf(text).reverse().join(' ') }));
  await add('a whole title from its end', reversed.slice(0, MOST), ({ varied }) => varied);
  console.log(`nDCG@10, ${documents.length} abstracts of JATS and PubMedQA; queries of the word and two more`);
  console.table(table);
  await index.close();
}

const datasets = [await readJats(join(data, 'jats')), readPubMedQa(join(data, 'pubmedqa/pqal-dev.json'))];
const found = datasets.filter((dataset) => dataset !== null);
if (found.length === 0) console.log(`No texts in ${data}; give its folder as the argument.`);
else await run(found);
