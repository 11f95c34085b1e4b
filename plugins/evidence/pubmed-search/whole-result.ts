/** Lists all PMIDs of a search of any size. PubMed lists at most 9,999 of a search, so larger ones are split by date. */

import { type Eutilities, LONGEST_RESULT, type Search } from '../importers/eutilities.ts';

export interface WholeResult {
  /** Number of records that PubMed counts. */
  readonly found: number;
  readonly pmids: readonly string[];
  /** Number of those that it did not list, even for single days. */
  readonly unlisted: number;
}

interface Days {
  readonly first: number;
  readonly last: number;
}

/**
 * Date fields for splitting: the publication date, then the entry date for days with more than 9,999 publications (1 January).
 */
const DATES = ['pdat', 'edat'] as const;
const DAY_MS = 86_400_000;
/** A range from before the oldest record until after any publication date announced in advance. */
const ALL_DAYS: Days = { first: Date.UTC(1700, 0, 1) / DAY_MS, last: Date.UTC(2099, 11, 31) / DAY_MS };

const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '/');

const within = (search: Search, { first, last }: Days, date: string): Search => ({
  ...search,
  term: `(${search.term}) AND ("${formatDay(first)}"[${date}] : "${formatDay(last)}"[${date}])`,
});

const halve = ({ first, last }: Days): readonly Days[] => {
  const middle = Math.floor((first + last) / 2);
  return [
    { first, last: middle },
    { first: middle + 1, last },
  ];
};

/** Searches PubMed for all PMIDs of a query. Throws RemoteFailure. */
export const listWhole = async (client: Eutilities, search: Search, signal: AbortSignal): Promise<WholeResult> => {
  const pmids = new Set<string>();
  const ask = async (part: Search): Promise<number> => {
    const { count, pmids: listed } = await client.esearch(part, LONGEST_RESULT, signal);
    for (const pmid of listed) pmids.add(pmid);
    return count;
  };
  const split = async (part: Search, days: Days, [date, ...finer]: readonly string[]): Promise<void> => {
    if (date === undefined) return;
    for (const half of halve(days)) {
      const limited = within(part, half, date);
      if ((await ask(limited)) <= LONGEST_RESULT) continue;
      if (half.first < half.last) await split(part, half, [date, ...finer]);
      else await split(limited, ALL_DAYS, finer);
    }
  };
  const found = await ask(search);
  if (found > LONGEST_RESULT) await split(search, ALL_DAYS, DATES);
  return { found, pmids: [...pmids], unlisted: Math.max(0, found - pmids.size) };
};
