/** Stores the supplement log. Every statement is restricted to a device. */
import { touch } from '#plugins/devices/index.ts';
import type { Shelf } from '../store.ts';
import { type KeptEntry, type LogEntry, openEntry, sealEntry } from './kept-entry.ts';

interface Row {
  readonly log_id: number;
  readonly created_at: Date | string;
  readonly revision: number;
  readonly sealed: Uint8Array;
}

const COLUMNS = 'log_id, created_at, revision, sealed';
/** Consent to store the log: what a person takes is health data, like a laboratory value. */
export const LOG_CONSENT = { subject: 'supplement_log', wording: 'supplement-log-2026-11' };
/** Maximum number of entries per device, including stopped ones. */
export const MOST_ENTRIES = 2_000;
/** Maximum number of things taken concurrently. */
export const MOST_OPEN = 200;

/** Maximum id, given by the type of the column. */
const LARGEST_ID = 2_147_483_647;

const opened = ({ secrets }: Shelf, row: Row): LogEntry => ({
  ...openEntry(secrets, row.log_id, row.sealed),
  logId: row.log_id,
  createdAt: new Date(row.created_at).toISOString(),
  revision: row.revision,
});

/** Adds an entry. The id is generated first, because it is part of the seal. */
export const addEntry = async (shelf: Shelf, entry: KeptEntry): Promise<LogEntry> => {
  const { em, secrets, device } = shelf;
  await touch(em, device);
  const [next] = (await em.execute(
    "select nextval(pg_get_serial_sequence('supplement_log', 'log_id'))::int as id",
  )) as unknown as { id: number }[];
  const logId = next?.id as number;
  const [row] = (await em.execute(
    `insert into supplement_log (log_id, device, sealed) values (?, ?, ?) returning ${COLUMNS}`,
    [logId, device, sealEntry(secrets, logId, entry)],
  )) as unknown as Row[];
  return opened(shelf, row as Row);
};

/** Compares two entries: those still taken first, then the most recently started. */
const byInterest = (a: LogEntry, b: LogEntry): number =>
  Number(a.stoppedAt !== null) - Number(b.stoppedAt !== null) ||
  b.startedAt.localeCompare(a.startedAt) ||
  b.logId - a.logId;

export const readLog = async (shelf: Shelf): Promise<readonly LogEntry[]> => {
  const rows = (await shelf.em.execute(
    `select ${COLUMNS} from supplement_log where device = ? order by log_id desc limit ${MOST_ENTRIES}`,
    [shelf.device],
  )) as unknown as Row[];
  return rows.map((row) => opened(shelf, row)).sort(byInterest);
};

/** Returns the entry; null when the id does not exist or belongs to another device. */
export const readEntry = async (shelf: Shelf, logId: number): Promise<LogEntry | null> => {
  if (!(logId >= 0 && logId <= LARGEST_ID)) return null;
  const [row] = (await shelf.em.execute(
    `select ${COLUMNS} from supplement_log where log_id = ? and device = ? for update`,
    [logId, shelf.device],
  )) as unknown as Row[];
  return row ? opened(shelf, row) : null;
};

/** Replaces an entry, in the transaction that read it. */
export const replaceEntry = async (shelf: Shelf, logId: number, entry: KeptEntry): Promise<LogEntry> => {
  const [row] = (await shelf.em.execute(
    `update supplement_log set sealed = ?, revision = revision + 1 where log_id = ? and device = ? returning ${COLUMNS}`,
    [sealEntry(shelf.secrets, logId, entry), logId, shelf.device],
  )) as unknown as Row[];
  return opened(shelf, row as Row);
};

/** Deletes an entry. Returns false when the id does not exist or belongs to another device. */
export const deleteEntry = async ({ em, device }: Pick<Shelf, 'em' | 'device'>, logId: number): Promise<boolean> => {
  if (!(logId >= 0 && logId <= LARGEST_ID)) return false;
  const rows = (await em.execute('delete from supplement_log where log_id = ? and device = ? returning 1', [
    logId,
    device,
  ])) as unknown as unknown[];
  return rows.length > 0;
};

/** Deletes all entries of a device. */
export const eraseLog = async ({ em, device }: Pick<Shelf, 'em' | 'device'>): Promise<void> => {
  await em.execute('delete from supplement_log where device = ?', [device]);
};

/** Moves all entries of a device to another one. */
export const moveLog = async (
  em: Shelf['em'],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  await em.execute('update supplement_log set device = ? where device = ?', [to, from]);
};
