/** Computes the trending supplements and stores a daily snapshot. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { addressOf } from '#plugins/evidence/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { TrendingSnapshot } from './entities.ts';
import {
  byGrowth,
  growthOf,
  type TopSource,
  TRENDING_VERSION,
  type Trend,
  type TrendingAnswer,
  type Windows,
  windowsOf,
} from './trending-figures.ts';

export interface TrendingQuery {
  readonly months: number;
  readonly min_score: number;
  readonly limit: number;
}

/** Query of the stored snapshot; `limit` only truncates it. */
export const DEFAULT_QUERY: TrendingQuery = { months: 12, min_score: 50, limit: 200 };
const SNAPSHOT = 'default';
const TOP = 3;

const COUNTED = `removed_at is null and retraction_status <> 'retracted' and source_class <> 'clinical_trial'
  and quality_score >= ?`;

const NEWEST = `select max(year) as year from evidence_source where ${COUNTED} and year <= ?`;

const BASE = `select count(*) filter (where year between ? and ?)::int as recent,
  count(*) filter (where year between ? and ?)::int as previous from evidence_source where ${COUNTED}`;

const BY_SUPPLEMENT = `select supplement, count(*) filter (where year >= ?)::int as recent,
  count(*) filter (where year < ?)::int as previous
  from evidence_source, jsonb_array_elements_text(supplements) as supplement
  where ${COUNTED} and year between ? and ? group by 1`;

const TOP_SOURCES = `select * from (
  select supplement, source_id, title, year, quality_tier, quality_score, pmid, doi, nct_id as "nctId",
    row_number() over (partition by supplement order by quality_score desc, year desc, source_id collate "C") as place
  from evidence_source, jsonb_array_elements_text(supplements) as supplement
  where ${COUNTED} and year between ? and ?
  and supplement in (select jsonb_array_elements_text(?::jsonb))) ranked where place <= ${TOP} order by supplement, place`;

const readCounts = async (em: EntityManager, { recent, previous }: Windows, score: number) => {
  const [base] = (await em.execute(BASE, [recent.from, recent.to, previous.from, previous.to, score])) as unknown as [
    { recent: number; previous: number },
  ];
  const rows = (await em.execute(BY_SUPPLEMENT, [
    recent.from,
    recent.from,
    score,
    previous.from,
    recent.to,
  ])) as unknown as readonly { supplement: string; recent: number; previous: number }[];
  return { base, rows };
};

type TopRow = Omit<TopSource, 'url'> & { supplement: string; pmid: string; doi: string; nctId: string };

const readTop = async (
  em: EntityManager,
  { recent }: Windows,
  score: number,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, readonly TopSource[]>> => {
  const values = [score, recent.from, recent.to, JSON.stringify(slugs)];
  const rows = (await em.execute(TOP_SOURCES, values)) as unknown as readonly TopRow[];
  const bySlug = Map.groupBy(rows, ({ supplement }) => supplement);
  return new Map(
    [...bySlug].map(([slug, found]) => [
      slug,
      found.map((row) => ({
        source_id: row.source_id,
        title: row.title,
        year: row.year,
        quality_tier: row.quality_tier,
        quality_score: row.quality_score,
        url: addressOf(row),
      })),
    ]),
  );
};

/** Computes the trending supplements from the current corpus. */
export const computeTrending = async (
  em: EntityManager,
  query: TrendingQuery,
  { supplements }: Terms,
  today: Date,
): Promise<TrendingAnswer> => {
  const newest = (await em.execute(NEWEST, [query.min_score, today.getUTCFullYear()])) as unknown as [
    { year: number | null },
  ];
  const windows = windowsOf(query.months, today, newest[0].year);
  const { base, rows } = await readCounts(em, windows, query.min_score);
  const ranked = rows
    .filter(({ supplement, recent }) => supplements.has(supplement) && recent > 0)
    .map(({ supplement, recent, previous }) => ({
      supplement_slug: supplement,
      name: supplements.get(supplement)?.name ?? supplement,
      recent_count: recent,
      previous_count: previous,
      ...growthOf({ recent, previous }, base),
    }))
    .sort(byGrowth)
    .slice(0, query.limit);
  const top = await readTop(
    em,
    windows,
    query.min_score,
    ranked.map(({ supplement_slug: slug }) => slug),
  );
  return {
    trending: ranked.map((trend): Trend => ({ ...trend, top_sources: top.get(trend.supplement_slug) ?? [] })),
    windows,
    base: { recent_count: base.recent, previous_count: base.previous },
  };
};

export const saveSnapshot = async (em: EntityManager, answer: TrendingAnswer, at: Date): Promise<void> =>
  bulkUpsert(
    em,
    'trending_snapshot',
    ['name'],
    [{ name: SNAPSHOT, methodVersion: TRENDING_VERSION, generatedAt: at, answer }],
  );

const STILL_STANDS = `select source_id as id from evidence_source where removed_at is null
  and retraction_status <> 'retracted' and source_id in (select jsonb_array_elements_text(?::jsonb))`;

/** Returns the last snapshot made by the current method, without sources retracted since then; null before the first one. */
export const readSnapshot = async (
  em: EntityManager,
): Promise<{ readonly answer: TrendingAnswer; readonly generatedAt: Date } | null> => {
  const kept = await em.findOne(
    TrendingSnapshot,
    { name: SNAPSHOT, methodVersion: TRENDING_VERSION },
    { disableIdentityMap: true },
  );
  if (!kept) return null;
  const ids = kept.answer.trending.flatMap((trend) => trend.top_sources.map(({ source_id: id }) => id));
  const rows = (await em.execute(STILL_STANDS, [JSON.stringify(ids)])) as unknown as readonly { id: string }[];
  const standing = new Set(rows.map(({ id }) => id));
  const trending = kept.answer.trending.map((trend) => ({
    ...trend,
    top_sources: trend.top_sources.filter(({ source_id: id }) => standing.has(id)),
  }));
  return { answer: { ...kept.answer, trending }, generatedAt: kept.generatedAt };
};
