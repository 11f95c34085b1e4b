/** Waits for a job that usually ends within seconds, so that a person sees its result at once. */
import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait before the progress page is shown, in milliseconds. */
const WAIT_MS = 9_000;
const INTERVAL_MS = 200;

/**
 * Calls `poll` until it returns something other than undefined, and returns that. Returns undefined when the time is over or
 * `signal` aborts; a call in progress is awaited first.
 */
export const pollUntil = async <T extends NonNullable<unknown> | null>(
  poll: () => Promise<T | undefined>,
  signal: AbortSignal,
  waitMs = WAIT_MS,
): Promise<T | undefined> => {
  for (const until = Date.now() + waitMs; Date.now() < until && !signal.aborted; ) {
    const found = await poll();
    if (found !== undefined) return found;
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
};
