/**
 * Implements rate limits of single routes (votes, uploads, feedback) in addition to the quota. koa-ratelimit counts in
 * Redis, in the database that nodes share, or in this process; the error response is built here.
 */
import type Koa from 'koa';
import ratelimit from 'koa-ratelimit';
import type { Counters } from '../counters/counters.ts';
import { throttleTable } from '../counters/throttle-table.ts';
import { coreErrors } from '../errors.ts';
import type { ThrottleRule } from '../plugin.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

interface Window {
  readonly bucket: string;
  readonly limit: number;
  readonly duration: number;
}

const windowsOf = ({ bucket, perMinute, perDay }: ThrottleRule): readonly Window[] => [
  { bucket, limit: perMinute, duration: MINUTE },
  ...(perDay ? [{ bucket, limit: perDay, duration: DAY }] : []),
];

const SWEPT_FROM = 10_000;

/** The counters of one window in memory. Expired counters are removed from time to time, because nothing else does. */
class Counts extends Map<string, { readonly reset: number }> {
  #sweepAt = SWEPT_FROM;

  override set(key: string, count: { readonly reset: number }): this {
    if (this.size >= this.#sweepAt) {
      const now = Date.now() / 1000;
      for (const [old, { reset }] of this) if (reset < now) this.delete(old);
      this.#sweepAt = Math.max(SWEPT_FROM, this.size * 2);
    }
    return super.set(key, count);
  }
}

/** Counts a call; returns the seconds until the caller may retry, or 0 when the call is within the limit. */
type Counter = (window: Window, subject: string) => Promise<number>;

type Store = Pick<Required<NonNullable<Parameters<typeof ratelimit>[0]>>, 'driver' | 'db'>;

/** A substitute for the Koa context that koa-ratelimit uses, so that its late changes do not reach the response. */
interface Counted {
  readonly state: { throttledAs: string; rateLimit?: { readonly after: number } };
  set(): void;
  throw(status: number): never;
}

const countedAs = (throttledAs: string): Counted => ({
  state: { throttledAs },
  set: () => undefined,
  throw: (status) => {
    throw Object.assign(new Error('throttled'), { status });
  },
});

/** Creates a counter with one middleware per window, bucket and limit; routes with the same ones share their counts. */
const counterIn = (newStore: () => Store): Counter => {
  const counters = new Map<string, Koa.Middleware>();
  const counterOf = ({ bucket, limit, duration }: Window): Koa.Middleware => {
    const namespace = `throttle:${bucket}:${limit}:${duration}`;
    const known = counters.get(namespace);
    if (known) return known;
    const counter = ratelimit({
      ...newStore(),
      namespace,
      duration,
      max: limit,
      id: (ctx) => String(ctx.state.throttledAs),
      disableHeader: true,
      throw: true,
    }) as unknown as Koa.Middleware;
    counters.set(namespace, counter);
    return counter;
  };
  return async (window, subject) => {
    const counted = countedAs(subject);
    try {
      await counterOf(window)(counted as never, async () => undefined);
      return 0;
    } catch (error) {
      if ((error as { status?: number }).status !== 429) throw error;
      // The library rounds down, and a client that retried then would be rejected again.
      return 1 + Math.max(0, counted.state.rateLimit?.after ?? 59);
    }
  };
};

/** Creates the shared counter; while Redis is unreachable, it counts as if Redis were not configured. */
const sharedCounter = ({ redis, db }: Counters): Counter => {
  const table = throttleTable(db) as unknown as Store['db'];
  const without =
    db.kind === 'postgresql'
      ? counterIn(() => ({ driver: 'redis', db: table }))
      : counterIn(() => ({ driver: 'memory', db: new Counts() }));
  if (!redis) return without;
  let inRedis: Counter | null = null;
  return async (window, subject) => {
    const counted = await redis.attempt((client) => {
      inRedis ??= counterIn(() => ({ driver: 'redis', db: client }));
      return inRedis(window, subject);
    });
    return counted ? counted.value : without(window, subject);
  };
};

export type Throttle = (rule: ThrottleRule, subject: string) => Promise<void>;

const throttleBy =
  (count: Counter, nameOf: (subject: string) => string): Throttle =>
  async (rule, subject) => {
    for (const window of windowsOf(rule)) {
      const seconds = await count(window, nameOf(subject));
      if (!seconds) continue;
      const { bucket, limit } = window;
      throw coreErrors.quota_exceeded(
        { bucket, used: limit + 1, limit },
        {
          headers: { 'Retry-After': String(seconds) },
          body: { 'violated-policies': [bucket], retry_after: seconds },
        },
      );
    }
  };

/** Returns a function that counts a call of a subject; it throws AppError 429 with the bucket's name. */
export const createThrottles = (counters: Counters): Throttle =>
  throttleBy(sharedCounter(counters), (subject) => counters.nameOf(subject));

/** Creates a throttle that counts in this process only, for limits that protect the process and must be cheap. */
export const createLocalThrottle = (): Throttle =>
  throttleBy(
    counterIn(() => ({ driver: 'memory', db: new Counts() })),
    (subject) => subject,
  );
