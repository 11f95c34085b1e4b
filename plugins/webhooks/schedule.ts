/** Schedules retries according to Standard Webhooks 1.0.0. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delay before each attempt, in milliseconds: ten attempts in three days. */
export const DELAYS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Maximum jitter as a share of the delay, so that receivers that failed together are not all retried at once. */
const JITTER = 0.1;
/** Maximum wait in milliseconds; a receiver that asks for longer is retried after this time. */
const LONGEST_WAIT = 24 * HOUR;
/** Maximum pause in milliseconds. The pause of an endpoint doubles with each failure from the second one up to this value. */
const LONGEST_PAUSE = 5 * MINUTE;

/**
 * Returns the milliseconds until the next attempt, or null when the schedule is exhausted.
 * @param tried number of attempts so far
 * @param random from 0 up to 1
 * @param retryAfter seconds that the receiver asked for, if any
 */
export const nextDelay = (tried: number, random: number, retryAfter: number | null): number | null => {
  const delay = DELAYS[tried];
  if (delay === undefined) return null;
  const asked = Math.min((retryAfter ?? 0) * SECOND, LONGEST_WAIT);
  return Math.round(Math.max(delay * (1 + JITTER * random), asked));
};

/** Returns how long nothing is sent to an endpoint after so many consecutive failures; always shorter than its next delay. */
export const pauseOf = (failures: number, retryAfter: number | null): number => {
  const own = failures > 1 ? Math.min(2 ** Math.min(failures - 2, 20) * SECOND, LONGEST_PAUSE) : 0;
  return Math.max(own, Math.min((retryAfter ?? 0) * SECOND, LONGEST_WAIT));
};

/** Parses Retry-After (RFC 9110), a date or a number, to seconds. Returns null for anything else. */
export const readRetryAfter = (value: string | undefined, now: number): number | null => {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const until = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now) / SECOND));
};
