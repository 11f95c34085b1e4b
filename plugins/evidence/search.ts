/** Hybrid search over the corpus: what the API, the pages and later the answers all go through. */
import type { Database } from '#core/plugin.ts';
import type { Condition, SearchHit, SearchIndex } from '#core/search/port.ts';
import { Source } from './entities.ts';
import { type RankedRecord, TIERS, type Tier } from './schemas.ts';
import { type SourceRow, toRecord } from './source-view.ts';

export interface EvidenceQuery {
  readonly text: string;
  readonly limit: number;
  readonly offset?: number;
  readonly minTier?: Tier;
  readonly sourceClass?: string;
  readonly vertical?: string;
  readonly verticals?: readonly string[];
  readonly yearFrom?: number;
  readonly yearTo?: number;
  readonly human?: boolean;
  readonly excludeRetracted?: boolean;
  readonly facets?: readonly string[];
}

export interface EvidenceAnswer {
  readonly records: readonly RankedRecord[];
  readonly rows: readonly SourceRow[];
  readonly total: number;
  readonly facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The pipeline's name: changes when the same index would answer otherwise. */
export const RETRIEVAL_VERSION = 'hybrid-1.0';

const conditionsOf = (query: EvidenceQuery): Condition[] => {
  const conditions: Condition[] = [];
  if (query.minTier) conditions.push({ field: 'tier', in: TIERS.slice(0, TIERS.indexOf(query.minTier) + 1) });
  if (query.sourceClass) conditions.push({ field: 'source_class', in: [query.sourceClass] });
  if (query.vertical) conditions.push({ field: 'vertical', in: [query.vertical] });
  if (query.verticals) conditions.push({ field: 'vertical', in: query.verticals });
  if (query.yearFrom || query.yearTo)
    conditions.push({ field: 'year', from: query.yearFrom || 1, to: query.yearTo || 9999 });
  if (query.human) conditions.push({ field: 'species', in: ['human'] });
  if (query.excludeRetracted ?? true) conditions.push({ field: 'retraction', notIn: ['retracted'] });
  return conditions;
};

const rank = (row: SourceRow, hit: SearchHit): RankedRecord => ({
  ...toRecord(row),
  rank_score: Math.round(hit.score * 1e6) / 1e6,
  rank_reasons: [...hit.reasons],
  rank_explain: {
    legs: hit.legs.map(({ leg, rank: place, score }) => ({ leg, rank: place, score: Math.round(score * 1e4) / 1e4 })),
    matched: [...hit.matched],
  },
});

export const searchEvidence = async (
  db: Database,
  index: SearchIndex,
  query: EvidenceQuery,
): Promise<EvidenceAnswer> => {
  const { hits, total, facets } = await index.search({
    text: query.text,
    limit: query.limit,
    offset: query.offset ?? 0,
    where: conditionsOf(query),
    facets: query.facets ?? [],
  });
  const ids = hits.map((hit) => hit.id);
  const rows = (await db.read((em) =>
    em.find(Source, { sourceId: { $in: ids }, removedAt: null }, { disableIdentityMap: true }),
  )) as unknown as SourceRow[];
  const byId = new Map(rows.map((row) => [row.sourceId, row]));
  const found = hits.flatMap((hit) => {
    const row = byId.get(hit.id);
    return row ? [{ row, record: rank(row, hit) }] : [];
  });
  return { records: found.map(({ record }) => record), rows: found.map(({ row }) => row), total, facets };
};
