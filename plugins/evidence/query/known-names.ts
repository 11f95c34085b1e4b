/**
 * The words of the vocabulary's names. They are never typos, and they are likelier than other words to be the correction of a
 * typo.
 */
import { pagelessSubstances, type SubstanceRow, type Terms } from '#plugins/vocabulary/index.ts';
import { foldWord, wordsIn } from './query-words.ts';

export interface KnownWords {
  /** Words of every name: supplements, brands, forms, topics, conditions, substances. */
  readonly all: ReadonlySet<string>;
  readonly supplements: ReadonlySet<string>;
  /** Names of substances and foods that consist of one word: grapefruit, alcohol. */
  readonly substances: ReadonlySet<string>;
}

const wordsOf = (texts: Iterable<string>): Set<string> => {
  const words = new Set<string>();
  for (const text of texts) for (const { text: word } of wordsIn(text)) words.add(foldWord(word));
  return words;
};

const isOneWord = (name: string): boolean => /^\p{L}{4,}$/u.test(name);

const build = (terms: Terms): KnownWords => {
  const { supplements, topics, conditions, substances } = terms;
  const ours = wordsOf(
    [...supplements.values()].flatMap(({ name, latinName, synonyms }) => [name, latinName, ...synonyms]),
  );
  const namesOf = (rows: Iterable<SubstanceRow>): string[] =>
    [...rows].flatMap(({ name, synonyms }) => [name, ...synonyms]);
  const all = wordsOf([
    ...namesOf(substances.values()),
    ...[...supplements.values()].flatMap(({ entry }) => [
      ...entry.forms.map((form) => form.name),
      ...(entry.brands ?? []),
    ]),
    ...[...topics.values()].flatMap(({ name, terms }) => [name, ...terms]),
    ...[...conditions.values()].flatMap(({ name, synonyms }) => [name, ...synonyms]),
  ]);
  // A substance with its own page counts as a supplement, and it does not interact with itself.
  const others = namesOf(pagelessSubstances(terms)).filter(isOneWord);
  return { all: new Set([...all, ...ours]), supplements: ours, substances: wordsOf(others) };
};

const built = new WeakMap<Terms, KnownWords>();

/** Returns the words of the vocabulary's names; builds them once for each state of the vocabulary. */
export const knownWords = (terms: Terms): KnownWords => {
  const known = built.get(terms) ?? build(terms);
  built.set(terms, known);
  return known;
};
