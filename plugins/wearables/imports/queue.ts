/** Exports that wait to be read, each claimed in its row; what is read of one is kept whole or not at all. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ClaimedRow, startClaimedRows } from '#core/jobs/claimed-rows.ts';
import type { Host } from '#core/plugin.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Book } from '#plugins/biomarkers/index.ts';
import { type KeptClinical, keepClinical } from '#plugins/labs/index.ts';
import { replaceDays } from '../daily/daily-store.ts';
import type { ExportProgress, ExportReader } from '../phone-export/process.ts';
import type { ExportOutcome, PhoneReading } from '../phone-export/reading.ts';
import type { ImportFiles } from './files.ts';
import { finishImport, type KeptImport, openImport } from './import-store.ts';

export interface ImportQueue {
  /** Something waits now. */
  wake(): void;
  /** Of an import that this process reads; null for all others. */
  progressOf(importId: string): ExportProgress | null;
  stop(): Promise<void>;
}

interface Claimed extends ClaimedRow {
  readonly sealed: Uint8Array;
}

interface Parts extends Pick<Host, 'db' | 'log'> {
  readonly isServing: boolean;
  readonly secrets: Secrets;
  readonly files: ImportFiles;
  readonly reader: ExportReader;
  book(): Promise<Book>;
}

/** An export that took a server down this often is not tried again. */
const MOST_ATTEMPTS = 3;

export const startImports = (parts: Parts): ImportQueue => {
  const { db, log, reader, files, isServing } = parts;
  const progress = new Map<string, ExportProgress>();
  const { wake, stop } = startClaimedRows<Claimed>({
    db,
    log,
    isServing,
    table: 'wearable_import',
    columns: ['sealed'],
    where: ['place = ?', [files.place]],
    work: (claimed, signal) =>
      readClaimed(parts, claimed, { signal, onProgress: (now) => void progress.set(claimed.id, now) }).finally(() =>
        progress.delete(claimed.id),
      ),
  });
  return {
    wake,
    progressOf: (importId) => progress.get(importId) ?? null,
    stop: async () => {
      const stopped = stop();
      await reader.stop();
      await stopped;
    },
  };
};

interface Run {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

const readClaimed = async (parts: Parts, claimed: Claimed, run: Run): Promise<void> => {
  const { db, secrets, files, book } = parts;
  const before = openImport(secrets, claimed.id, claimed.sealed);
  const reading = await readFile(parts, { claimed, before, run });
  if (run.signal.aborted) return;
  const known = await book();
  await db.write((em) => keepReading(em, { secrets, claimed, before, reading, book: known }));
  await files.remove(claimed.id);
};

/** Of a file that is gone, or that was too much too often: why nothing was read. */
const readFile = async (
  { log, files, reader }: Parts,
  { claimed, before, run }: { readonly claimed: Claimed; readonly before: KeptImport; readonly run: Run },
): Promise<PhoneReading | ExportOutcome> => {
  if (claimed.attempts > MOST_ATTEMPTS || !before.key || !(await files.isThere(claimed.id))) return 'damaged';
  const { key, name, bytes } = before;
  try {
    return await reader.read({ path: files.pathOf(claimed.id), key, name, bytes }, run);
  } catch (error) {
    // What stands in the file is nobody's business: the error's own words are not logged.
    log.warn('phone_export_not_read', { reason: error instanceof Error ? error.name : 'unknown' });
    return 'damaged';
  }
};

interface Read {
  readonly secrets: Secrets;
  readonly claimed: Claimed;
  readonly before: KeptImport;
  readonly reading: PhoneReading | ExportOutcome;
  readonly book: Book;
}

/** Days, laboratory reports and the import's own row in one transaction: all or nothing. */
const keepReading = async (em: EntityManager, { secrets, claimed, before, reading, book }: Read): Promise<void> => {
  const { id: importId } = claimed;
  const gone = { ...before, key: null };
  const device = await deviceOf(em, importId);
  // Deleted while it was read: nothing of it is kept.
  if (device === null) return;
  const shelf = { em, secrets, device };
  if (typeof reading === 'string' || reading.outcome !== 'read') {
    const outcome = typeof reading === 'string' ? reading : reading.outcome;
    await finishImport(shelf, { importId, reportId: null, kept: { ...gone, outcome, report: null } });
    return;
  }
  const { exportedAt, records, days, workouts, tally, bytes } = reading;
  const clinical = await clinicalOf(shelf, { reading, before, book });
  const report = {
    exportedAt,
    records,
    days,
    workouts,
    tally,
    bytes,
    clinical: {
      found: reading.clinical.length,
      kept: clinical.values,
      reports: clinical.reportIds.length,
      known: clinical.known,
      words: clinical.words,
    },
  };
  await finishImport(shelf, {
    importId,
    reportId: clinical.reportIds[0] ?? null,
    kept: { ...gone, outcome: 'read', report },
  });
  await replaceDays(shelf, reading.rows);
};

/** As of now, held until the transaction ends: it may have moved, or gone, while the file was read. */
const deviceOf = async (em: EntityManager, importId: string): Promise<string | null> => {
  const [row] = (await em.execute(`select device from wearable_import where id = ? and state = 'reading' for update`, [
    importId,
  ])) as unknown as { device: string }[];
  return row?.device ?? null;
};

const clinicalOf = (
  shelf: Parameters<typeof keepClinical>[0],
  { reading, before, book }: { readonly reading: PhoneReading; readonly before: KeptImport; readonly book: Book },
): Promise<KeptClinical> =>
  keepClinical(shelf, {
    book,
    fileName: before.name,
    person: { sex: reading.sex, birthYear: reading.birthYear },
    records: reading.clinical,
  });
