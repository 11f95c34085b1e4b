import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a machine that has much else to do; only what hangs takes it. */
const PATIENCE_MS = 150_000;

/** Asks again and again until the answer is there (anything that is not falsy); throws when it does not come. */
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
