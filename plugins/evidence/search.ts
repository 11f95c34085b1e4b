/**
 * Search over the corpus, shared by the API, the pages and the answers. A query is corrected, searched, reranked if the
 * interface's rule requires it, and cut to its page.
 */

import type { Log } from '#core/log.ts';
import type { Permission } from '#core/models/permission.ts';
import type { Database } from '#core/plugin.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { conditionsOf, type EvidenceFilter } from './query/conditions.ts';
import type { CorrectedQuery } from './query/corrector.ts';
import { readableFacets } from './query/facets.ts';
import type { QueryInWords, ResolvedName } from './query/query-reader.ts';
import { type RankedHit, RERANK_DEPTH, rerankHits, unranked } from './rerank/rerank-hits.ts';
import type { Reranker } from './rerank/reranker.ts';
import type { RankedRecord } from './schemas/search.ts';
import type { SourceRows } from './source-rows.ts';
import { type SourceRow, toRecord } from './source-view.ts';

export interface EvidenceQuery extends EvidenceFilter {
  readonly text: string;
  /** Permission to send the text to external models; without it they are not used. */
  readonly permission?: Permission | null;
  readonly limit: number;
  readonly offset?: number;
  readonly facets?: readonly string[];
  /** Whether unknown words are replaced by their most likely correction; true by default. */
  readonly correct?: boolean;
  /** False disables reranking; otherwise the interface's rule decides. */
  readonly rerank?: boolean;
  readonly signal?: AbortSignal;
}

export interface SearchWarning {
  readonly code: 'weak_match' | 'nothing_found' | 'lexical_only' | 'reranker_fallback';
  readonly message: string;
}

export interface EvidenceAnswer {
  readonly records: readonly RankedRecord[];
  readonly rows: readonly SourceRow[];
  readonly total: number;
  readonly facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Largest share of the query's weight that one of the first hits covers, 0 to 1. */
  readonly coverage: number;
  /** The corrected query that was searched; null when the query was searched as typed. */
  readonly corrected: CorrectedQuery | null;
  readonly resolved: readonly ResolvedName[];
  /** Whether the reranker determined the order of the records. */
  readonly rerankerUsed: boolean;
  readonly warnings: readonly SearchWarning[];
}

export interface SearchParts {
  readonly db: Database;
  readonly rows: SourceRows;
  readonly index: SearchIndex;
  readonly reranker: Reranker;
  readonly log: Log;
  read(text: string, correct: boolean): Promise<QueryInWords>;
}

/** Name of the retrieval pipeline. Change it when the same index would return other results. */
export const RETRIEVAL_VERSION = 'hybrid-2.0';

/** Below this share of the query, the hits are probably about something else. */
const WEAK_COVERAGE = 0.4;

const WARNINGS: Readonly<Record<SearchWarning['code'], string>> = {
  weak_match:
    'No source holds most of the words of this query: what was found may be about something else, and says nothing about safety.',
  nothing_found: 'Nothing was found. That does not mean that something is safe, or that it does not work.',
  lexical_only: 'The semantic leg is not trained yet; results come from words alone.',
  reranker_fallback: 'The configured reranker did not answer in time; the local one ranked these results.',
};

export const warningOf = (code: SearchWarning['code']): SearchWarning => ({ code, message: WARNINGS[code] });

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

const toRanked = (row: SourceRow, { score, reasons, legs, matched, reranked }: RankedHit): RankedRecord => ({
  ...toRecord(row),
  rank_score: rounded(score, 6),
  rank_reasons: [...reasons],
  rank_explain: {
    legs: legs.map((leg) => ({ leg: leg.leg, rank: leg.rank, score: rounded(leg.score, 4) })),
    matched: [...matched],
    ...(reranked && { reranked: { ...reranked, score: rounded(reranked.score, 4) } }),
  },
});

/** Returns the records of the hits, in their order; hits whose source has been withdrawn are omitted. */
export const recordsOf = async ({ rows: stored }: Pick<SearchParts, 'rows'>, hits: readonly RankedHit[]) => {
  const byId = await stored.read(hits.map((hit) => hit.id));
  const found = hits.flatMap((hit) => {
    const row = byId.get(hit.id);
    return row ? [{ row, record: toRanked(row, hit) }] : [];
  });
  return { records: found.map(({ record }) => record), rows: found.map(({ row }) => row) };
};

const warningsOf = (
  parts: SearchParts,
  found: { hits: number; offset: number; coverage: number; fallback: boolean },
) => {
  const codes: SearchWarning['code'][] = [];
  if (parts.index.state().semantic === 'none') codes.push('lexical_only');
  if (found.fallback) codes.push('reranker_fallback');
  if (found.hits === 0 && found.offset === 0) codes.push('nothing_found');
  else if (found.hits > 0 && found.coverage < WEAK_COVERAGE) codes.push('weak_match');
  return codes.map(warningOf);
};

/** Returns the hits of one page. When reranking applies, the search retrieves as many hits as the reranker examines. */
const findPage = async (parts: SearchParts, query: EvidenceQuery, words: QueryInWords) => {
  const offset = query.offset ?? 0;
  const due = (query.rerank ?? true) && words.trigger !== null && offset < RERANK_DEPTH;
  const answer = await parts.index.search({
    text: words.text,
    permission: query.permission ?? null,
    limit: due ? Math.max(offset + query.limit, RERANK_DEPTH + 1) : query.limit,
    offset: due ? 0 : offset,
    where: conditionsOf(query),
    facets: query.facets ?? [],
  });
  if (!due) return { answer, ranking: unranked(answer.hits) };
  const { rows, reranker } = parts;
  const { permission = null, signal } = query;
  const ranking = await rerankHits({ rows, reranker, permission, signal }, words.text, answer.hits);
  if (ranking.fallback) parts.log.warn('reranker_fallback', { reranker: reranker.name, reason: ranking.fallback });
  return { answer, ranking: { ...ranking, hits: ranking.hits.slice(offset, offset + query.limit) } };
};

export const searchEvidence = async (parts: SearchParts, query: EvidenceQuery): Promise<EvidenceAnswer> => {
  const words = await parts.read(query.text, query.correct ?? true);
  const { answer, ranking } = await findPage(parts, query, words);
  const coverage = answer.coverage ?? 0;
  const { hits, used, fallback } = ranking;
  return {
    ...(await recordsOf(parts, hits)),
    total: answer.total,
    facets: readableFacets(answer.facets),
    coverage: rounded(coverage, 3),
    corrected: words.corrected,
    resolved: words.resolved,
    rerankerUsed: used,
    warnings: warningsOf(parts, {
      hits: hits.length,
      offset: query.offset ?? 0,
      coverage,
      fallback: fallback !== null,
    }),
  };
};
