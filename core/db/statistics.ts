/**
 * Maintains the statistics of the embedded database, which runs no autovacuum: without them the planner would read all 140,000
 * sources to find those of one question after an import. A PostgreSQL server maintains its own statistics.
 */
import type { Database } from '../plugin.ts';

/**
 * Tables whose size changed by a quarter since they were last analyzed, or that never were; very small tables need no statistics.
 */
const OUTGROWN = `select quote_ident(relname) as name from (
    select c.relname, c.reltuples, c.relpages, pg_relation_size(c.oid) / current_setting('block_size')::int as pages
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r') as tables
  where (reltuples < 0 and pages > 4) or abs(pages - relpages) > greatest(relpages / 4, 32) order by 1`;

/** Vacuums and analyzes tables whose statistics are outdated, and returns their names. */
export const refreshStatistics = async (db: Database): Promise<readonly string[]> => {
  if (db.kind !== 'pglite') return [];
  const outgrown = (await db.read((em) => em.execute(OUTGROWN))) as unknown as readonly { name: string }[];
  // The tables are vacuumed one at a time, so that other work can use the single session in between.
  for (const { name } of outgrown) await db.read((em) => em.execute(`vacuum (analyze) ${name}`));
  return outgrown.map(({ name }) => name);
};
