/** Formats the counts of an index for readers: shortens the longest lists and groups years by decade. */

type Counts = Readonly<Record<string, number>>;

/** Maximum number of values for fields with hundreds of values. */
const MOST_VALUES = 20;

/** The value that the index stores for a source without a value of a list field; see index-feed.ts. */
export const NO_VALUE = 'none';

const LONG = new Set(['vertical', 'supplement', 'topic']);

/** Groups years as `1990-1999` and so on, newest first; sources without a year are not counted. */
const byDecade = (years: Counts): Counts => {
  const decades = new Map<number, number>();
  for (const [year, count] of Object.entries(years)) {
    const decade = Math.floor(Number(year) / 10) * 10;
    if (decade > 0) decades.set(decade, (decades.get(decade) ?? 0) + count);
  }
  const newest = [...decades].sort(([a], [b]) => b - a);
  return Object.fromEntries(newest.map(([decade, count]) => [`${decade}-${decade + 9}`, count]));
};

/** Returns the most frequent values. The index returns them in descending order of count. */
const shortened = (counts: Counts): Counts =>
  Object.fromEntries(
    Object.entries(counts)
      .filter(([value]) => value !== NO_VALUE)
      .slice(0, MOST_VALUES),
  );

export const readableFacets = (facets: Readonly<Record<string, Counts>>): Record<string, Counts> =>
  Object.fromEntries(
    Object.entries(facets).map(([field, counts]) => {
      if (field === 'year') return [field, byDecade(counts)];
      return [field, LONG.has(field) ? shortened(counts) : counts];
    }),
  );
