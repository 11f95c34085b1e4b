/** Parses the options of `npm run import -- pubmed-search`. */

import { parseArgs } from 'node:util';
import { UsageError } from '#core/errors.ts';

/** Scope of the search: the named supplements (all when none is named), a query, a list of PMIDs, or the starter corpus. */
export type Wanted =
  | { readonly type: 'supplements'; readonly slugs: readonly string[] }
  | { readonly type: 'query'; readonly query: string }
  | { readonly type: 'pmids'; readonly path: string }
  | { readonly type: 'starter' };

export interface SearchOptions {
  readonly wanted: Wanted;
  /** YYYY/MM/DD, PubMed's date format. */
  readonly since: string | undefined;
  readonly isDryRun: boolean;
}

export const OPTIONS_USAGE =
  '[--supplement <slug>]… | --query "<PubMed query>" | --pmids <file> | --starter; --since YYYY-MM-DD, --dry-run';

const wrong = (reason: string): UsageError =>
  new UsageError(`${reason}\nusage: npm run import -- pubmed-search ${OPTIONS_USAGE}`);

const OPTIONS = {
  supplement: { type: 'string', multiple: true },
  query: { type: 'string' },
  pmids: { type: 'string' },
  starter: { type: 'boolean' },
  since: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const;

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw wrong((error as Error).message);
  }
};

const parseDay = (since: string): string => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(since) ? Date.parse(since) : Number.NaN;
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(since);
  if (!isDay || time > Date.now())
    throw wrong(`--since ${since}: this is no day in the past. Write it as in --since 2026-01-31.`);
  return since.replaceAll('-', '/');
};

/** Parses the options. Throws UsageError when they are invalid or contradict each other. */
export const parseOptions = (args: readonly string[]): SearchOptions => {
  const { supplement, query, pmids, starter, since, 'dry-run': isDryRun = false } = parse(args);
  const choices: Wanted[] = [
    ...(supplement ? [{ type: 'supplements', slugs: [...new Set(supplement)] } as const] : []),
    ...(query === undefined ? [] : [{ type: 'query', query: query.trim() } as const]),
    ...(pmids === undefined ? [] : [{ type: 'pmids', path: pmids } as const]),
    ...(starter ? [{ type: 'starter' } as const] : []),
  ];
  if (choices.length > 1)
    throw wrong('--supplement, --query, --pmids and --starter exclude each other. Give one of them.');
  const [wanted = { type: 'supplements', slugs: [] }] = choices;
  if (wanted.type === 'query' && !wanted.query) throw wrong('--query is empty. Give it a PubMed query.');
  if (since !== undefined && (wanted.type === 'pmids' || wanted.type === 'starter'))
    throw wrong(`--since limits a search, and --${wanted.type} makes none. Leave one of them out.`);
  return { wanted, since: since === undefined ? undefined : parseDay(since), isDryRun };
};
