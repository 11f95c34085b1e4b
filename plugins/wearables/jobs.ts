/** Scheduled jobs of the wearables plugin: removal of files, resealing and synchronisation. */
import { resealTables, type SealedTable } from '#core/db/reseal.ts';
import type { Job } from '#core/plugin.ts';
import { expireUploads } from './imports/uploads.ts';
import type { WearableServices } from './services.ts';

export const sweepImports: Job<WearableServices> = {
  id: 'sweep_wearable_imports',
  summary: 'remove phone exports that wait for no reading any more, and uploads that were never finished',
  schedule: '27 * * * *',
  timeoutSeconds: 600,
  run: async ({ services: { files }, db }) => {
    const expired = await db.write(expireUploads);
    for (const importId of expired) await files.remove(importId);
    const removed = await files.sweep(async (importIds) => {
      const rows = (await db.read((em) =>
        em.execute(
          `with asked as (select jsonb_array_elements_text(?::jsonb) as id)
           select id from asked where id in (select id from wearable_import where state <> 'ready')
             or id in (select 'imp_' || id from wearable_upload where done_at is null)`,
          [JSON.stringify(importIds)],
        ),
      )) as unknown as { id: string }[];
      return new Set(rows.map(({ id }) => id));
    });
    return { removed, expired: expired.length };
  },
};

const SEALED: readonly SealedTable[] = [
  {
    table: 'wearable_daily',
    key: "device || '/' || to_char(day, 'YYYY-MM-DD') || '/' || source",
    purpose: 'wearable_day',
  },
  { table: 'wearable_import', key: 'id', purpose: 'wearable_import' },
  { table: 'wearable_upload', key: 'id', purpose: 'wearable_upload' },
  { table: 'wearable_connection', key: "device || '/' || vendor", purpose: 'wearable_token' },
  { table: 'wearable_revocation', key: 'id', purpose: 'wearable_revocation' },
];

export const resealDays: Job<WearableServices> = {
  id: 'reseal_wearable_data',
  summary: 'seal data of wearables anew that an APP_SECRET_PREVIOUS sealed',
  schedule: '51 2 * * *',
  timeoutSeconds: 1_800,
  run: async (context) => ({ resealed: await resealTables(context, SEALED) }),
};

export const syncWearables: Job<WearableServices> = {
  id: 'sync_wearables',
  summary: 'fetch the days of connected vendors that are due, and end grants that are to end',
  schedule: '*/10 * * * *',
  timeoutSeconds: 1_800,
  run: async ({ services, signal }) => services.syncs.run(signal),
};
