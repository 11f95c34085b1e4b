/** Words of the vocabulary's names: they are never typos, and likelier than others to be what a typo means. */
import type { Terms } from '#plugins/vocabulary/index.ts';
import { foldWord, wordsIn } from './query-words.ts';

export interface KnownWords {
  /** Of every name: supplements, brands, forms, topics, conditions, substances. */
  readonly all: ReadonlySet<string>;
  readonly supplements: ReadonlySet<string>;
  /** Names of substances and foods that are one word: grapefruit, alcohol. */
  readonly substances: ReadonlySet<string>;
}

const wordsOf = (texts: Iterable<string>): Set<string> => {
  const words = new Set<string>();
  for (const text of texts) for (const { text: word } of wordsIn(text)) words.add(foldWord(word));
  return words;
};

const isOneWord = (name: string): boolean => /^\p{L}{4,}$/u.test(name);

const build = ({ supplements, topics, conditions, substances }: Terms): KnownWords => {
  const ours = wordsOf(
    [...supplements.values()].flatMap(({ name, latinName, synonyms }) => [name, latinName, ...synonyms]),
  );
  const warned = [...substances.values()].flatMap(({ name, synonyms }) => [name, ...synonyms]);
  const all = wordsOf([
    ...warned,
    ...[...supplements.values()].flatMap(({ entry }) => [
      ...entry.forms.map((form) => form.name),
      ...(entry.brands ?? []),
    ]),
    ...[...topics.values()].flatMap(({ name, terms }) => [name, ...terms]),
    ...[...conditions.values()].flatMap(({ name, synonyms }) => [name, ...synonyms]),
  ]);
  return { all: new Set([...all, ...ours]), supplements: ours, substances: wordsOf(warned.filter(isOneWord)) };
};

const built = new WeakMap<Terms, KnownWords>();

/** Made once for each state of the vocabulary. */
export const knownWords = (terms: Terms): KnownWords => {
  const known = built.get(terms) ?? build(terms);
  built.set(terms, known);
  return known;
};
