/** Reads the state of the products of each supplement for the versions of pages, in one query. */
import type { EntityManager } from '@mikro-orm/postgresql';

const STATES = `select supplement, count(*) filter (where p.removed_at is null)::int as products,
  max(p.change_number)::text as change, to_char(max(p.updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from product p cross join lateral jsonb_array_elements_text(p.supplements) as supplement group by 1`;

const RECALLS = 'select count(*)::text || max(updated_at)::text as state from product_recall';

/** State of the products with a supplement; it changes when such a product is added, removed or changed. */
export interface MarketState {
  readonly products: number;
  readonly change: string;
  /** RFC 3339. */
  readonly last: string;
}

export interface MarketStates {
  /** States by slug, for supplements that any product contains or contained. */
  readonly bySupplement: ReadonlyMap<string, MarketState>;
  /** Version that changes with any recall. */
  readonly recalls: string;
}

export const readMarketStates = async (em: EntityManager): Promise<MarketStates> => {
  const rows = (await em.execute(STATES)) as unknown as (MarketState & { supplement: string })[];
  const [recalls] = (await em.execute(RECALLS)) as unknown as { state: string | null }[];
  return {
    bySupplement: new Map(
      rows.map(({ supplement, products, change, last }) => [supplement, { products, change, last }]),
    ),
    recalls: recalls?.state ?? '',
  };
};
