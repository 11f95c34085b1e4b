/**
 * Erases the remains of deleted rows from the files of the embedded database. PostgreSQL only marks such space as free, keeps the
 * write-ahead log (WAL) for reuse, and stores samples of each column as planner statistics: the text of a deleted row can be read
 * in all three until something overwrites it. On a PostgreSQL server the operator is responsible: autovacuum and WAL archives are
 * configured there.
 */
import type { Database } from '../plugin.ts';

/**
 * Number of WAL switches: the current segment contains the records before the switch, so two switches and checkpoints are needed.
 */
const ROUNDS = 2;

/**
 * Rewrites the tables and discards the WAL; does nothing on a server. Returns the number of tables. The names must be constants
 * of the program, never external input.
 */
export const clearFreedRoom = async (db: Database, tables: readonly string[], signal: AbortSignal): Promise<number> => {
  if (db.kind !== 'pglite') return 0;
  const run = (text: string) => db.read((em) => em.execute(text));
  // The tables are vacuumed one at a time, so that other work can use the single session in between.
  for (const table of tables) {
    signal.throwIfAborted();
    await run(`vacuum full ${table}`);
  }
  // ANALYZE is not sufficient: it keeps the old samples of a table that has become empty.
  const owners = tables.map((table) => `'${table}'::regclass`).join(', ');
  if (owners) {
    await run(`delete from pg_statistic where starelid in (${owners})
      or starelid in (select indexrelid from pg_index where indrelid in (${owners}))`);
    await run('vacuum full pg_statistic');
  }
  // A recycled segment is renamed but not overwritten.
  await run('set wal_recycle = off');
  for (let round = 0; round < ROUNDS; round += 1) {
    await run('select pg_switch_wal()');
    await run('checkpoint');
  }
  return tables.length;
};
