import { inBatches } from '#core/db/batches.ts';
import type { Job } from '#core/plugin.ts';
import type { KeyServices } from './services.ts';

const WINDOWS = `with old as (select subject, bucket from quota_window where window_start < now() - interval '2 days' limit ?),
  gone as (delete from quota_window q using old where q.subject = old.subject and q.bucket = old.bucket
    and q.window_start < now() - interval '2 days' returning 1)
  select count(*)::int as count from gone`;

/** Callers who came once leave two rows each; nobody needs them after the day is over. */
export const purgeQuota: Job<KeyServices> = {
  id: 'purge_quota',
  summary: 'forget the quota windows of past days',
  schedule: '41 2 * * *',
  timeoutSeconds: 600,
  run: async (context) => ({ removed: await inBatches(context, WINDOWS) }),
};

/** Days are those of UTC, as the recorder writes them. */
const USAGE = `with old as (select key_id, day, route from key_usage
    where day < (now() at time zone 'utc')::date - ?::integer limit ?),
  gone as (delete from key_usage u using old
    where u.key_id = old.key_id and u.day = old.day and u.route = old.route returning 1)
  select count(*)::int as count from gone`;

export const purgeUsage: Job<KeyServices> = {
  id: 'purge_key_usage',
  summary: 'forget how much keys were used long ago',
  schedule: '47 2 * * *',
  timeoutSeconds: 600,
  run: async (context) => ({
    removed: await inBatches(context, USAGE, [context.config.integer('USAGE_KEEP_DAYS')]),
  }),
};
