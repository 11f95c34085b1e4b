/** Which products may be ranked at all: sold or of unknown status, with something of their facts panel. */
import type { EntityManager } from '@mikro-orm/postgresql';

/** At most this many labels are weighed, the newest first: the page says so where there are more. */
export const CANDIDATES = 120;

const NEWEST = `select dsld_id as id from product
  where supplements @> ?::jsonb and removed_at is null and on_market is not false
  and ingredients_extent in ('label', 'partial') order by entry_date desc nulls last, dsld_id desc limit ?`;

/** One more than is weighed, where there are more. */
export const readCandidateIds = async (em: EntityManager, slug: string): Promise<readonly number[]> => {
  const rows = (await em.execute(NEWEST, [JSON.stringify([slug]), CANDIDATES + 1])) as unknown as { id: number }[];
  return rows.map(({ id }) => id);
};
