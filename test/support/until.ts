import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout, which is long enough for a busy machine. */
const PATIENCE_MS = 150_000;

/** Polls until the result is truthy and returns it; throws after the timeout. */
export const until = async <T>(
  ask: () => T | Promise<T>,
  what = 'what was waited for',
  everyMs = 10,
): Promise<Exclude<T, null | undefined | false>> => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer) return answer as Exclude<T, null | undefined | false>;
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${PATIENCE_MS / 1000} s`);
    await sleep(everyMs);
  }
};
