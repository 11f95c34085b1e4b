/** Limits the number of concurrent calls; further calls wait in order. */

/**
 * Waits for a permit and returns its release function, which may be called more than once. Rejects when the signal aborts, or
 * at once with the error of `refuse` when too many calls wait.
 */
export type AcquireSlot = (signal?: AbortSignal) => Promise<() => void>;

export interface ConcurrencyLimits {
  /** Number of calls that run at the same time. */
  readonly atOnce: number;
  /** Maximum number of calls that wait for a permit. */
  readonly waiting: number;
  readonly refuse: () => Error;
}

export const createConcurrencyLimit = ({ atOnce, waiting, refuse }: ConcurrencyLimits): AcquireSlot => {
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
    if (queue.size >= waiting) throw refuse();
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
