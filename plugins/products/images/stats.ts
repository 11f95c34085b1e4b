/** Counts how many products have label images, at most every 30 seconds per process. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '#core/plugin.ts';
import { rowsOf } from './rows.ts';
import type { StatsReply } from './schemas.ts';

const TTL_SECONDS = 30;
const MISSING_LISTED = 200;

const HAS_IMAGE = "exists (select 1 from label_image i where i.dsld_id = p.dsld_id and i.status = 'active')";
const ON_MARKET = 'from product p where p.on_market and p.removed_at is null';

const groups = async (em: EntityManager, column: 'kind' | 'source'): Promise<Record<string, number>> => {
  const text = `select ${column} as name, count(*)::int as count from label_image
    where status = 'active' group by 1 order by 1`;
  const rows = await rowsOf<{ name: string; count: number }>(em, text);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const countAll = async (em: EntityManager, now: number): Promise<StatsReply> => {
  const [row] = await rowsOf<{ products: number; pictured: number }>(
    em,
    `select count(*)::int as products, count(*) filter (where ${HAS_IMAGE})::int as pictured ${ON_MARKET}`,
  );
  const { products = 0, pictured = 0 } = row ?? {};
  const missing = await rowsOf<{ dsld_id: number }>(
    em,
    `select p.dsld_id ${ON_MARKET} and not ${HAS_IMAGE} order by p.dsld_id limit ${MISSING_LISTED}`,
  );
  const byKind = await groups(em, 'kind');
  return {
    on_market_products: products,
    products_with_image: pictured,
    images_total: total(byKind),
    coverage_pct: products ? Math.round((pictured / products) * 10_000) / 100 : 0,
    by_kind: byKind,
    by_source: await groups(em, 'source'),
    known_missing_count: products - pictured,
    known_missing: missing.map(({ dsld_id }) => dsld_id),
    generated_at: new Date(now).toISOString(),
    ttl_seconds: TTL_SECONDS,
  };
};

/** Creates the cached counter. Concurrent callers share one count; a failed one is not cached. */
export const createStats = (db: Database, now: () => number = Date.now): (() => Promise<StatsReply>) => {
  let kept: { readonly until: number; readonly stats: Promise<StatsReply> } | null = null;
  return () => {
    const at = now();
    if (kept && at < kept.until) return kept.stats;
    const stats = db.read((em) => countAll(em, at));
    const entry = { until: at + TTL_SECONDS * 1000, stats };
    kept = entry;
    stats.catch(() => {
      if (kept === entry) kept = null;
    });
    return stats;
  };
};
