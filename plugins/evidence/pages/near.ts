/** Finds names similar to an unknown one, and supplements and topics that a query names. */
import type { Near } from '#core/plugin.ts';
import type { SupplementRow, Terms, TopicRow } from '#plugins/vocabulary/index.ts';

const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

const pairsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));

/** Returns the Dice coefficient of the letter pairs of two texts, 0 to 1. */
export const likeness = (a: string, b: string): number => {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  if (!left.length || !right.length) return a === b ? 1 : 0;
  const rest = [...right];
  let shared = 0;
  for (const pair of left) {
    const at = rest.indexOf(pair);
    if (at < 0) continue;
    rest.splice(at, 1);
    shared += 1;
  }
  return (2 * shared) / (left.length + right.length);
};

interface PlainNames {
  readonly supplements: readonly { readonly row: SupplementRow; readonly names: readonly string[] }[];
  readonly topics: readonly { readonly row: TopicRow; readonly names: readonly string[] }[];
}

/** Normalised names, cached for the lifetime of the terms. */
const plainNames = new WeakMap<Terms, PlainNames>();

const namesOf = (terms: Terms): PlainNames => {
  const known = plainNames.get(terms);
  if (known) return known;
  const made: PlainNames = {
    supplements: [...terms.supplements.values()].map((row) => ({
      row,
      names: [row.slug, row.name, row.latinName, ...row.synonyms].filter(Boolean).map(plain),
    })),
    topics: [...terms.topics.values()].map((row) => ({ row, names: [row.name, ...row.terms].map(plain) })),
  };
  plainNames.set(terms, made);
  return made;
};

const LIKE_ENOUGH = 0.45;
const SHOWN = 5;

/** Returns supplements whose name, Latin name or synonym is similar to the words, most similar first. */
export const nearSupplements = (words: string, terms: Terms): readonly Near[] => {
  const wanted = plain(words).slice(0, 100);
  if (!wanted) return [];
  return namesOf(terms)
    .supplements.map(({ row, names }) => ({ row, like: Math.max(...names.map((name) => likeness(wanted, name))) }))
    .filter(({ like }) => like >= LIKE_ENOUGH)
    .sort((a, b) => b.like - a.like || (a.row.slug < b.row.slug ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ row }) => ({ name: row.name, href: `/supplements/${row.slug}` }));
};

const holds = (text: string, name: string): boolean => ` ${text} `.includes(` ${name} `);

export interface Named {
  readonly supplements: readonly SupplementRow[];
  readonly topics: readonly TopicRow[];
}

/** Returns the supplements and topics that a query contains word for word. */
export const namedIn = (query: string, terms: Terms): Named => {
  const [text, { supplements, topics }] = [plain(query), namesOf(terms)];
  const isNamed = ({ names }: { readonly names: readonly string[] }): boolean =>
    names.some((name) => holds(text, name));
  return {
    supplements: supplements.filter(isNamed).map(({ row }) => row),
    topics: topics.filter(isNamed).map(({ row }) => row),
  };
};
