/**
 * Stores rate limits in a database that several nodes share, with the interface of koa-ratelimit's Redis driver: it calls
 * `ratelimiter` with a key, and expects the number of calls left before this one and the end of the window.
 */
import type { Database } from '../plugin.ts';

/** A window starts with its first call. A call that waited for the row lock until the window had ended starts the next one. */
const HIT = `
  insert into throttle_window as held (id, ends_at, used) values (?, now() + ?::float8 * interval '1 millisecond', 1)
  on conflict (id) do update set
    used = case when held.ends_at > now() then held.used + 1 else 1 end,
    ends_at = case when held.ends_at > now() then held.ends_at else excluded.ends_at end
  returning used, extract(epoch from ends_at - now())::float8 as left`;

export interface RateStore {
  /**
   * Counts a call.
   * @returns calls left before this one, the end of the window (Unix time in seconds), the limit
   */
  ratelimiter(key: string, now: number, durationMs: number, max: number): Promise<[number, number, number]>;
}

export const throttleTable = (db: Database): RateStore => ({
  ratelimiter: async (key, _now, durationMs, max) => {
    const rows = await db.read((em) => em.execute(HIT, [key, durationMs]));
    const [{ used, left }] = rows as unknown as [{ readonly used: number; readonly left: number }];
    return [Math.max(0, max - used + 1), Math.floor(Date.now() / 1000 + Number(left)), max];
  },
});
