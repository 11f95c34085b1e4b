/** Plans the searches of a command or of the scheduled job. */

import { findRows } from '#core/db/find-rows.ts';
import { UsageError } from '#core/errors.ts';
import type { Context } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { Source } from '../entities.ts';
import type { EvidenceServices } from '../services.ts';
import type { SearchOptions } from './options.ts';
import type { PlannedSearch } from './planned-search.ts';
import { readPmids } from './pmid-list.ts';
import { supplementQuery } from './queries.ts';

export interface Plan {
  readonly searches: readonly PlannedSearch[];
  /** Lines of a file that contain no PMID. */
  readonly wrongLines: readonly string[];
}

type Span = { readonly from?: string | undefined; readonly to?: string };

/**
 * Plans one search for each named supplement, or for every supplement of the vocabulary. Throws UsageError for an unknown slug.
 */
export const supplementSearches = async (
  { services, use }: Pick<Context<EvidenceServices>, 'services' | 'use'>,
  slugs: readonly string[],
  span: Span,
): Promise<readonly PlannedSearch[]> => {
  const terms = await use(vocabularyPlugin).terms();
  const { verticals: plan } = await services.plan();
  const unknown = slugs.filter((slug) => !terms.supplements.has(slug));
  if (unknown.length)
    throw new UsageError(
      `--supplement ${unknown.join(', ')}: no supplement has this slug. The slugs are the names of the files in content/supplements, without .md.`,
    );
  const wanted = [...terms.supplements.values()].filter(({ slug }) => !slugs.length || slugs.includes(slug));
  return wanted.map((supplement) => ({
    label: supplement.slug,
    search: { term: supplementQuery(supplement, terms, plan), ...span },
  }));
};

/** Returns PMIDs of sources with a title but no abstract: papers that the starter content only lists. */
const starterPmids = async ({ db }: Pick<Context, 'db'>): Promise<readonly string[]> => {
  const wanted = { pmid: { $ne: '' }, abstract: '', removedAt: null };
  const rows = await db.read((em) =>
    findRows<{ pmid: string }>(em, Source, wanted, { fields: ['pmid'], orderBy: { pmid: 'asc' } }),
  );
  return [...new Set(rows.map(({ pmid }) => pmid))];
};

/** Plans the searches that the options request. Throws UsageError when a named supplement or file does not exist. */
export const planSearches = async (
  context: Context<EvidenceServices>,
  { wanted, since }: SearchOptions,
): Promise<Plan> => {
  const span = since === undefined ? {} : { from: since };
  if (wanted.type === 'supplements')
    return { searches: await supplementSearches(context, wanted.slugs, span), wrongLines: [] };
  if (wanted.type === 'query')
    return { searches: [{ label: 'query', search: { term: wanted.query, ...span } }], wrongLines: [] };
  if (wanted.type === 'starter')
    return { searches: [{ label: 'starter corpus', pmids: await starterPmids(context) }], wrongLines: [] };
  const { pmids, wrongLines } = await readPmids(wanted.path);
  return { searches: [{ label: wanted.path, pmids }], wrongLines };
};
