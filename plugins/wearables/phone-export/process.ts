/**
 * Reads an export in a separate process of low priority (core/readers/bounded-process.ts), so that a hostile or huge file
 * exhausts the memory or the time of that process only and does not slow down the site. The process ends with its file, which
 * frees its memory.
 */
import {
  createBoundedProcesses,
  type Failure,
  type ProcessLimits,
  type Reported,
} from '#core/readers/bounded-process.ts';
import { type ClinicalContext, clinicalReader, type ImportedReport } from '#plugins/labs/index.ts';
import type { DailyRow } from '../vitals.ts';
import { type ExportLimits, LIMITS } from './limits.ts';
import type { FromChild, ToChild } from './messages.ts';
import { type ExportFile, type ExportOutcome, type ExportProgress, type ExportReading, unreadFile } from './reading.ts';

export type { ExportFile, ExportProgress, ExportReading } from './reading.ts';

export interface ReadOptions extends Reported {
  /** The known markers, and the keys of records from earlier exports. */
  readonly clinical?: ClinicalContext;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ExportProgress) => void;
}

export interface ExportReader {
  /** Reads an export. Never rejects for a defective file, only when `signal` aborts or the reader is stopped. */
  read(file: ExportFile, options?: ReadOptions): Promise<ExportReading>;
  /** Stops the processes; pending and waiting reads reject. */
  stop(): Promise<void>;
}

export interface ReaderLimits extends ProcessLimits {
  readonly file: ExportLimits;
}

const usual: ReaderLimits = {
  seconds: 3_600,
  idleSeconds: 0,
  heapMegabytes: 512,
  residentMegabytes: 1_024,
  atOnce: 2,
  file: LIMITS,
};

const OUTCOMES: Readonly<Record<Failure, ExportOutcome>> = {
  crashed: 'damaged',
  took_too_long: 'took_too_long',
  too_much_memory: 'too_much_memory',
};

const NOTHING_KNOWN: ClinicalContext = { markers: [], knownKeys: [] };

export const createExportReader = (given: Partial<ReaderLimits> = {}): ExportReader => {
  const limits = { ...usual, ...given };
  const processes = createBoundedProcesses<ToChild, FromChild>({
    script: new URL('./child.ts', import.meta.url),
    limits,
  });
  return {
    read: async (file, { clinical = NOTHING_KNOWN, onProgress, ...options } = {}) => {
      const rows: DailyRow[] = [];
      const reports: ImportedReport[] = [];
      let reading: ExportReading | null = null;
      const failure = await processes.run({
        ...options,
        message: { file, limits: limits.file, clinical: { ...clinical, module: clinicalReader } },
        onMessage: (told) => {
          if (told.kind === 'progress') onProgress?.(told.progress);
          else if (told.kind === 'rows') rows.push(...told.rows);
          else if (told.kind === 'report') reports.push(told.report);
          else if (told.kind === 'done') reading = { ...told.rest, rows, clinical: { ...told.counts, reports } };
          return told.kind === 'done' || told.kind === 'failed';
        },
      });
      return reading ?? unreadFile(failure ? OUTCOMES[failure] : 'damaged');
    },
    stop: () => processes.stop(),
  };
};
