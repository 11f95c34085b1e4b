/** Fixed limits of single routes (votes, uploads, feedback), beside the quota: koa-ratelimit counts, we word the answer. */
import type Koa from 'koa';
import ratelimit from 'koa-ratelimit';
import { coreErrors } from '../errors.ts';
import type { ThrottleRule } from '../plugin.ts';
import type { HttpContext } from './request-state.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const windowsOf = ({ perMinute, perDay }: ThrottleRule) => [
  { limit: perMinute, duration: MINUTE },
  ...(perDay ? [{ limit: perDay, duration: DAY }] : []),
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

/** One middleware per window, bucket and limit; routes of one bucket with the same limits share its counts. */
export const createThrottles = () => {
  const counters = new Map<string, Koa.Middleware>();
  const counterOf = (bucket: string, limit: number, duration: number): Koa.Middleware => {
    const name = `${bucket} ${limit} ${duration}`;
    const known = counters.get(name);
    if (known) return known;
    const counter = ratelimit({
      driver: 'memory',
      db: new Counts(),
      duration,
      max: limit,
      id: (ctx) => String(ctx.state.throttledAs),
      disableHeader: true,
      throw: true,
    });
    counters.set(name, counter as unknown as Koa.Middleware);
    return counter as unknown as Koa.Middleware;
  };
  /** @throws AppError 429 with the bucket's name. */
  return async (ctx: HttpContext, rule: ThrottleRule, subject: string): Promise<void> => {
    (ctx.state as unknown as Record<string, unknown>).throttledAs = subject;
    for (const { limit, duration } of windowsOf(rule)) {
      try {
        await counterOf(rule.bucket, limit, duration)(ctx as never, async () => undefined);
      } catch (error) {
        if ((error as { status?: number }).status !== 429) throw error;
        // It rounds down, and who came back then would be refused again.
        const seconds = 1 + Number((ctx.state as unknown as { rateLimit?: { after?: number } }).rateLimit?.after ?? 59);
        throw coreErrors.quota_exceeded(
          { bucket: rule.bucket, used: limit + 1, limit },
          {
            headers: { 'Retry-After': String(seconds) },
            body: { 'violated-policies': [rule.bucket], retry_after: seconds },
          },
        );
      }
    }
  };
};

export type Throttle = ReturnType<typeof createThrottles>;
