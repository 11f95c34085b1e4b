/** Implements the export, move and erasure of the laboratory data of a device. */
import type { Secrets } from '#core/secrets.ts';
import type { Book } from '#plugins/biomarkers/index.ts';
import type { Holding } from '#plugins/devices/index.ts';
import { readResources } from './fhir/resources.ts';
import { historyOf } from './history.ts';
import { shownReport } from './shown.ts';
import { readAll } from './store.ts';
import { eraseLog, moveLog, readLog } from './supplements/log-store.ts';
import { keptEntryJson } from './supplements/shown-entry.ts';
import type { Uploads } from './uploads.ts';

interface Parts {
  readonly secrets: Secrets;
  readonly uploads: Uploads;
  book(): Promise<Book>;
}

const counted = (what: string, count: number) => (count ? [{ what, count }] : []);

export const labHolding = ({ secrets, uploads, book }: Parts): Holding => {
  /** Reports that were erased before they were read, and whose files are to be removed. */
  const left: { readonly id: string; readonly files: number }[] = [];
  return {
    name: 'labs',
    tables: ['lab_report', 'lab_crop', 'supplement_log'],
    counts: async (em, device) => {
      const reports = await readAll({ em, secrets, device });
      const values = reports.flatMap(({ markers }) => markers);
      return [
        ...counted('laboratory reports', reports.length),
        ...counted('values in them', values.length),
        ...counted('of these confirmed by you', values.filter(({ confirmed }) => confirmed).length),
        ...counted('supplements and medicines', (await readLog({ em, secrets, device })).length),
      ];
    },
    exported: async (em, device) => {
      const [known, reports] = [await book(), await readAll({ em, secrets, device })];
      return {
        reports: reports.map((report) => shownReport(known, report)),
        biomarker_history: historyOf(known, reports).map(({ marker, draws }) => ({
          slug: marker.slug,
          name: marker.name,
          unit: marker.ucum,
          values: draws.map(({ day, isDrawDay, reportId, value, assessed }) => ({
            day,
            is_draw_day: isDrawDay,
            report_id: reportId,
            value,
            comparator: assessed.kept.comparator,
            flag: assessed.flag,
          })),
        })),
        supplement_logs: (await readLog({ em, secrets, device })).map(keptEntryJson),
      };
    },
    resources: async (em, device) => readResources({ em, secrets, device }, await book()),
    erase: async (em, device) => {
      left.push(
        ...((await em.execute('select id, files from lab_report where device = ? and files > 0', [
          device,
        ])) as unknown as { id: string; files: number }[]),
      );
      await em.execute('delete from lab_report where device = ?', [device]);
      await eraseLog({ em, device });
    },
    move: async (em, { from, to }) => {
      await em.execute('update lab_report set device = ? where device = ?', [to, from]);
      await moveLog(em, { from, to });
    },
    erased: async () => {
      for (const { id, files } of left.splice(0)) await uploads.remove(id, files);
    },
  };
};
