/** Selects the products that may be ranked: sold or of unknown status, with at least part of their facts panel known. */
import type { EntityManager } from '@mikro-orm/postgresql';

/** Maximum number of labels that are compared, newest first; the page states when there are more. */
export const CANDIDATES = 120;

const NEWEST = `select dsld_id as id from product
  where supplements @> ?::jsonb and removed_at is null and on_market is not false
  and ingredients_extent in ('label', 'partial') order by entry_date desc nulls last, dsld_id desc limit ?`;

/** Reads the ids, one more than are compared if there are more. */
export const readCandidateIds = async (em: EntityManager, slug: string): Promise<readonly number[]> => {
  const rows = (await em.execute(NEWEST, [JSON.stringify([slug]), CANDIDATES + 1])) as unknown as { id: number }[];
  return rows.map(({ id }) => id);
};
