/** What a process of bounded-process.ts does on its own side. */
import { constants, setPriority } from 'node:os';

/** Called before any thread begins: threads inherit it. Some containers refuse it, and then it reads at the site's own priority. */
export const lowerPriority = (): void => {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {}
};

/** Resolves when the message is on its way, so that messages do not pile up here. */
export const tell = (message: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else resolve();
  });

// The site is gone, and nobody waits for what would be read.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
