/** When an event is sent again, by the schedule of Standard Webhooks 1.0.0. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What lies before each try, in milliseconds: ten tries in three days. */
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
/** Up to this much more, so that receivers that failed together are not all tried at once. */
const JITTER = 0.1;
/** A receiver that asks for longer is tried after that all the same. */
const LONGEST_WAIT = 24 * HOUR;
/** The pause of an endpoint that failed twice and more doubles up to this. */
const LONGEST_PAUSE = 5 * MINUTE;

/**
 * Milliseconds until the next try; null when the schedule is spent.
 * @param tried how many tries there were
 * @param random from 0 up to 1
 * @param retryAfter seconds that the receiver asked for, if it did
 */
export const nextDelay = (tried: number, random: number, retryAfter: number | null): number | null => {
  const delay = DELAYS[tried];
  if (delay === undefined) return null;
  const asked = Math.min((retryAfter ?? 0) * SECOND, LONGEST_WAIT);
  return Math.round(Math.max(delay * (1 + JITTER * random), asked));
};

/** How long nothing at all is sent to an endpoint that failed so often in a row: always shorter than its next delay. */
export const pauseOf = (failures: number, retryAfter: number | null): number => {
  const own = failures > 1 ? Math.min(2 ** Math.min(failures - 2, 20) * SECOND, LONGEST_PAUSE) : 0;
  return Math.max(own, Math.min((retryAfter ?? 0) * SECOND, LONGEST_WAIT));
};

/** Seconds until a time or of a number (RFC 9110); null without either. */
export const readRetryAfter = (value: string | undefined, now: number): number | null => {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const until = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now) / SECOND));
};
