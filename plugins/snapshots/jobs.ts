import type { Job } from '#core/plugin.ts';
import type { SnapshotServices } from './services.ts';
import { failedLately, newestSnapshot } from './store.ts';

const DAY_MS = 86_400_000;

/** Returns when the data are next compared with the newest snapshot; null when this instance makes no snapshots. */
export const nextAt = (newest: { readonly checkedAt: string } | null, everyDays: number, now: Date): Date | null => {
  if (!everyDays) return null;
  return newest ? new Date(Date.parse(newest.checkedAt) + everyDays * DAY_MS) : now;
};

/**
 * Makes a snapshot when one is due, the first one within minutes of startup; the scheduler postpones it while long background
 * work is running.
 */
export const makeSnapshot: Job<SnapshotServices> = {
  id: 'make_snapshot',
  summary: 'makes a snapshot of the data where they changed, and removes the oldest',
  schedule: '*/10 * * * *',
  timeoutSeconds: 7_200,
  enabled: (config) => config.integer('SNAPSHOT_EVERY_DAYS') > 0,
  due: async ({ db, config }) => {
    const now = new Date();
    const newest = await db.read(newestSnapshot);
    const next = nextAt(newest, config.integer('SNAPSHOT_EVERY_DAYS'), now);
    return next !== null && next <= now && !(await db.read((em) => failedLately(em, 'make_snapshot')));
  },
  run: (context) => context.services.publish(context),
};
