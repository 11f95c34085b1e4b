import { inBatches } from '#core/db/batches.ts';
import type { Job } from '#core/plugin.ts';
import type { KeyServices } from './services.ts';

const WINDOWS = `with old as (select subject, bucket from quota_window where window_start < now() - interval '2 days' limit ?),
  gone as (delete from quota_window q using old where q.subject = old.subject and q.bucket = old.bucket
    and q.window_start < now() - interval '2 days' returning 1)
  select count(*)::int as count from gone`;

/** Deletes quota windows: each caller has two rows, which nobody needs after the end of the day. */
export const purgeQuota: Job<KeyServices> = {
  id: 'purge_quota',
  summary: 'forget the quota windows of past days',
  schedule: '41 2 * * *',
  timeoutSeconds: 600,
  run: async (context) => ({ removed: await inBatches(context, WINDOWS) }),
};

/** Days are in UTC, as the recorder writes them. */
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

const THROTTLES = `with old as (select id from throttle_window where ends_at < now() limit ?),
  gone as (delete from throttle_window w using old where w.id = old.id and w.ends_at < now() returning 1)
  select count(*)::int as count from gone`;

const PLACES = `with old as (select name from lease
    where name like 'place:%' and expires_at < now() - interval '1 hour' limit ?),
  gone as (delete from lease l using old where l.name = old.name and l.expires_at < now() - interval '1 hour' returning 1)
  select count(*)::int as count from gone`;

const WARNINGS = `with old as (select holder_id, day, level from quota_warning
    where day < (now() at time zone 'utc')::date - 2 limit ?),
  gone as (delete from quota_warning w using old
    where w.holder_id = old.holder_id and w.day = old.day and w.level = old.level returning 1)
  select count(*)::int as count from gone`;

/** Deletes expired limits of single routes, slots of terminated nodes, and warnings of past days. */
export const purgeThrottles: Job<KeyServices> = {
  id: 'purge_throttles',
  summary: 'forget limits of single routes whose time is over',
  schedule: '23 * * * *',
  timeoutSeconds: 600,
  run: async (context) => ({
    windows: await inBatches(context, THROTTLES),
    places: await inBatches(context, PLACES),
    warnings: await inBatches(context, WARNINGS),
  }),
};

/** A row without a reply belongs to a request in progress, or to one whose process was terminated. */
const ANSWERS = `with old as (select id from idempotent_request where created_at < now() - interval '24 hours' limit ?),
  gone as (delete from idempotent_request r using old
    where r.id = old.id and r.created_at < now() - interval '24 hours' returning 1)
  select count(*)::int as count from gone`;

export const purgeAnswers: Job<KeyServices> = {
  id: 'purge_idempotent_answers',
  summary: 'forget what was answered to requests with an Idempotency-Key',
  schedule: '11 * * * *',
  timeoutSeconds: 600,
  run: async (context) => ({ removed: await inBatches(context, ANSWERS) }),
};
