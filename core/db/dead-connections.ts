/**
 * Kysely never gives a connection back whose BEGIN, COMMIT or ROLLBACK failed, as they do when the database goes away: a
 * few such failures would empty the pool, and everything would wait for ever.
 */
import type { Pool, PoolClient } from 'pg';

/** Gives connections that ended back to the pool, unless their holder did. */
export const returnDeadConnections = (pool: Pool): void => {
  const held = new Set<PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    const giveBack = (): void => {
      if (!held.has(client)) return;
      client.release(true);
      client.release = () => undefined;
    };
    // The holder of a failed query gives it back within the same turn.
    client.once('end', () => setImmediate(giveBack));
  });
};
