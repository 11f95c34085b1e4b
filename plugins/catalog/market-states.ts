/** The state of the products of each supplement, for the versions of pages: one query for all. */
import type { EntityManager } from '@mikro-orm/postgresql';

const STATES = `select supplement, count(*) filter (where p.removed_at is null)::text || '/' || max(p.change_number)::text
  as state, to_char(max(p.updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from product p cross join lateral jsonb_array_elements_text(p.supplements) as supplement group by 1`;

const RECALLS = 'select count(*)::text || max(updated_at)::text as state from product_recall';

export interface MarketState {
  readonly state: string;
  /** RFC 3339. */
  readonly last: string;
}

/** By slug; changes when a product with the supplement comes, goes or changes. */
export const readMarketStates = async (em: EntityManager): Promise<ReadonlyMap<string, MarketState>> => {
  const rows = (await em.execute(STATES)) as unknown as (MarketState & { supplement: string })[];
  return new Map(rows.map(({ supplement, state, last }) => [supplement, { state, last }]));
};

/** Changes with any recall. */
export const readRecallState = async (em: EntityManager): Promise<string> => {
  const [row] = (await em.execute(RECALLS)) as unknown as { state: string | null }[];
  return row?.state ?? '';
};
