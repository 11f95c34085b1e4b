/**
 * Counts requests in two fixed windows (the UTC minute and the UTC day) per caller, exactly under concurrency and across
 * processes: with one script in Redis, by its clock, or with one upsert that the database serializes per row.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Counters } from '#core/counters/counters.ts';
import { redisScript } from '#core/counters/redis.ts';
import type { Bucket } from '#core/http/gatekeeper.ts';

const WINDOWS = { minute: 60, day: 86_400 } as const;

/** A call that waited for the row lock across a window boundary is counted in the window that the row has by then. */
const CHARGE = `
  insert into quota_window as held (subject, bucket, window_start, used)
  values (?, 'minute', date_trunc('minute', now() at time zone 'UTC') at time zone 'UTC', 1),
         (?, 'day', date_trunc('day', now() at time zone 'UTC') at time zone 'UTC', 1)
  on conflict (subject, bucket) do update set
    used = case when held.window_start >= excluded.window_start then held.used + 1 else 1 end,
    window_start = greatest(held.window_start, excluded.window_start)
  returning bucket, used, extract(epoch from window_start)::float8 as started, extract(epoch from now())::float8 as now`;

interface ChargedRow {
  readonly bucket: 'minute' | 'day';
  readonly used: number;
  readonly started: number;
  readonly now: number;
}

export interface Limits {
  readonly rpmLimit: number;
  readonly dailyLimit: number;
}

const bucketOf = (row: ChargedRow, limits: Limits): Bucket => {
  const windowSeconds = WINDOWS[row.bucket];
  return {
    name: row.bucket,
    limit: row.bucket === 'minute' ? limits.rpmLimit : limits.dailyLimit,
    used: row.used,
    windowSeconds,
    resetSeconds: Math.max(1, Math.ceil(Number(row.started) + windowSeconds - Number(row.now))),
  };
};

const bucketsOf = (rows: readonly ChargedRow[], limits: Limits): readonly Bucket[] =>
  rows.toSorted((a, b) => WINDOWS[a.bucket] - WINDOWS[b.bucket]).map((row) => bucketOf(row, limits));

const CURRENT = `
  select bucket, used, extract(epoch from window_start)::float8 as started, extract(epoch from now())::float8 as now
  from quota_window where subject = ?`;

/** Returns the current windows. A window that has passed counts as empty. */
const currentRows = (rows: readonly ChargedRow[]): readonly ChargedRow[] => {
  const now = rows[0] ? Number(rows[0].now) : Date.now() / 1000;
  return (['minute', 'day'] as const).map((bucket) => {
    const started = Math.floor(now / WINDOWS[bucket]) * WINDOWS[bucket];
    const row = rows.find((candidate) => candidate.bucket === bucket && Number(candidate.started) >= started);
    return { bucket, used: row?.used ?? 0, started, now };
  });
};

/**
 * Adds ARGV[1] calls (0 only reads) to both windows of one caller. Setting the clock back does not reopen a window. Returns
 * the start and use of the minute, those of the day, and the Redis time in whole seconds and microseconds.
 */
const COUNT = redisScript(`
  local t = redis.call('TIME')
  local now = tonumber(t[1])
  local held = redis.call('HMGET', KEYS[1], 'minute', 'minute_used', 'day', 'day_used')
  local function window(start, used, seconds)
    local current = now - now % seconds
    if start and tonumber(start) >= current then return tonumber(start), tonumber(used) end
    return current, 0
  end
  local minute, minute_used = window(held[1], held[2], 60)
  local day, day_used = window(held[3], held[4], 86400)
  local calls = tonumber(ARGV[1])
  if calls > 0 then
    minute_used = minute_used + calls
    day_used = day_used + calls
    redis.call('HSET', KEYS[1], 'minute', minute, 'minute_used', minute_used, 'day', day, 'day_used', day_used)
    redis.call('EXPIREAT', KEYS[1], day + 86400)
  end
  return {minute, minute_used, day, day_used, now, tonumber(t[2])}`);

type Counted = readonly [number, number, number, number, number, number];

const redisRows = (value: unknown): readonly ChargedRow[] => {
  const [minute, minuteUsed, day, dayUsed, seconds, micros] = value as Counted;
  const now = seconds + micros / 1_000_000;
  return [
    { bucket: 'minute', used: minuteUsed, started: minute, now },
    { bucket: 'day', used: dayUsed, started: day, now },
  ];
};

export interface Quota {
  /** Counts one call of `subject` in both windows. */
  charge(subject: string, limits: Limits): Promise<readonly Bucket[]>;
  /** Returns the use so far, without counting. */
  read(subject: string, limits: Limits): Promise<readonly Bucket[]>;
}

/** Creates the quota. An unavailable Redis is treated as not configured. */
export const createQuota = ({ redis, db }: Counters): Quota => {
  const inRedis = async (subject: string, calls: number): Promise<readonly ChargedRow[] | null> => {
    const counted = await redis?.run(COUNT, `quota:${subject}`, [calls]);
    return counted ? redisRows(counted.value) : null;
  };
  // A single statement is atomic. When it is repeated after a failover of the database, it may count a call twice.
  const inDatabase = (sql: string, parameters: readonly string[]): Promise<ChargedRow[]> =>
    db.read((em: EntityManager) => em.execute(sql, [...parameters])) as Promise<unknown> as Promise<ChargedRow[]>;
  return {
    charge: async (subject, limits) =>
      bucketsOf((await inRedis(subject, 1)) ?? (await inDatabase(CHARGE, [subject, subject])), limits),
    read: async (subject, limits) =>
      bucketsOf((await inRedis(subject, 0)) ?? currentRows(await inDatabase(CURRENT, [subject])), limits),
  };
};
