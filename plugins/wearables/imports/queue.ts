/**
 * Queue of exports that wait to be read, each claimed in its row. The content of an export is stored completely or not at all.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ClaimedRow, isSuspect, type RowRun, startClaimedRows } from '#core/jobs/claimed-rows.ts';
import type { Host } from '#core/plugin.ts';
import type { ReadingBudget } from '#core/readers/reading-budget.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Book } from '#plugins/biomarkers/index.ts';
import { keepClinical, knownClinicalKeys } from '#plugins/labs/index.ts';
import { replaceDays } from '../daily/daily-store.ts';
import type { ExportProgress, ExportReader, ExportReading } from '../phone-export/process.ts';
import type { ExportOutcome } from '../phone-export/reading.ts';
import type { ImportFiles } from './files.ts';
import { finishImport, type KeptImport, openImport } from './import-store.ts';

export interface ImportQueue {
  /** Notifies the queue that an import waits. */
  wake(): void;
  /** Returns the progress of an import that this process reads; null for all others. */
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
  readonly budget: ReadingBudget;
  book(): Promise<Book>;
}

export const startImports = (parts: Parts): ImportQueue => {
  const { db, log, reader, files, isServing, budget } = parts;
  const progress = new Map<string, ExportProgress>();
  const { wake, stop } = startClaimedRows<Claimed>({
    db,
    log,
    isServing,
    budget,
    table: 'wearable_import',
    columns: ['sealed'],
    where: ['place = ?', [files.place]],
    work: (claimed, run) =>
      readClaimed(parts, claimed, { ...run, onProgress: (now) => void progress.set(claimed.id, now) }).finally(() =>
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

interface Run extends RowRun {
  readonly onProgress: (progress: ExportProgress) => void;
}

const readClaimed = async (parts: Parts, claimed: Claimed, run: Run): Promise<void> => {
  const { db, secrets, files } = parts;
  const before = openImport(secrets, claimed.id, claimed.sealed);
  const reading = await readFile(parts, { claimed, before, run });
  if (run.signal.aborted) return;
  await db.write((em) => keepReading(em, { secrets, claimed, before, reading }));
  await files.remove(claimed.id);
};

/** Reads the file of an import. Returns an outcome if the file is missing or may have crashed a server before. */
const readFile = async (
  { db, secrets, log, files, reader, book }: Parts,
  { claimed, before, run }: { readonly claimed: Claimed; readonly before: KeptImport; readonly run: Run },
): Promise<ExportReading | ExportOutcome> => {
  if (isSuspect(claimed)) return 'interrupted';
  if (!before.key || !(await files.isThere(claimed.id))) return 'damaged';
  const { key, name, bytes } = before;
  try {
    const knownKeys = await db.read((em) => knownClinicalKeys({ em, secrets, device: claimed.device }));
    const clinical = { markers: (await book()).markers, knownKeys };
    return await reader.read({ path: files.pathOf(claimed.id), key, name, bytes }, { ...run, clinical });
  } catch (error) {
    // The content of the file is private, so the message of the error is not logged.
    log.warn('phone_export_not_read', { reason: error instanceof Error ? error.name : 'unknown' });
    return 'damaged';
  }
};

interface Read {
  readonly secrets: Secrets;
  readonly claimed: Claimed;
  readonly before: KeptImport;
  readonly reading: ExportReading | ExportOutcome;
}

/** Stores days, laboratory reports and the import's own row in one transaction. */
const keepReading = async (em: EntityManager, { secrets, claimed, before, reading }: Read): Promise<void> => {
  const { id: importId } = claimed;
  const gone = { ...before, key: null };
  const device = await deviceOf(em, importId);
  // The import was deleted during the reading, so nothing is stored.
  if (device === null) return;
  const shelf = { em, secrets, device };
  if (typeof reading === 'string' || reading.outcome !== 'read') {
    const outcome = typeof reading === 'string' ? reading : reading.outcome;
    await finishImport(shelf, { importId, reportId: null, kept: { ...gone, outcome, report: null } });
    return;
  }
  const { exportedAt, records, days, workouts, tally, bytes, clinical } = reading;
  const kept = await keepClinical(shelf, {
    fileName: before.name,
    person: { sex: reading.sex, birthYear: reading.birthYear },
    reports: clinical.reports,
    words: clinical.words,
  });
  const report = {
    exportedAt,
    records,
    days,
    workouts,
    tally,
    bytes,
    clinical: {
      found: clinical.found,
      kept: kept.values,
      reports: kept.reportIds.length,
      known: clinical.known,
      words: kept.words,
    },
  };
  await finishImport(shelf, {
    importId,
    reportId: kept.reportIds[0] ?? null,
    kept: { ...gone, outcome: 'read', report },
  });
  await replaceDays(shelf, reading.rows);
};

/**
 * Returns the current device and locks the row until the transaction ends, because the import may have been moved or deleted
 * while the file was read.
 */
const deviceOf = async (em: EntityManager, importId: string): Promise<string | null> => {
  const [row] = (await em.execute(`select device from wearable_import where id = ? and state = 'reading' for update`, [
    importId,
  ])) as unknown as { device: string }[];
  return row?.device ?? null;
};
