/** The child process's side of bounded-process.ts. */
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority. It must be called before any thread starts, because threads inherit it. Some containers do not permit it;
 * the process then runs at the server's priority.
 */
export const lowerPriority = (): void => {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {}
};

/** Sends a message; resolves when it has been sent, so that messages do not accumulate in memory. */
export const tell = (message: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else resolve();
  });

// The server has ended, and nobody waits for the result.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
