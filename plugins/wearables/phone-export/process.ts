/**
 * Reading an export in a process of its own, of low priority, one file at a time: a hostile or huge file costs that process
 * its memory or its time, never the site its speed. The process ends with its file, and its memory goes back.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DailyRow } from '../vitals.ts';
import { type ExportLimits, LIMITS } from './limits.ts';
import type { FromChild, ToChild } from './messages.ts';
import {
  type ClinicalRecord,
  type ExportFile,
  type ExportProgress,
  type PhoneReading,
  unreadExport,
} from './reading.ts';

export type { ExportFile, ExportProgress } from './reading.ts';

export interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ExportProgress) => void;
}

export interface ExportReader {
  /** Never rejects for what is wrong with the file; only when `signal` aborts or the reader is stopped. */
  read(file: ExportFile, options?: ReadOptions): Promise<PhoneReading>;
  /** Ends the process; what was being read rejects, and so does what waits. */
  stop(): Promise<void>;
}

export interface ReaderLimits {
  readonly fileSeconds: number;
  readonly heapMegabytes: number;
  readonly file: ExportLimits;
}

const usual: ReaderLimits = { fileSeconds: 3_600, heapMegabytes: 512, file: LIMITS };

const begin = ({ heapMegabytes }: ReaderLimits): ChildProcess => {
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
    serialization: 'advanced',
    // Libraries may print pieces of what they read; only our log writes.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [`--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=4'],
    env: {},
  });
  child.on('error', () => undefined);
  return child;
};

interface Work {
  readonly file: ExportFile;
  readonly options: ReadOptions;
  readonly limits: ReaderLimits;
}

/** Resolves with what was read, or with an outcome when the process died or took too long. */
const work = ({ file, options: { signal, onProgress }, limits }: Work): Promise<PhoneReading> =>
  new Promise((resolve, reject) => {
    const child = begin(limits);
    const rows: DailyRow[] = [];
    const clinical: ClinicalRecord[] = [];
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      child.off('message', said).off('exit', ended).off('error', ended);
      signal?.removeEventListener('abort', aborted);
      child.kill('SIGKILL');
      finish();
    };
    const give = (reading: PhoneReading): void => settle(() => resolve(reading));
    const said = (message: unknown): void => {
      const told = message as FromChild;
      if (told.kind === 'progress') onProgress?.(told.progress);
      else if (told.kind === 'rows') rows.push(...told.rows);
      else if (told.kind === 'clinical') clinical.push(...told.clinical);
      else give(told.kind === 'done' ? { ...told.rest, rows, clinical } : unreadExport('damaged'));
    };
    const ended = (): void => give(unreadExport('damaged'));
    const aborted = (): void => settle(() => reject(signal?.reason));
    const timer = setTimeout(() => give(unreadExport('took_too_long')), limits.fileSeconds * 1000);
    child.on('message', said).on('exit', ended).on('error', ended);
    signal?.addEventListener('abort', aborted, { once: true });
    const toChild: ToChild = { file, limits: limits.file };
    child.send(toChild, () => undefined);
  });

export const createExportReader = (limits: Partial<ReaderLimits> = {}): ExportReader => {
  const stopping = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  const readNow = async (file: ExportFile, options: ReadOptions): Promise<PhoneReading> => {
    const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
    signal.throwIfAborted();
    return work({ file, options: { ...options, signal }, limits: { ...usual, ...limits } });
  };

  return {
    read: (file, options = {}) => {
      const own = last.then(() => readNow(file, options));
      last = own.catch(() => undefined);
      return own;
    },
    stop: async () => {
      stopping.abort(new Error('the reader of exports was stopped'));
      await last;
    },
  };
};
