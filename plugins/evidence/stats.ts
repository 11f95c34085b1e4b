/** Figures of the base, each from one grouped query. */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface CorpusStats {
  readonly total: number;
  readonly byTier: Readonly<Record<string, number>>;
  readonly byClass: Readonly<Record<string, number>>;
  readonly verticals: number;
  /** RFC 3339, or null in an empty base. */
  readonly lastUpdated: string | null;
}

const GROUPED = `select quality_tier as tier, source_class as class, count(*)::int as n, max(updated_at) as last
  from evidence_source where removed_at is null and retraction_status <> 'retracted' group by 1, 2`;

/** Retracted and removed sources do not count. */
export const readStats = async (em: EntityManager): Promise<CorpusStats> => {
  const rows = (await em.execute(GROUPED)) as unknown as {
    tier: string;
    class: string;
    n: number;
    last: Date | string;
  }[];
  const verticals = (await em.execute(
    'select count(distinct vertical)::int as n from evidence_vertical',
  )) as unknown as { n: number }[];
  const byTier: Record<string, number> = { A: 0, B: 0, C: 0, D: 0 };
  const byClass: Record<string, number> = {};
  for (const row of rows) {
    byTier[row.tier] = (byTier[row.tier] ?? 0) + row.n;
    byClass[row.class] = (byClass[row.class] ?? 0) + row.n;
  }
  const last = rows.map((row) => new Date(row.last).getTime());
  return {
    total: rows.reduce((sum, row) => sum + row.n, 0),
    byTier,
    byClass: Object.fromEntries(Object.entries(byClass).sort(([a], [b]) => (a < b ? -1 : 1))),
    verticals: verticals[0]?.n ?? 0,
    lastUpdated: last.length ? new Date(Math.max(...last)).toISOString() : null,
  };
};
