/**
 * Clears what deleted rows leave in the files of the embedded database. PostgreSQL only marks such room as free, keeps
 * the log of changes (WAL) for reuse, and has samples of each column as statistics for its planner: the words of a deleted row
 * can be read in all three until something overwrites them. A server of its own is its operator's: autovacuum and WAL archives are set there.
 */
import type { Database } from '../plugin.ts';

/** The current segment holds what was written before the switch, so that two of each are needed. */
const ROUNDS = 2;

/** Writes the tables anew and drops the log so far; does nothing on a server. The names are of tables, never of a caller. */
export const clearFreedRoom = async (db: Database, tables: readonly string[], signal: AbortSignal): Promise<number> => {
  if (db.kind !== 'pglite') return 0;
  const run = (text: string) => db.read((em) => em.execute(text));
  // One by one: other work of the one session goes on between them.
  for (const table of tables) {
    signal.throwIfAborted();
    await run(`vacuum full ${table}`);
  }
  // To analyze anew is not enough: it keeps the old samples of a table that has become empty.
  const owners = tables.map((table) => `'${table}'::regclass`).join(', ');
  if (owners) {
    await run(`delete from pg_statistic where starelid in (${owners})
      or starelid in (select indexrelid from pg_index where indrelid in (${owners}))`);
    await run('vacuum full pg_statistic');
  }
  // A segment that is recycled is renamed and not overwritten.
  await run('set wal_recycle = off');
  for (let round = 0; round < ROUNDS; round += 1) {
    await run('select pg_switch_wal()');
    await run('checkpoint');
  }
  return tables.length;
};
