/** Retries database work while the embedded database moves from one process to another. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../plugin.ts';
import { isConnectionLost } from './lost-connection.ts';

/** How long to retry while another process opens the database, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Retries `attempt` after a lost connection, for as long as `mayRepeat` allows it and at most for the timeout. */
export const retryOnFailover = async <T>(attempt: () => Promise<T>, mayRepeat: () => boolean): Promise<T> => {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConnectionLost(error) || !mayRepeat() || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
};

type Work = Pick<Database, 'read' | 'write'>;

/** Wraps `read` and `write` so that callers do not notice a failover. */
export const withFailoverRetry = ({ read, write }: Work, isOpen: () => boolean): Work => ({
  read: (work) => retryOnFailover(() => read(work), isOpen),
  // A transaction that has begun is not retried, because its commit may have arrived.
  write: (work) => {
    let hasBegun = false;
    const attempt = () =>
      write((em) => {
        hasBegun = true;
        return work(em);
      });
    return retryOnFailover(attempt, () => isOpen() && !hasBegun);
  },
});
