/** Queue of reports that wait to be read; each is claimed in its row (core/jobs/claimed-rows.ts). */
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ClaimedRow, isSuspect, type RowRun, startClaimedRows } from '#core/jobs/claimed-rows.ts';
import { Permission } from '#core/models/permission.ts';
import type { Host } from '#core/plugin.ts';
import type { ReadingBudget } from '#core/readers/reading-budget.ts';
import type { Secrets } from '#core/secrets.ts';
import type { FileOutcome, Reading, TestType } from './report.ts';
import type { SealedReport } from './sealed-report.ts';
import { keptFromReading, openReport, sealReport } from './sealed-report.ts';
import type { Uploads } from './uploads.ts';

/** Interface between the queue and the reading process. */
export interface ReportReader {
  read(
    files: readonly { readonly name: string; readonly bytes: () => Promise<Buffer | null> }[],
    options: {
      readonly testType: TestType;
      /** Permission to send pages to a vision model; with null they stay here. */
      readonly permission: Permission | null;
      readonly onProgress: (progress: ReadingProgress) => void;
      readonly onSpent: (seconds: number) => void;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly reading: Reading; readonly crops: ReadonlyMap<number, Buffer> }>;
  stop(): Promise<void>;
}

export interface ReadingProgress {
  readonly stage: 'opening' | 'text' | 'letters' | 'values';
  readonly page: number;
  readonly pages: number;
}

interface Claimed extends ClaimedRow {
  readonly test_type: TestType;
  readonly files: number;
  readonly sealed: Uint8Array;
}

export interface ReadingQueue {
  /** Notifies the queue that a report waits. */
  wake(): void;
  /** Returns the number of unread reports of all devices. */
  length(): Promise<number>;
  /** Returns the progress of a report that this process reads; null for all others. */
  progressOf(reportId: string): ReadingProgress | null;
  stop(): Promise<void>;
}

interface Parts extends Pick<Host, 'db' | 'log'> {
  /** False in an operator's command, which reads no reports. */
  readonly isServing: boolean;
  readonly secrets: Secrets;
  readonly uploads: Uploads;
  readonly reader: ReportReader;
  readonly budget: ReadingBudget;
}

export const startQueue = (parts: Parts): ReadingQueue => {
  const { db, log, reader, isServing, budget } = parts;
  const progress = new Map<string, ReadingProgress>();
  const { wake, stop } = startClaimedRows<Claimed>({
    db,
    log,
    isServing,
    budget,
    table: 'lab_report',
    columns: ['test_type', 'files', 'sealed'],
    work: (claimed, run) =>
      readClaimed(parts, claimed, {
        ...run,
        onProgress: (now) => void progress.set(claimed.id, now),
      }).finally(() => progress.delete(claimed.id)),
  });
  return {
    wake,
    length: async () => {
      const [row] = (await db.read((em) =>
        em.execute("select count(*)::int as n from lab_report where state <> 'ready'"),
      )) as unknown as { n: number }[];
      return row?.n ?? 0;
    },
    progressOf: (reportId) => progress.get(reportId) ?? null,
    stop: async () => {
      const stopped = stop();
      await reader.stop();
      await stopped;
    },
  };
};

const readClaimed = async (
  { db, log, secrets, uploads, reader }: Parts,
  claimed: Claimed,
  run: RowRun & { readonly onProgress: (progress: ReadingProgress) => void },
): Promise<void> => {
  const before = openReport(secrets, claimed.id, claimed.sealed);
  const { kept, crops } = await readFiles(before);
  if (run.signal.aborted) return;
  await db.write((em) => keepReading(em, { secrets, reportId: claimed.id, kept, crops }));
  await uploads.remove(claimed.id, claimed.files);

  async function readFiles(report: SealedReport) {
    if (isSuspect(claimed)) return { kept: withOutcome(report, 'interrupted'), crops: new Map<number, Buffer>() };
    const files = Array.from({ length: claimed.files }, (_, at) => ({
      name: report.files[at]?.name ?? '',
      bytes: () => uploads.get(claimed.id, at),
    }));
    try {
      const { reading, crops } = await reader.read(files, {
        testType: claimed.test_type,
        permission: Permission.ofPerson(report.mayUseModel),
        ...run,
      });
      return { kept: keptFromReading(report, reading, (index) => crops.has(index)), crops };
    } catch (error) {
      // The file and its content are private, so the message of the error is not logged.
      log.warn('lab_report_not_read', { reason: error instanceof Error ? error.name : 'unknown' });
      return { kept: withOutcome(report, 'damaged'), crops: new Map<number, Buffer>() };
    }
  }
};

const withOutcome = (report: SealedReport, outcome: FileOutcome): SealedReport => ({
  ...report,
  files: report.files.map((file) => ({ ...file, outcome })),
});

interface Kept {
  readonly secrets: Secrets;
  readonly reportId: string;
  readonly kept: SealedReport;
  readonly crops: ReadonlyMap<number, Buffer>;
}

/** Stores a reading. Nothing is stored if the report was deleted during the reading. */
const keepReading = async (em: EntityManager, { secrets, reportId, kept, crops }: Kept): Promise<void> => {
  const rows = (await em.execute(
    `update lab_report set sealed = ?, state = 'ready', files = 0, waiting_bytes = 0, sender = null, claimed_until = null,
       revision = revision + 1,
       updated_at = now() where id = ? and state = 'reading' returning 1`,
    [sealReport(secrets, reportId, kept), reportId],
  )) as unknown as unknown[];
  if (!rows.length) return;
  for (const [index, picture] of crops) {
    const markerId = kept.markers[index]?.markerId;
    if (!markerId) continue;
    await em.execute('insert into lab_crop (report_id, marker_id, sealed) values (?, ?, ?)', [
      reportId,
      markerId,
      secrets.seal({ purpose: 'lab_crop', id: `${reportId}/${markerId}` }, picture),
    ]);
  }
};
