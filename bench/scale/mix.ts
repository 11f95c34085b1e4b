/**
 * Builds the request mix of readers and programs: of twenty requests eleven are published pages, one is a page rendered live,
 * four are searches, and four are other calls.
 */
import { ask, type Call, get } from './calls.ts';
import { countedExamples } from './examples.ts';
import { QUERIES } from './queries.ts';

/** Number of pages taken from each part of the sitemap. */
const PAGES_OF_PART = 40;
const PATTERN = 'ppspjppspjplpspjppsj';

const textOf = async (url: string): Promise<string> => {
  const reply = await fetch(url);
  if (!reply.ok) throw new Error(`${url} answers ${reply.status}`);
  return reply.text();
};

/** Returns the paths in a sitemap. */
const pathsIn = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);

const evenly = <T>(items: readonly T[], most: number): T[] => {
  const step = Math.max(1, items.length / most);
  return Array.from({ length: Math.min(most, items.length) }, (_, at) => items[Math.floor(at * step)] as T);
};

const publishedPages = async (url: string): Promise<readonly Call[]> => {
  const parts = pathsIn(await textOf(`${url}/sitemap.xml`));
  const pages: string[] = [];
  for (const part of parts) pages.push(...evenly(pathsIn(await textOf(url + part)), PAGES_OF_PART));
  if (!pages.length) throw new Error('The sitemap names no page');
  return pages.map((path) => get(path, { 'Accept-Encoding': 'br' }));
};

export interface Mix {
  readonly pages: number;
  /** Returns the call with the given sequence number. */
  call(nth: number): Call;
}

/** @param key an admin key */
export const mixOf = async (url: string, key: string): Promise<Mix> => {
  const authorization = { Authorization: `Bearer ${key}` };
  const examples = await countedExamples(url, key);
  const kinds: Readonly<Record<string, readonly Call[]>> = {
    p: await publishedPages(url),
    l: QUERIES.map((query) => get(`/search?${query}`)),
    s: QUERIES.map((query) => get(`/v1/evidence/search?${query}`, authorization)),
    j: examples.filter(({ isRead, isThrottled }) => isRead && !isThrottled).map(({ call }) => call),
  };
  // Each request is tested once, so that none that always fails is sent for minutes.
  for (const kind of 'lsj')
    for (const call of kinds[kind] ?? []) await (kind === 'l' ? textOf(url + call.path) : ask(url, call));
  return {
    pages: kinds.p?.length ?? 0,
    call: (nth) => {
      const kind = PATTERN[nth % PATTERN.length] ?? 'p';
      const calls = kinds[kind] as readonly Call[];
      // Rotates through the calls of a kind, in an order that is equal in every run.
      return calls[(nth * 7 + Math.floor(nth / PATTERN.length)) % calls.length] as Call;
    },
  };
};
