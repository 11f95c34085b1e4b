/**
 * Runs the reading in a separate process (core/readers/bounded-process.ts), so that a hostile or huge file exhausts the memory or
 * the time of that process only and does not slow down the site.
 */
import {
  createBoundedProcesses,
  type Failure,
  type ProcessLimits,
  type Reported,
} from '#core/readers/bounded-process.ts';
import type { FileOutcome } from '../report.ts';
import type { Book } from './book.ts';
import type { ReadOptions, ReadResult, UploadedReport } from './index.ts';
import type { FromChild, ToChild } from './messages.ts';

export interface ReaderOptions extends Omit<ReadOptions, 'book'>, Reported {}

export interface Reader {
  /** Reads an upload. Never rejects for a defective file, only when `signal` aborts or the reader is stopped. */
  read(files: readonly UploadedReport[], options: ReaderOptions): Promise<ReadResult>;
  /** Stops the processes after they have finished their current work. */
  retire(): Promise<void>;
  /** Stops the processes; pending reads reject. */
  stop(): Promise<void>;
}

/** OCR of a page with 40 million pixels uses half of the memory. */
const usual: ProcessLimits = {
  seconds: 300,
  idleSeconds: 60,
  heapMegabytes: 768,
  residentMegabytes: 1_280,
  atOnce: 2,
};

const OUTCOMES: Readonly<Record<Failure, FileOutcome>> = {
  crashed: 'damaged',
  took_too_long: 'took_too_long',
  too_much_memory: 'too_large',
};

/** Returns an empty result in which each file has the same outcome. */
const unread = (files: readonly UploadedReport[], outcome: FileOutcome): ReadResult => ({
  reading: {
    files: files.map(({ name }) => ({ name, pages: 0, outcome })),
    pages: 0,
    labName: '',
    collectedAt: null,
    reportedAt: null,
    sex: null,
    birthYear: null,
    readBy: 'text',
    values: [],
    unread: [],
    warnings: [],
  },
  crops: new Map(),
});

const withBuffers = ({ reading, crops }: ReadResult): ReadResult => ({
  reading,
  crops: new Map([...crops].map(([at, png]) => [at, Buffer.from(png)])),
});

const bytesOf = async (file: UploadedReport | undefined): Promise<Buffer | null> =>
  (typeof file?.bytes === 'function' ? file.bytes() : file?.bytes) ?? null;

export const createReader = (book: Book, limits: Partial<ProcessLimits> = {}): Reader => {
  const processes = createBoundedProcesses<ToChild, FromChild>({
    script: new URL('./child.ts', import.meta.url),
    greeting: { kind: 'book', markers: book.markers },
    limits: { ...usual, ...limits },
  });
  return {
    read: async (files, { testType, vision, onProgress, ...options }) => {
      let result: ReadResult | null = null;
      const failure = await processes.run({
        message: { kind: 'read', names: files.map(({ name }) => name), testType, hasVision: vision !== undefined },
        ...options,
        onMessage: (told, reply) => {
          if (told.kind === 'progress') onProgress?.(told.progress);
          else if (told.kind === 'want') {
            const { at } = told;
            bytesOf(files[at]).then(
              (bytes) => reply({ kind: 'file', at, bytes }),
              () => reply({ kind: 'file', at, bytes: null }),
            );
          } else if (told.kind === 'look') {
            const { id, png, prompt, schema } = told;
            (vision?.(Buffer.from(png), prompt, schema) ?? Promise.resolve('')).then(
              (text) => reply({ kind: 'said', id, text }),
              () => reply({ kind: 'said', id, text: '' }),
            );
          } else {
            if (told.kind === 'done') result = withBuffers(told.result);
            return true;
          }
          return false;
        },
      });
      return result ?? unread(files, failure ? OUTCOMES[failure] : 'damaged');
    },
    retire: () => processes.retire(),
    stop: () => processes.stop(),
  };
};
