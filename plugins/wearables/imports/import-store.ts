/** Stores imports. The name of the file and its outcome are sealed; they contain counts and names of types, but no values. */
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '#core/secrets.ts';
import { touch } from '#plugins/devices/index.ts';
import type { ExportOutcome, PhoneReading } from '../phone-export/reading.ts';
import type { FileKey } from './files.ts';

/** Report on a finished import. */
export interface ImportReport
  extends Pick<PhoneReading, 'exportedAt' | 'records' | 'days' | 'workouts' | 'tally' | 'bytes'> {
  /** Laboratory values of clinical records. */
  readonly clinical: {
    readonly found: number;
    /** Number of values that became part of a report, and number of these reports. */
    readonly kept: number;
    readonly reports: number;
    /** Number of values known from an earlier import. */
    readonly known: number;
    /** Sentences on the remaining records. */
    readonly words: readonly string[];
  };
}

export interface KeptImport {
  readonly name: string;
  readonly bytes: number;
  /** Key of the waiting file; null once the file is deleted. */
  readonly key: FileKey | null;
  /** Null until the file was read. */
  readonly outcome: ExportOutcome | null;
  readonly report: ImportReport | null;
}

export interface Import extends KeptImport {
  readonly importId: string;
  readonly state: 'waiting' | 'reading' | 'ready';
  /** RFC 3339. */
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** The latest of the laboratory reports that it created. */
  readonly reportId: string | null;
}

/** Parameters of a statement: the device and the secrets. */
export interface Shelf {
  readonly em: EntityManager;
  readonly secrets: Secrets;
  readonly device: string;
}

interface Row {
  readonly id: string;
  readonly state: Import['state'];
  readonly report_id: string | null;
  readonly created_at: Date | string;
  readonly finished_at: Date | string | null;
  readonly sealed: Uint8Array;
}

const PURPOSE = 'wearable_import';
/** Number of imports to store. Older ones are deleted; their data remain in the days. */
const KEPT = 20;
const COLUMNS = 'id, state, report_id, created_at, finished_at, sealed';

export const newImportId = (): string => `imp_${randomBytes(16).toString('hex')}`;

export const sealImport = (secrets: Secrets, importId: string, kept: KeptImport): Buffer =>
  secrets.seal({ purpose: PURPOSE, id: importId }, Buffer.from(JSON.stringify(kept)));

export const openImport = (secrets: Secrets, importId: string, sealed: Uint8Array): KeptImport =>
  JSON.parse(secrets.open({ purpose: PURPOSE, id: importId }, Buffer.from(sealed)).toString());

const opened = (secrets: Secrets, row: Row): Import => ({
  ...openImport(secrets, row.id, row.sealed),
  importId: row.id,
  state: row.state,
  reportId: row.report_id,
  createdAt: new Date(row.created_at).toISOString(),
  finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
});

export const addImport = async (
  { em, secrets, device }: Shelf,
  {
    importId,
    place,
    sender,
    kept,
  }: { readonly importId: string; readonly place: string; readonly sender: string; readonly kept: KeptImport },
): Promise<void> => {
  await touch(em, device);
  await em.execute(
    `delete from wearable_import where device = ? and state = 'ready' and id not in
       (select id from wearable_import where device = ? order by created_at desc limit ${KEPT - 1})`,
    [device, device],
  );
  await em.execute(
    `insert into wearable_import (id, device, state, place, sender, waiting_bytes, sealed)
     values (?, ?, 'waiting', ?, ?, ?, ?)`,
    [importId, device, place, sender, kept.bytes, sealImport(secrets, importId, kept)],
  );
};

/** Returns the imports, latest first. */
export const readImports = async ({ em, secrets, device }: Shelf): Promise<readonly Import[]> => {
  const rows = (await em.execute(
    `select ${COLUMNS} from wearable_import where device = ? order by created_at desc, id limit ${KEPT}`,
    [device],
  )) as unknown as Row[];
  return rows.map((row) => opened(secrets, row));
};

export const countOpen = async ({ em, device }: Pick<Shelf, 'em' | 'device'>): Promise<number> => {
  const [row] = (await em.execute(
    `select count(*)::int as n from wearable_import where device = ? and state <> 'ready'`,
    [device],
  )) as unknown as { n: number }[];
  return row?.n ?? 0;
};

export interface WaitingImports {
  readonly imports: number;
  readonly bytes: number;
  /** Number of these from one address. */
  readonly own: number;
}

/** Counts the waiting imports of all devices. */
export const countWaiting = async (em: EntityManager, sender: string): Promise<WaitingImports> => {
  const [row] = (await em.execute(
    `select count(*)::int as imports, coalesce(sum(waiting_bytes), 0)::float8 as bytes,
       count(*) filter (where sender = ?)::int as own from wearable_import where state <> 'ready'`,
    [sender],
  )) as unknown as WaitingImports[];
  return row ?? { imports: 0, bytes: 0, own: 0 };
};

export const finishImport = async (
  { em, secrets }: Omit<Shelf, 'device'>,
  {
    importId,
    reportId,
    kept,
  }: { readonly importId: string; readonly reportId: string | null; readonly kept: KeptImport },
): Promise<void> => {
  await em.execute(
    `update wearable_import set state = 'ready', claimed_until = null, finished_at = now(), sender = null, waiting_bytes = 0,
       report_id = ?, sealed = ? where id = ?`,
    [reportId, sealImport(secrets, importId, kept), importId],
  );
};

/** Deletes all imports of the device. Returns their ids, so that the caller deletes their files. */
export const eraseImports = async ({ em, device }: Pick<Shelf, 'em' | 'device'>): Promise<readonly string[]> => {
  const rows = (await em.execute('delete from wearable_import where device = ? returning id', [device])) as unknown as {
    id: string;
  }[];
  return rows.map(({ id }) => id);
};
