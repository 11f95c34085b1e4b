/** Computes figures of the corpus, each with one grouped query. */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface CorpusStats {
  readonly total: number;
  readonly byTier: Readonly<Record<string, number>>;
  readonly byClass: Readonly<Record<string, number>>;
  /** By studied species: `human`, `animal`, `in_vitro`, `unknown`. */
  readonly bySpecies: Readonly<Record<string, number>>;
  /** By year of publication; sources without a year are excluded. */
  readonly byYear: Readonly<Record<string, number>>;
  readonly verticals: number;
  /** RFC 3339 time, or null when the corpus is empty. */
  readonly lastUpdated: string | null;
}

const GROUPED = `select quality_tier as tier, source_class as class, species, year, count(*)::int as n, max(updated_at) as last
  from evidence_source where removed_at is null and retraction_status <> 'retracted' group by 1, 2, 3, 4`;

/** Returns the figures of the corpus, without retracted and removed sources. */
export const readStats = async (em: EntityManager): Promise<CorpusStats> => {
  const rows = (await em.execute(GROUPED)) as unknown as {
    tier: string;
    class: string;
    species: string;
    year: number | null;
    n: number;
    last: Date | string;
  }[];
  const verticals = (await em.execute(
    'select count(distinct vertical)::int as n from evidence_vertical',
  )) as unknown as { n: number }[];
  const sumBy = (keyOf: (row: (typeof rows)[number]) => string, start: Record<string, number> = {}) => {
    const sums = { ...start };
    for (const row of rows) if (keyOf(row)) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + row.n;
    return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const last = rows.map((row) => new Date(row.last).getTime());
  return {
    total: rows.reduce((sum, row) => sum + row.n, 0),
    byTier: sumBy(({ tier }) => tier, { A: 0, B: 0, C: 0, D: 0 }),
    byClass: sumBy((row) => row.class),
    bySpecies: sumBy(({ species }) => species),
    byYear: sumBy(({ year }) => (year === null ? '' : String(year))),
    verticals: verticals[0]?.n ?? 0,
    lastUpdated: last.length ? new Date(Math.max(...last)).toISOString() : null,
  };
};
