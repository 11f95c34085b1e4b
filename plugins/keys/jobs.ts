import type { Job } from '#core/plugin.ts';
import type { KeyServices } from './services.ts';

const PURGE = `with gone as (delete from quota_window where window_start < now() - interval '2 days' returning 1)
  select count(*)::int as count from gone`;

/** Callers who came once leave two rows each; nobody needs them after the day is over. */
export const purgeQuota: Job<KeyServices> = {
  id: 'purge_quota',
  summary: 'forget the quota windows of past days',
  schedule: '41 2 * * *',
  timeoutSeconds: 600,
  run: async ({ db }) => {
    const [row] = (await db.write((em) => em.execute(PURGE))) as unknown as { count: number }[];
    return { removed: row?.count ?? 0 };
  },
};
