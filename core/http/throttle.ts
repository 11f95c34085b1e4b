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

/** One middleware per window, bucket and limit; routes of one bucket with the same limits share its counts. */
export const createThrottles = () => {
  const counters = new Map<string, Koa.Middleware>();
  const counterOf = (bucket: string, limit: number, duration: number): Koa.Middleware => {
    const name = `${bucket} ${limit} ${duration}`;
    const known = counters.get(name);
    if (known) return known;
    const counter = ratelimit({
      driver: 'memory',
      db: new Map(),
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
        const seconds = Math.max(
          1,
          Number((ctx.state as unknown as { rateLimit?: { after?: number } }).rateLimit?.after ?? 60),
        );
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
