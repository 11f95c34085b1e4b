/** Counts the products in the database, with the same results as the in-memory index but without building it. */
import type { EntityManager } from '@mikro-orm/postgresql';

const COUNTS = `select count(*)::int as total, count(*) filter (where on_market)::int as on_market,
  count(distinct brand_slug)::int as brands from product where removed_at is null`;

export const countProducts = async (
  em: EntityManager,
): Promise<{ total: number; on_market: number; brands: number }> => {
  const [counts] = (await em.execute(COUNTS)) as unknown as { total: number; on_market: number; brands: number }[];
  return counts ?? { total: 0, on_market: 0, brands: 0 };
};
