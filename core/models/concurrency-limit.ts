/** Limits the number of concurrent calls; further calls wait in order. */
import { ModelError } from './model-error.ts';

/** Waits for a permit and returns its release function. Rejects when the signal aborts, or at once when too many calls wait. */
export type AcquireSlot = (signal?: AbortSignal) => Promise<() => void>;

export const createConcurrencyLimit = (
  name: string,
  { atOnce, waiting }: { atOnce: number; waiting: number },
): AcquireSlot => {
  let free = atOnce;
  const queue = new Set<() => void>();
  const giveBack = (): void => {
    const [next] = queue;
    if (!next) {
      free += 1;
      return;
    }
    queue.delete(next);
    next();
  };
  const once = () => {
    let given = false;
    return () => {
      if (!given) giveBack();
      given = true;
    };
  };
  return async (signal) => {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return once();
    }
    if (queue.size >= waiting) throw new ModelError('unavailable', `Too many calls wait for the ${name}`);
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        queue.delete(start);
        reject(signal?.reason);
      };
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      queue.add(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
    return once();
  };
};
