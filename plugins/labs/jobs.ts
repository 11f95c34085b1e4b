/** What is tidied up behind the labs. */
import type { Context, Job } from '#core/plugin.ts';
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

/** Everything that is sealed in rows: the table, how its rows are told apart, and what the seal is bound to. */
const SEALED = [
  { table: 'lab_report', key: 'id', purpose: 'lab_report' },
  { table: 'lab_crop', key: "report_id || '/' || marker_id", purpose: 'lab_crop' },
  { table: 'supplement_log', key: 'log_id::text', purpose: 'supplement_log' },
] as const;

const BATCH = 50;

interface SealedRow {
  readonly id: string;
  readonly sealed: Uint8Array;
}

const resealTable = async (
  { db, secrets, signal }: Context,
  { table, key, purpose }: (typeof SEALED)[number],
): Promise<number> => {
  let [after, resealed] = ['', 0];
  for (;;) {
    signal.throwIfAborted();
    const rows = (await db.read((em) =>
      em.execute(`select ${key} as id, sealed from ${table} where ${key} > ? order by 1 limit ${BATCH}`, [after]),
    )) as unknown as SealedRow[];
    for (const { id, sealed } of rows) {
      if (secrets.isCurrent(sealed)) continue;
      const anew = secrets.seal({ purpose, id }, secrets.open({ purpose, id }, sealed));
      // Not over a change that came meanwhile: that one is sealed with the key of today.
      await db.write((em) =>
        em.execute(`update ${table} set sealed = ? where ${key} = ? and sealed = ?`, [anew, id, Buffer.from(sealed)]),
      );
      resealed += 1;
    }
    if (rows.length < BATCH) return resealed;
    after = rows.at(-1)?.id ?? '';
  }
};

/** After APP_SECRET changed: what the secret of before sealed is sealed with the one of today. */
export const resealReports: Job<LabServices> = {
  id: 'reseal_lab_data',
  summary: 'seal laboratory data anew that an APP_SECRET_PREVIOUS sealed',
  schedule: '41 2 * * *',
  timeoutSeconds: 1_800,
  run: async (context) => {
    let resealed = 0;
    for (const sealed of SEALED) resealed += await resealTable(context, sealed);
    return { resealed };
  },
};
