/**
 * Fixed limits of single routes (votes, uploads, feedback), beside the quota: koa-ratelimit counts, we word the answer. It
 * counts in Redis, in the database that nodes share, or in this process.
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

/** The counts of one window. Those whose time is over go now and then: nobody else would ever remove them. */
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

/** Seconds until the caller may come back; 0: go on. */
type Counter = (window: Window, subject: string) => Promise<number>;

type Store = Pick<Required<NonNullable<Parameters<typeof ratelimit>[0]>>, 'driver' | 'db'>;

/** All of a request that koa-ratelimit needs: what it says too late must not reach the answer. */
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

/** One middleware per window, bucket and limit; routes of one bucket with the same limits share its counts. */
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
      // It rounds down, and who came back then would be refused again.
      return 1 + Math.max(0, counted.state.rateLimit?.after ?? 59);
    }
  };
};

/** A Redis that is away counts as not configured. */
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

/** @returns what counts a call of a subject; it throws AppError 429 with the bucket's name. */
export const createThrottles = (counters: Counters): Throttle =>
  throttleBy(sharedCounter(counters), (subject) => counters.nameOf(subject));

/** The same in this process only: for limits that protect the process, and must cost less than what they limit. */
export const createLocalThrottle = (): Throttle =>
  throttleBy(
    counterIn(() => ({ driver: 'memory', db: new Counts() })),
    (subject) => subject,
  );
