/** Recognises names in a query: supplements, substances, conditions, medicines and groups of medicines. */
import { foldName, type MatchType } from '#core/search/name-index.ts';
import type { InteractionBook } from '#plugins/interactions/index.ts';
import type { Kind, VocabularyServices } from '#plugins/vocabulary/index.ts';

export interface QueryName {
  /** The words as in the query. */
  readonly words: string;
  readonly kind: Kind | 'drug' | 'class';
  readonly slug: string;
  readonly name: string;
  /** False when the words only resemble the name, so that the reader has to confirm it. */
  readonly sure: boolean;
}

export interface NameSources {
  readonly vocabulary: VocabularyServices;
  readonly book: InteractionBook;
  /** Returns the number of documents in the index that contain a word. */
  frequency(word: string): number;
}

const MOST_WORDS = 24;
const LONGEST_NAME = 6;
/** Minimum length of a word for typo correction; shorter words resemble too many names. */
const SHORTEST_TYPO = 5;
/** Number of sources with the word from which a trade name counts as an everyday word. */
const EVERYDAY = 3;
/** Everyday words that sources rarely use. */
const EVERYDAY_WORDS = new Set(
  'advance balance calm clear complete control daily day ease energy fast focus help life natural night now perfect relief simply today total vital'.split(
    ' ',
  ),
);

const wordsOf = (query: string): string[] =>
  query
    .replace(/[,;:?!()"“”/+&]|\.(?=\s|$)/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, MOST_WORDS);

type Found = Omit<QueryName, 'words' | 'sure'> & { readonly matchType: MatchType; readonly confidence: number };

const nearestOf = async (text: string, { vocabulary, book }: NameSources): Promise<readonly Found[]> => {
  const named = await vocabulary.resolve(text);
  // A medicine that is an undeclared ingredient of products is treated as the medicine.
  const thing = named && book.medicineOf(named.slug) ? null : named;
  const medicine = book.drugs.resolve(text);
  const known = medicine?.drug ?? medicine?.class;
  return [
    ...(thing
      ? [
          {
            kind: thing.kind,
            slug: thing.slug,
            name: thing.name,
            matchType: thing.match_type,
            confidence: thing.confidence,
          },
        ]
      : []),
    ...(medicine && known
      ? [
          {
            kind: medicine.drug ? ('drug' as const) : ('class' as const),
            slug: known.slug,
            name: medicine.drug ? known.name : medicine.name,
            matchType: medicine.match_type,
            confidence: medicine.confidence,
          },
        ]
      : []),
  ];
};

const isEveryday = (text: string, matchType: MatchType, sources: NameSources): boolean =>
  matchType === 'brand' &&
  !text.includes(' ') &&
  (EVERYDAY_WORDS.has(foldName(text)) || sources.frequency(foldName(text)) >= EVERYDAY);

/** Returns the exact match of some words. Numbers, and trade names that are everyday words, match nothing. */
const named = async (text: string, sources: NameSources): Promise<Found | null> => {
  if (!/\p{L}{2}/u.test(text)) return null;
  const found = (await nearestOf(text, sources)).filter(({ matchType }) => matchType !== 'typo');
  return found.find(({ matchType }) => !isEveryday(text, matchType, sources)) ?? null;
};

const misspelt = async (word: string, sources: NameSources): Promise<Found | null> => {
  if (word.length < SHORTEST_TYPO || sources.frequency(foldName(word)) > 0) return null;
  const found = (await nearestOf(word, sources)).filter(({ matchType }) => matchType === 'typo');
  return found.toSorted((a, b) => b.confidence - a.confidence)[0] ?? null;
};

const toName = (words: string, { kind, slug, name }: Found, sure: boolean): QueryName => ({
  words,
  kind,
  slug,
  name,
  sure,
});

/** Returns the names in query order, each thing once. Where names overlap, the longest wins. */
export const namesInQuery = async (query: string, sources: NameSources): Promise<readonly QueryName[]> => {
  const words = wordsOf(query);
  const taken = new Set<number>();
  const found: { readonly at: number; readonly name: QueryName }[] = [];
  for (let size = Math.min(LONGEST_NAME, words.length); size > 0; size -= 1) {
    for (let at = 0; at + size <= words.length; at += 1) {
      const places = Array.from({ length: size }, (_, offset) => at + offset);
      if (places.some((place) => taken.has(place))) continue;
      const text = words.slice(at, at + size).join(' ');
      const hit = await named(text, sources);
      if (!hit) continue;
      for (const place of places) taken.add(place);
      found.push({ at, name: toName(text, hit, true) });
    }
  }
  for (const [at, word] of words.entries()) {
    const hit = taken.has(at) ? null : await misspelt(word, sources);
    if (hit) found.push({ at, name: toName(word, hit, false) });
  }
  const byThing = new Map<string, QueryName>();
  for (const { name } of found.sort((a, b) => a.at - b.at)) {
    const key = `${name.kind} ${name.slug}`;
    if (!byThing.has(key)) byThing.set(key, name);
  }
  return [...byThing.values()];
};
