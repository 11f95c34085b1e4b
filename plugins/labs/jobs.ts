/** What is tidied up behind the labs. */
import type { Job } from '#core/plugin.ts';
import { openReport, sealReport } from './kept.ts';
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

const BATCH = 50;

/** After APP_SECRET changed: what the secret of before sealed is sealed with the one of today. */
export const resealReports: Job<LabServices> = {
  id: 'reseal_lab_reports',
  summary: 'seal reports anew that an APP_SECRET_PREVIOUS sealed',
  schedule: '41 2 * * *',
  timeoutSeconds: 1_800,
  run: async ({ db, secrets, signal }) => {
    let [after, resealed] = ['', 0];
    for (;;) {
      signal.throwIfAborted();
      const rows = (await db.read((em) =>
        em.execute(`select id, revision, sealed from lab_report where id > ? order by id limit ${BATCH}`, [after]),
      )) as unknown as { id: string; revision: number; sealed: Uint8Array }[];
      for (const { id, revision, sealed } of rows) {
        if (secrets.isCurrent(sealed)) continue;
        await db.write((em) =>
          em.execute('update lab_report set sealed = ? where id = ? and revision = ?', [
            sealReport(secrets, id, openReport(secrets, id, sealed)),
            id,
            revision,
          ]),
        );
        resealed += 1;
      }
      if (rows.length < BATCH) return { resealed };
      after = rows.at(-1)?.id ?? '';
    }
  },
};
