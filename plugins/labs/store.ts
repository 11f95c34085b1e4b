/** Stores reports. Every statement is restricted to a device, so that no device can access the reports of another. */
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
/** Maximum number of reports per device: a weekly blood test for ten years. */
export const MOST_REPORTS = 500;

/** Returns an unguessable id that is also a valid object key. */
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

/** Parameters of a statement: the device and the secrets. */
export interface Shelf {
  readonly em: EntityManager;
  readonly secrets: Secrets;
  readonly device: string;
}

export interface NewReport {
  readonly reportId: string;
  readonly testType: TestType;
  readonly sourceType: Report['sourceType'];
  /** Number of files that wait to be read; with 0 the report is ready immediately. */
  readonly files: number;
  /** Sender and total size of the waiting files. */
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
  /** Number of these from one address or device. */
  readonly own: number;
}

/** Counts the waiting reports of all devices. */
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

/** Returns the report; null when the id does not exist or belongs to another device. */
export const readOne = async ({ em, secrets, device }: Shelf, reportId: string): Promise<Report | null> => {
  const [row] = (await em.execute(`select ${COLUMNS} from lab_report where id = ? and device = ?`, [
    reportId,
    device,
  ])) as unknown as Row[];
  return row ? opened(secrets, row) : null;
};

/** Returns the latest report of the type, or of any type if there is none; null without reports. */
export const readLatest = async ({ em, secrets, device }: Shelf, testType: TestType): Promise<Report | null> => {
  const [row] = (await em.execute(
    `select ${COLUMNS} from lab_report where device = ? order by (test_type = ?) desc, created_at desc, id limit 1`,
    [device, testType],
  )) as unknown as Row[];
  return row ? opened(secrets, row) : null;
};

/** Returns all reports of a device, latest first. */
export const readAll = async ({ em, secrets, device }: Shelf): Promise<readonly Report[]> => {
  const rows = (await em.execute(
    `select ${COLUMNS} from lab_report where device = ? order by created_at desc, id limit ${MOST_REPORTS}`,
    [device],
  )) as unknown as Row[];
  return rows.map((row) => opened(secrets, row));
};

/** Replaces the content of a revision. Returns false when the report has another revision by now, or no longer exists. */
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

/**
 * Deletes a report. Returns the number of its files that waited to be read; null when the id does not exist or belongs to another
 * device.
 */
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
