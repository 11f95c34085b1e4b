/** What a job usually has done in a moment is waited for, so that a person sees it at once. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A person waits this long, in milliseconds, before a page of progress takes over. */
const WAIT_MS = 9_000;
const LOOK_MS = 200;

/**
 * What `look` answers, as soon as it answers anything; undefined when the time is over or `signal` says that nobody waits
 * any more. A look that began is waited for.
 */
export const doneSoon = async <T extends NonNullable<unknown> | null>(
  look: () => Promise<T | undefined>,
  signal: AbortSignal,
  waitMs = WAIT_MS,
): Promise<T | undefined> => {
  for (const until = Date.now() + waitMs; Date.now() < until && !signal.aborted; ) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
};
