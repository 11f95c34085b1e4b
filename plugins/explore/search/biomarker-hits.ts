/** Finds the biomarkers that a query names, and those that measure a supplement in the query. */
import { foldName } from '#core/search/name-index.ts';
import type { BiomarkerRow, BiomarkerServices } from '#plugins/biomarkers/index.ts';
import { type HitView, plainHit } from './hits.ts';
import type { QueryName } from './query-names.ts';

interface BiomarkerSearch {
  readonly text: string;
  readonly names: readonly QueryName[];
}

const MOST_WORDS = 20;
const LONGEST_NAME = 6;
/** Minimum length of a name within a longer query; shorter parts, such as "k", are ignored there. */
const SHORTEST = 3;

/** Returns all runs of consecutive words, the longest first. */
const runsOf = (text: string): string[] => {
  const words = text.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  const lengths = Array.from({ length: Math.min(LONGEST_NAME, words.length) }, (_, at) => at + 1).reverse();
  return lengths.flatMap((length) =>
    Array.from({ length: words.length - length + 1 }, (_, from) => words.slice(from, from + length).join(' ')),
  );
};

const holdsAll = (held: readonly string[], words: readonly string[]): boolean =>
  words.every((word) => held.some((one) => one.startsWith(word)));

interface SearchedName {
  readonly name: string;
  /** Words of the folded name. */
  readonly words: readonly string[];
}

/** Cache of the folded names, by the array of rows; a new array replaces the entry. */
const searched = new WeakMap<readonly BiomarkerRow[], ReadonlyMap<string, readonly SearchedName[]>>();

const namesIn = (rows: readonly BiomarkerRow[]): ReadonlyMap<string, readonly SearchedName[]> => {
  const known = searched.get(rows);
  if (known) return known;
  const names = new Map(
    rows.map(({ slug, marker }) => [slug, marker.names.map((name) => ({ name, words: foldName(name).split(' ') }))]),
  );
  searched.set(rows, names);
  return names;
};

/**
 * Returns the matching biomarkers: first those with a name in the query, then those whose name contains all its words, then
 * those that measure a supplement in the query.
 */
export const biomarkerHits = async (
  services: BiomarkerServices,
  { text, names }: BiomarkerSearch,
): Promise<HitView[]> => {
  const [book, rows] = [await services.book(), await services.rows()];
  const hits = new Map<string, HitView>();
  const add = (slug: string, why: string): void => {
    const row = rows.find((one) => one.slug === slug);
    if (!row || hits.has(slug)) return;
    const [first = ''] = row.body.split(/(?<=[.!?])\s/);
    hits.set(slug, plainHit({ name: row.name, href: `/biomarkers/${slug}`, text: first, why }));
  };
  for (const run of runsOf(text).filter((one) => one === text.trim() || one.length >= SHORTEST))
    for (const { marker, certainty } of book.named(run))
      if (certainty === 1 || run === text.trim())
        add(marker.slug, certainty === 1 ? `“${run}” is a name of it.` : `“${run}” is near a name of it.`);
  const words = foldName(text).split(' ').filter(Boolean);
  if (words.join('').length >= SHORTEST)
    for (const [slug, all] of namesIn(rows)) {
      const called = all.find((one) => holdsAll(one.words, words));
      if (called) add(slug, `It is called “${called.name}”.`);
    }
  for (const { slug, entry } of rows) {
    const measured = names.find(({ slug: named, kind }) => kind === 'supplement' && entry.nutrients?.includes(named));
    if (measured) add(slug, `It is a laboratory value of ${measured.name}.`);
  }
  return [...hits.values()];
};
