/**
 * Kysely does not release a connection whose BEGIN, COMMIT or ROLLBACK failed, which happens when the database becomes
 * unavailable. A few such failures would exhaust the pool, and all work would wait forever.
 */
import type { Pool, PoolClient } from 'pg';

/** Releases connections that ended, unless their owner has released them. */
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
    // After a failed query the owner releases the connection within the same event loop iteration.
    client.once('end', () => setImmediate(giveBack));
  });
};
