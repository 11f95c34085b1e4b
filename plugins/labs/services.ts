/** Services of the labs plugin: the queue, and the reading process. */
import type { Host } from '#core/plugin.ts';
import { createReadingBudget, type ReadingBudget } from '#core/readers/reading-budget.ts';
import { createReadingTurns, type ReadingTurns } from '#core/readers/reading-turns.ts';
import { type Book, biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import type { DayKeeper } from './days/keeper.ts';
import type { FhirReader } from './fhir/process.ts';
import { labHolding } from './holding.ts';
import { type ReadingQueue, startQueue } from './queue.ts';
import { bookedFhirReader, bookedReader } from './reader.ts';
import type { Report } from './sealed-report.ts';
import { labUploads, type Uploads } from './uploads.ts';

export interface LabServices {
  readonly queue: ReadingQueue;
  readonly uploads: Uploads;
  /** Processor time per sender, shared with files that other plugins read. */
  readonly budget: ReadingBudget;
  /** Permits to read FHIR files, which are read during the request. */
  readonly turns: ReadingTurns;
  readonly readFhir: FhirReader['read'];
  /** Registers a plugin that stores days of a device, which are shown beside its values; called when that plugin starts. */
  besides(keeper: DayKeeper): void;
  readonly keepers: readonly DayKeeper[];
  book(): Promise<Book>;
  /** Returns the state of a report; null if it does not exist. */
  stateOf(reportId: string): Promise<Report['state'] | null>;
  stop(): Promise<void>;
}

/** Number of concurrent FHIR reads, which equals the number of processes: see fhir/process.ts. */
const FHIR_AT_ONCE = 2;

export const startLabs = (host: Host): LabServices => {
  const { db, log, secrets, models } = host;
  const biomarkers = host.use(biomarkersPlugin);
  const uploads = labUploads(host.objects, secrets);
  const reader = bookedReader({ book: () => biomarkers.book(), vision: models.vision });
  const budget = createReadingBudget(host.counters);
  const fhir = bookedFhirReader(() => biomarkers.book());
  const queue = startQueue({ db, log, secrets, uploads, reader, budget, isServing: host.role === 'serve' });
  host.use(devicesPlugin).hold(labHolding({ secrets, uploads, book: () => biomarkers.book() }));
  const keepers: DayKeeper[] = [];
  return {
    queue,
    uploads,
    budget,
    turns: createReadingTurns(budget, FHIR_AT_ONCE),
    readFhir: fhir.read,
    besides: (keeper) => void keepers.push(keeper),
    keepers,
    book: () => biomarkers.book(),
    stateOf: async (reportId) => {
      const [row] = (await db.read((em) =>
        em.execute('select state from lab_report where id = ?', [reportId]),
      )) as unknown as { state: Report['state'] }[];
      return row?.state ?? null;
    },
    stop: async () => {
      await Promise.all([queue.stop(), fhir.stop()]);
    },
  };
};
