/**
 * Clears what deleted rows leave in the files of the embedded database. PostgreSQL only marks such room as free, and keeps
 * the log of changes (WAL) for reuse: the words of a deleted row can be read in both until something overwrites them. A
 * server of its own is its operator's: autovacuum and WAL archives are set there.
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
  // A segment that is recycled is renamed and not overwritten.
  await run('set wal_recycle = off');
  for (let round = 0; round < ROUNDS; round += 1) {
    await run('select pg_switch_wal()');
    await run('checkpoint');
  }
  return tables.length;
};
