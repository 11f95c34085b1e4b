/** What the labs plugin keeps running: the queue, and the process that reads. */
import type { Host } from '#core/plugin.ts';
import { type Book, biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import type { DayKeeper } from './days/keeper.ts';
import { labHolding } from './holding.ts';
import type { Report } from './kept.ts';
import { type ReadingQueue, startQueue } from './queue.ts';
import { bookedReader } from './reader.ts';
import { labUploads, type Uploads } from './uploads.ts';

export interface LabServices {
  readonly queue: ReadingQueue;
  readonly uploads: Uploads;
  /** Called by a plugin as it starts that keeps days of a device: they stand beside its values. */
  besides(keeper: DayKeeper): void;
  readonly keepers: readonly DayKeeper[];
  book(): Promise<Book>;
  /** Null when there is none. */
  stateOf(reportId: string): Promise<Report['state'] | null>;
  /** Reports of all devices that are not read yet. */
  waiting(): Promise<number>;
  stop(): Promise<void>;
}

export const startLabs = (host: Host): LabServices => {
  const { db, log, secrets, models } = host;
  const biomarkers = host.use(biomarkersPlugin);
  const uploads = labUploads(host.objects, secrets);
  const reader = bookedReader({ book: () => biomarkers.book(), vision: models.vision });
  const queue = startQueue({ db, log, secrets, uploads, reader, isServing: host.role === 'serve' });
  host.use(devicesPlugin).hold(labHolding({ secrets, uploads, book: () => biomarkers.book() }));
  const keepers: DayKeeper[] = [];
  return {
    queue,
    uploads,
    besides: (keeper) => void keepers.push(keeper),
    keepers,
    book: () => biomarkers.book(),
    stateOf: async (reportId) => {
      const [row] = (await db.read((em) =>
        em.execute('select state from lab_report where id = ?', [reportId]),
      )) as unknown as { state: Report['state'] }[];
      return row?.state ?? null;
    },
    waiting: async () => {
      const [row] = (await db.read((em) =>
        em.execute("select count(*)::int as n from lab_report where state <> 'ready'"),
      )) as unknown as { n: number }[];
      return row?.n ?? 0;
    },
    stop: () => queue.stop(),
  };
};
