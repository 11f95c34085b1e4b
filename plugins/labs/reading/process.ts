/** Reads reports in a process of its own: what a hostile file costs, it costs that process. */
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { FileOutcome, Reading, TestType } from '../report.ts';
import type { Book } from './book.ts';
import type { Progress, ReadResult, UploadedReport } from './index.ts';
import type { FromChild, ToChild } from './messages.ts';

const CHILD = join(import.meta.dirname, 'child.ts');
const MEGABYTES = 1_024;
const LONGEST_MS = 120_000;
/** A vision model has time-outs of its own. */
const LONGEST_WITH_VISION_MS = 600_000;
const IDLE_MS = 60_000;

export interface ReaderOptions {
  readonly testType: TestType;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  /** Asks a vision model; the reading process has no network. */
  readonly vision?: (png: Buffer, prompt: string, schema: object) => Promise<string>;
  /** Milliseconds; for tests. */
  readonly longest?: number;
}

export interface Reader {
  /** Nothing is thrown for files: each has its outcome. Rejects when the signal aborts. */
  read(files: readonly UploadedReport[], options: ReaderOptions): Promise<ReadResult>;
  stop(): Promise<void>;
}

const failed = (files: readonly UploadedReport[], outcome: FileOutcome): ReadResult => ({
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
  } satisfies Reading,
  crops: new Map(),
});

const start = (book: Book): ChildProcess => {
  const child = fork(CHILD, [], {
    execArgv: [`--max-old-space-size=${MEGABYTES}`],
    // No setting and no secret of this process.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.send({ kind: 'book', markers: book.markers } satisfies ToChild);
  child.unref();
  child.channel?.unref();
  return child;
};

export const createReader = (book: Book): Reader => {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const end = (): void => {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = null;
  };
  const living = (): ChildProcess => {
    if (child?.connected && child.exitCode === null) return child;
    child = start(book);
    return child;
  };
  const readNow = async (files: readonly UploadedReport[], options: ReaderOptions): Promise<ReadResult> => {
    clearTimeout(idle);
    options.signal?.throwIfAborted();
    const result = await readIn(living(), files, options);
    if ('reading' in result) {
      idle = setTimeout(end, IDLE_MS).unref();
      return result;
    }
    end();
    options.signal?.throwIfAborted();
    return failed(files, result.outcome);
  };
  return {
    read: (files, options) => {
      const mine = last.then(() => readNow(files, options));
      last = mine.catch(() => undefined);
      return mine;
    },
    stop: async () => {
      end();
      await last;
    },
  };
};

/** The result, or why there is none and the process is of no more use. */
const readIn = (
  child: ChildProcess,
  files: readonly UploadedReport[],
  { testType, onProgress, signal, vision, longest }: ReaderOptions,
): Promise<ReadResult | { readonly outcome: FileOutcome }> =>
  new Promise((resolve) => {
    const settle = (result: ReadResult | { readonly outcome: FileOutcome }): void => {
      clearTimeout(timer);
      child.off('message', hear);
      child.off('exit', gone);
      signal?.removeEventListener('abort', gone);
      resolve(result);
    };
    const gone = (): void => settle({ outcome: 'damaged' });
    const timer = setTimeout(
      () => settle({ outcome: 'took_too_long' }),
      longest ?? (vision ? LONGEST_WITH_VISION_MS : LONGEST_MS),
    );
    const look = async ({ call, png, prompt, schema }: Extract<FromChild, { kind: 'look' }>): Promise<void> => {
      const text = (await vision?.(Buffer.from(png), prompt, schema).catch(() => null)) ?? null;
      if (child.connected) child.send({ kind: 'seen', call, text } satisfies ToChild);
    };
    const hear = (message: FromChild): void => {
      if (message.kind === 'progress') onProgress?.(message.progress);
      else if (message.kind === 'look') void look(message);
      else if (message.kind === 'failed') settle({ outcome: 'damaged' });
      else {
        const crops = new Map(message.crops.map(([at, png]) => [at, Buffer.from(png)]));
        settle({ reading: message.reading, crops });
      }
    };
    child.on('message', hear);
    child.once('exit', gone);
    signal?.addEventListener('abort', gone);
    child.send({ kind: 'read', files, testType, hasVision: vision !== undefined } satisfies ToChild);
  });
