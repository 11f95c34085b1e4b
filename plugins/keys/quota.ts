/**
 * Two fixed windows (the UTC minute and the UTC day) per caller, counted by one upsert: exact under concurrency and
 * across processes, because the database serialises the row.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Bucket } from '#core/http/gatekeeper.ts';

const WINDOWS = { minute: 60, day: 86_400 } as const;

/** A call that began in the window before, and waited for the row, counts in the window that the row is in by then. */
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

/** Counts one call of `subject` in both windows. */
export const chargeQuota = async (em: EntityManager, subject: string, limits: Limits): Promise<readonly Bucket[]> => {
  const rows = (await em.execute(CHARGE, [subject, subject])) as unknown as ChargedRow[];
  const order = rows.toSorted((a, b) => WINDOWS[a.bucket] - WINDOWS[b.bucket]);
  return order.map((row) => bucketOf(row, limits));
};

const CURRENT = `
  select bucket, used, extract(epoch from window_start)::float8 as started, extract(epoch from now())::float8 as now
  from quota_window where subject = ?`;

/** What was used so far, without counting; a window that has passed counts as empty. */
export const readQuota = async (em: EntityManager, subject: string, limits: Limits): Promise<readonly Bucket[]> => {
  const rows = (await em.execute(CURRENT, [subject])) as unknown as ChargedRow[];
  const now = rows[0] ? Number(rows[0].now) : Date.now() / 1000;
  return (['minute', 'day'] as const).map((bucket) => {
    const started = Math.floor(now / WINDOWS[bucket]) * WINDOWS[bucket];
    const row = rows.find((candidate) => candidate.bucket === bucket && Number(candidate.started) >= started);
    return bucketOf({ bucket, used: row?.used ?? 0, started, now }, limits);
  });
};
