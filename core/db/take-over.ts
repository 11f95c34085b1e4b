/** Work that meets the embedded database between two owners waits for the next one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../plugin.ts';
import { isConnectionLost } from './lost-connection.ts';

/** How long work waits for another process to take the database over, in milliseconds. */
const PATIENCE_MS = 15_000;

/** Repeats `attempt` while the database is away and the attempt may be made again. */
export const untilTakenOver = async <T>(attempt: () => Promise<T>, mayRepeat: () => boolean): Promise<T> => {
  const deadline = Date.now() + PATIENCE_MS;
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

/** The same units of work, unnoticed by whom a take-over passes. */
export const acrossTakeOvers = ({ read, write }: Work, isOpen: () => boolean): Work => ({
  read: (work) => untilTakenOver(() => read(work), isOpen),
  // A transaction that had begun is not repeated: nobody knows whether its commit arrived.
  write: (work) => {
    let hasBegun = false;
    const attempt = () =>
      write((em) => {
        hasBegun = true;
        return work(em);
      });
    return untilTakenOver(attempt, () => isOpen() && !hasBegun);
  },
});
