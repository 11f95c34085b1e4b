/** Scheduled jobs of the labs plugin: removal of files and resealing. */
import { resealTables, type SealedTable } from '#core/db/reseal.ts';
import type { Job } from '#core/plugin.ts';
import type { LabServices } from './services.ts';

export const sweepUploads: Job<LabServices> = {
  id: 'sweep_lab_uploads',
  summary: 'remove uploaded report files that wait for no reading any more',
  schedule: '17 * * * *',
  timeoutSeconds: 600,
  run: async ({ services, db }) => ({
    removed: await services.uploads.sweep(async (reportIds) => {
      const rows = (await db.read((em) =>
        em.execute(`select id from lab_report where id in (select jsonb_array_elements_text(?::jsonb)) and files > 0`, [
          JSON.stringify(reportIds),
        ]),
      )) as unknown as { id: string }[];
      return new Set(rows.map(({ id }) => id));
    }),
  }),
};

const SEALED: readonly SealedTable[] = [
  { table: 'lab_report', key: 'id', purpose: 'lab_report' },
  { table: 'lab_crop', key: "report_id || '/' || marker_id", purpose: 'lab_crop' },
  { table: 'supplement_log', key: 'log_id::text', purpose: 'supplement_log' },
];

/** Reseals data after a change of APP_SECRET: data sealed with the previous secret are sealed with the current one. */
export const resealReports: Job<LabServices> = {
  id: 'reseal_lab_data',
  summary: 'seal laboratory data anew that an APP_SECRET_PREVIOUS sealed',
  schedule: '41 2 * * *',
  timeoutSeconds: 1_800,
  run: async (context) => ({ resealed: await resealTables(context, SEALED) }),
};
