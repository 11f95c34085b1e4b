/**
 * Reports that wait to be read, one at a time in this process, each claimed in its row: a server that is killed loses
 * nothing, and of several servers one reads each.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database, Host } from '#core/plugin.ts';
import type { Secrets } from '#core/secrets.ts';
import type { KeptReport } from './kept.ts';
import { keptFromReading, openReport, sealReport } from './kept.ts';
import type { FileOutcome, Reading, TestType } from './report.ts';
import type { Uploads } from './uploads.ts';

/** What stands between the queue and the reading process. */
export interface ReportReader {
  read(
    files: readonly { readonly name: string; readonly bytes: Buffer }[],
    options: {
      readonly testType: TestType;
      readonly onProgress: (progress: ReadingProgress) => void;
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

interface Claimed {
  readonly id: string;
  readonly test_type: TestType;
  readonly files: number;
  readonly attempts: number;
  readonly sealed: Uint8Array;
}

export interface ReadingQueue {
  /** Something waits now. */
  wake(): void;
  /** Of a report that this process reads; null for all others. */
  progressOf(reportId: string): ReadingProgress | null;
  stop(): Promise<void>;
}

/** A claim that nobody renews for so long is another's. */
const CLAIM_SECONDS = 120;
const RENEW_MS = 30_000;
/** How often it is looked for what another server left behind. */
const LOOK_MS = 30_000;
/** A report that took a server down this often is not tried again. */
const MOST_ATTEMPTS = 3;

const CLAIM = `update lab_report set state = 'reading', attempts = attempts + 1,
    claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
  where id = (select id from lab_report where state = 'waiting' or (state = 'reading' and claimed_until < now())
    order by created_at limit 1 for update skip locked)
  returning id, test_type, files, attempts, sealed`;

const FREE_ALL = `update lab_report set state = 'waiting', claimed_until = null where state = 'reading'`;

const claimNext = async (db: Database): Promise<Claimed | null> => {
  const rows = (await db.write((em) => em.execute(CLAIM))) as unknown as Claimed[];
  return rows[0] ?? null;
};

interface Parts extends Pick<Host, 'db' | 'log'> {
  /** A command of an operator reads nothing. */
  readonly isServing: boolean;
  readonly secrets: Secrets;
  readonly uploads: Uploads;
  readonly reader: ReportReader;
}

export const startQueue = (parts: Parts): ReadingQueue => {
  const { db, log } = parts;
  const stopping = new AbortController();
  const progress = new Map<string, ReadingProgress>();
  let running: Promise<void> | null = null;
  let isFirst = true;
  const drain = async (): Promise<void> => {
    // The embedded database has one server: what was being read when the last one died is nobody's now.
    if (isFirst && db.kind === 'pglite') await db.write((em) => em.execute(FREE_ALL));
    isFirst = false;
    while (!stopping.signal.aborted) {
      const claimed = await claimNext(db);
      if (!claimed) return;
      await readClaimed(parts, claimed, {
        signal: stopping.signal,
        onProgress: (now) => void progress.set(claimed.id, now),
      }).finally(() => progress.delete(claimed.id));
    }
  };
  const wake = (): void => {
    if (stopping.signal.aborted || !parts.isServing) return;
    const before = running;
    running = (async () => {
      await before;
      await drain();
    })().catch((error) => log.error('lab_reading_failed', { error }));
  };
  const timer = setInterval(wake, LOOK_MS);
  timer.unref();
  return {
    wake,
    progressOf: (reportId) => progress.get(reportId) ?? null,
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await parts.reader.stop();
      await running;
    },
  };
};

const readClaimed = async (
  { db, log, secrets, uploads, reader }: Parts,
  claimed: Claimed,
  run: { readonly signal: AbortSignal; readonly onProgress: (progress: ReadingProgress) => void },
): Promise<void> => {
  const before = openReport(secrets, claimed.id, claimed.sealed);
  const renewal = setInterval(() => {
    db.write((em) =>
      em.execute('update lab_report set claimed_until = now() + make_interval(secs => ?) where id = ?', [
        CLAIM_SECONDS,
        claimed.id,
      ]),
    ).catch((error) => log.warn('lab_claim_not_renewed', { error }));
  }, RENEW_MS);
  try {
    const { kept, crops } = await readFiles(before);
    if (run.signal.aborted) return giveBack(db, claimed.id);
    await db.write((em) => keepReading(em, { secrets, reportId: claimed.id, kept, crops }));
    await uploads.remove(claimed.id, claimed.files);
  } finally {
    clearInterval(renewal);
  }

  async function readFiles(report: KeptReport) {
    const bytes = claimed.attempts > MOST_ATTEMPTS ? [] : await uploads.get(claimed.id, claimed.files);
    const files = bytes.flatMap((file, at) => (file ? [{ name: report.files[at]?.name ?? '', bytes: file }] : []));
    if (!files.length) return { kept: withOutcome(report, 'damaged'), crops: new Map<number, Buffer>() };
    try {
      const { reading, crops } = await reader.read(files, { testType: claimed.test_type, ...run });
      return { kept: keptFromReading(report, reading, (index) => crops.has(index)), crops };
    } catch (error) {
      // The file and what stands in it are nobody's business: the error's own words are not logged.
      log.warn('lab_report_not_read', { reason: error instanceof Error ? error.name : 'unknown' });
      return { kept: withOutcome(report, 'damaged'), crops: new Map<number, Buffer>() };
    }
  }
};

/** A server that stops in order leaves the report to the next one at once. */
const giveBack = async (db: Database, reportId: string): Promise<void> => {
  await db.write((em) =>
    em.execute(
      `update lab_report set state = 'waiting', attempts = attempts - 1, claimed_until = null
       where id = ? and state = 'reading'`,
      [reportId],
    ),
  );
};

const withOutcome = (report: KeptReport, outcome: FileOutcome): KeptReport => ({
  ...report,
  files: report.files.map((file) => ({ ...file, outcome })),
});

interface Kept {
  readonly secrets: Secrets;
  readonly reportId: string;
  readonly kept: KeptReport;
  readonly crops: ReadonlyMap<number, Buffer>;
}

/** Nothing is kept of a report that was deleted while it was read. */
const keepReading = async (em: EntityManager, { secrets, reportId, kept, crops }: Kept): Promise<void> => {
  const rows = (await em.execute(
    `update lab_report set sealed = ?, state = 'ready', files = 0, claimed_until = null, revision = revision + 1,
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
