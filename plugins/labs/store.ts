/** Rows of reports: every statement names the device, so that one device's report is never another's. */
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '#core/secrets.ts';
import { touch } from '#plugins/devices/index.ts';
import type { TestType } from './report.ts';
import { openReport, type Report, type SealedReport, sealReport } from './sealed-report.ts';

interface Row {
  readonly id: string;
  readonly test_type: TestType;
  readonly source_type: Report['sourceType'];
  readonly state: Report['state'];
  readonly revision: number;
  readonly created_at: Date | string;
  readonly updated_at: Date | string;
  readonly sealed: Uint8Array;
}

const COLUMNS = 'id, test_type, source_type, state, revision, created_at, updated_at, sealed';
/** Of one device: a weekly blood test for ten years. */
export const MOST_REPORTS = 500;

/** Unguessable, and fit for an object's key. */
export const newReportId = (): string => `rep_${randomBytes(16).toString('hex')}`;

const opened = (secrets: Secrets, row: Row): Report => ({
  ...openReport(secrets, row.id, row.sealed),
  reportId: row.id,
  testType: row.test_type,
  sourceType: row.source_type,
  state: row.state,
  revision: row.revision,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
});

/** What a statement works on: whose reports, and with which secrets. */
export interface Shelf {
  readonly em: EntityManager;
  readonly secrets: Secrets;
  readonly device: string;
}

export interface NewReport {
  readonly reportId: string;
  readonly testType: TestType;
  readonly sourceType: Report['sourceType'];
  /** Files that wait to be read; 0: it is ready at once. */
  readonly files: number;
  /** Of files that wait: who sent them, and how many bytes they have. */
  readonly waiting?: { readonly sender: string; readonly bytes: number };
  readonly kept: SealedReport;
}

export const addReport = async ({ em, secrets, device }: Shelf, report: NewReport): Promise<void> => {
  await touch(em, device);
  await em.execute(
    `insert into lab_report (id, device, test_type, source_type, state, files, sender, waiting_bytes, sealed)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      report.reportId,
      device,
      report.testType,
      report.sourceType,
      report.files ? 'waiting' : 'ready',
      report.files,
      report.waiting?.sender ?? null,
      report.waiting?.bytes ?? 0,
      sealReport(secrets, report.reportId, report.kept),
    ],
  );
};

export interface WaitingReports {
  readonly reports: number;
  readonly bytes: number;
  /** Of these, those of one address or device. */
  readonly own: number;
}

/** Counts what waits to be read, of all devices. */
export const countWaiting = async (
  em: EntityManager,
  { sender, device }: { readonly sender: string; readonly device: string },
): Promise<WaitingReports> => {
  const [row] = (await em.execute(
    `select count(*)::int as reports, coalesce(sum(waiting_bytes), 0)::float8 as bytes,
       count(*) filter (where sender = ? or device = ?)::int as own from lab_report where state <> 'ready'`,
    [sender, device],
  )) as unknown as WaitingReports[];
  return row ?? { reports: 0, bytes: 0, own: 0 };
};

export const countReports = async ({ em, device }: Pick<Shelf, 'em' | 'device'>): Promise<number> => {
  const [row] = (await em.execute('select count(*)::int as n from lab_report where device = ?', [
    device,
  ])) as unknown as {
    n: number;
  }[];
  return row?.n ?? 0;
};

/** Null when there is none of this id, or when it is another device's. */
export const readOne = async ({ em, secrets, device }: Shelf, reportId: string): Promise<Report | null> => {
  const [row] = (await em.execute(`select ${COLUMNS} from lab_report where id = ? and device = ?`, [
    reportId,
    device,
  ])) as unknown as Row[];
  return row ? opened(secrets, row) : null;
};

/** The latest of a type, else the latest of any; null without one. */
export const readLatest = async ({ em, secrets, device }: Shelf, testType: TestType): Promise<Report | null> => {
  const [row] = (await em.execute(
    `select ${COLUMNS} from lab_report where device = ? order by (test_type = ?) desc, created_at desc, id limit 1`,
    [device, testType],
  )) as unknown as Row[];
  return row ? opened(secrets, row) : null;
};

/** All of a device, the latest first. */
export const readAll = async ({ em, secrets, device }: Shelf): Promise<readonly Report[]> => {
  const rows = (await em.execute(
    `select ${COLUMNS} from lab_report where device = ? order by created_at desc, id limit ${MOST_REPORTS}`,
    [device],
  )) as unknown as Row[];
  return rows.map((row) => opened(secrets, row));
};

/** Puts new content in the place of a revision; false when it is another by now, or gone. */
export const replaceKept = async (
  { em, secrets, device }: Shelf,
  { reportId, revision }: { readonly reportId: string; readonly revision: number },
  kept: SealedReport,
): Promise<boolean> => {
  const rows = (await em.execute(
    `update lab_report set sealed = ?, revision = revision + 1, updated_at = now()
     where id = ? and device = ? and revision = ? and state = 'ready' returning 1`,
    [sealReport(secrets, reportId, kept), reportId, device, revision],
  )) as unknown as unknown[];
  const isSeenThrough = kept.markers.every(({ confirmed }) => confirmed);
  if (rows.length && isSeenThrough) await em.execute('delete from lab_crop where report_id = ?', [reportId]);
  return rows.length > 0;
};

/** Answers how many files of it waited to be read; null when there is none of this id, or when it is another device's. */
export const deleteReport = async (
  { em, device }: Pick<Shelf, 'em' | 'device'>,
  reportId: string,
): Promise<number | null> => {
  const [row] = (await em.execute('delete from lab_report where id = ? and device = ? returning files', [
    reportId,
    device,
  ])) as unknown as { files: number }[];
  return row?.files ?? null;
};
