/**
 * The embedded database runs no autovacuum: without this its planner knows nothing of a table that an import filled, and
 * reads 140,000 sources to find one question's. A server looks after itself.
 */
import type { Database } from '../plugin.ts';

/** Tables that grew or shrank by a quarter since they were looked at last, or never were; a few pages need no plan. */
const OUTGROWN = `select quote_ident(relname) as name from (
    select c.relname, c.reltuples, c.relpages, pg_relation_size(c.oid) / current_setting('block_size')::int as pages
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r') as tables
  where (reltuples < 0 and pages > 4) or abs(pages - relpages) > greatest(relpages / 4, 32) order by 1`;

/** Brings the planner's statistics up to date and frees the room of dead rows; answers the names of the tables it saw to. */
export const refreshStatistics = async (db: Database): Promise<readonly string[]> => {
  if (db.kind !== 'pglite') return [];
  const outgrown = (await db.read((em) => em.execute(OUTGROWN))) as unknown as readonly { name: string }[];
  // One by one: other work of the one session goes on between them.
  for (const { name } of outgrown) await db.read((em) => em.execute(`vacuum (analyze) ${name}`));
  return outgrown.map(({ name }) => name);
};
