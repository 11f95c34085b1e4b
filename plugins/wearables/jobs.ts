/** What is tidied up behind the wearables. */
import { resealTables, type SealedTable } from '#core/db/reseal.ts';
import type { Job } from '#core/plugin.ts';
import type { WearableServices } from './services.ts';

export const sweepImports: Job<WearableServices> = {
  id: 'sweep_wearable_imports',
  summary: 'remove phone exports that wait for no reading any more',
  schedule: '27 * * * *',
  timeoutSeconds: 600,
  run: async ({ services, db }) => ({
    removed: await services.files.sweep(async (importIds) => {
      const rows = (await db.read((em) =>
        em.execute(
          `select id from wearable_import where id in (select jsonb_array_elements_text(?::jsonb)) and state <> 'ready'`,
          [JSON.stringify(importIds)],
        ),
      )) as unknown as { id: string }[];
      return new Set(rows.map(({ id }) => id));
    }),
  }),
};

const SEALED: readonly SealedTable[] = [
  {
    table: 'wearable_daily',
    key: "device || '/' || to_char(day, 'YYYY-MM-DD') || '/' || source",
    purpose: 'wearable_day',
  },
  { table: 'wearable_import', key: 'id', purpose: 'wearable_import' },
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
