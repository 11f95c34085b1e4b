/**
 * Reading in a process of its own: a hostile or huge file costs that process its memory or its time, never the site its
 * speed. One report at a time; further ones wait. The process is kept for a minute, ended after too long, begun anew when it died.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FileOutcome } from '../report.ts';
import type { Book } from './book.ts';
import type { ReadOptions, ReadResult, UploadedReport } from './index.ts';
import type { FromChild, ToChild } from './messages.ts';

export type ReaderOptions = Omit<ReadOptions, 'book'>;

export interface Reader {
  /** Never rejects for what is wrong with a file, only when `signal` aborts or the reader is stopped. */
  read(files: readonly UploadedReport[], options: ReaderOptions): Promise<ReadResult>;
  /** Ends the process; what was being read rejects. */
  stop(): Promise<void>;
}

export interface ReaderLimits {
  readonly reportSeconds: number;
  readonly idleSeconds: number;
  readonly heapMegabytes: number;
}

const usual: ReaderLimits = { reportSeconds: 300, idleSeconds: 60, heapMegabytes: 1024 };

/** Nothing was read, and each file has the same outcome. */
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

const begin = (book: Book, { heapMegabytes }: ReaderLimits): ChildProcess => {
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
    serialization: 'advanced',
    // Libraries print pieces of what they read; only our log writes.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    env: {},
  });
  child.on('error', () => undefined);
  send(child, { kind: 'book', markers: book.markers });
  return child;
};

/** A process that is just dying cannot be told anything; its end is seen by itself. */
const send = (child: ChildProcess, message: ToChild): void =>
  void (child.connected && child.send(message, () => undefined));

const withBuffers = ({ reading, crops }: ReadResult): ReadResult => ({
  reading,
  crops: new Map([...crops].map(([at, png]) => [at, Buffer.from(png)])),
});

interface Work {
  readonly child: ChildProcess;
  readonly files: readonly UploadedReport[];
  readonly options: ReaderOptions;
  readonly limits: ReaderLimits;
}

/** Resolves with what was read, or with an outcome when the process died or took too long. */
const work = ({ child, files, options, limits }: Work): Promise<ReadResult> =>
  new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      child.off('message', said).off('exit', ended).off('error', ended);
      options.signal?.removeEventListener('abort', aborted);
      finish();
    };
    const give = (result: ReadResult, isOver: boolean): void =>
      settle(() => {
        if (isOver) child.kill('SIGKILL');
        resolve(result);
      });
    const look = ({ id, png, prompt, schema }: FromChild & { kind: 'look' }): void => {
      const answer = options.vision?.(Buffer.from(png), prompt, schema) ?? Promise.resolve('');
      answer.then(
        (text) => send(child, { kind: 'said', id, text }),
        () => send(child, { kind: 'said', id, text: '' }),
      );
    };
    const said = (message: unknown): void => {
      const told = message as FromChild;
      if (told.kind === 'progress') options.onProgress?.(told.progress);
      else if (told.kind === 'look') look(told);
      else give(told.kind === 'done' ? withBuffers(told.result) : unread(files, 'damaged'), false);
    };
    const ended = (): void => give(unread(files, 'damaged'), true);
    const aborted = (): void =>
      settle(() => {
        child.kill('SIGKILL');
        reject(options.signal?.reason);
      });
    const timer = setTimeout(() => give(unread(files, 'took_too_long'), true), limits.reportSeconds * 1000);
    child.on('message', said).on('exit', ended).on('error', ended);
    options.signal?.addEventListener('abort', aborted, { once: true });
    if (options.signal?.aborted) return aborted();
    send(child, { kind: 'read', files, testType: options.testType, hasVision: options.vision !== undefined });
  });

/** A waiting process keeps no program running. */
const rest = (child: ChildProcess): void => {
  child.unref();
  child.channel?.unref();
};

const wake = (child: ChildProcess): void => {
  child.ref();
  child.channel?.ref();
};

const exited = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null || child.killed || !child.connected;

export const createReader = (book: Book, limits: ReaderLimits = usual): Reader => {
  const stopping = new AbortController();
  let running: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const readNow = async (files: readonly UploadedReport[], options: ReaderOptions): Promise<ReadResult> => {
    const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
    signal.throwIfAborted();
    clearTimeout(idle);
    if (!running || exited(running)) running = begin(book, limits);
    const child = running;
    wake(child);
    try {
      return await work({ child, files, options: { ...options, signal }, limits });
    } finally {
      if (exited(child)) running = null;
      else rest(child);
      idle = setTimeout(() => child.kill(), limits.idleSeconds * 1000);
      idle.unref();
    }
  };

  return {
    read: (files, options) => {
      const own = last.then(() => readNow(files, options));
      last = own.catch(() => undefined);
      return own;
    },
    stop: async () => {
      stopping.abort(new Error('the reader was stopped'));
      clearTimeout(idle);
      running?.kill('SIGKILL');
      await last;
    },
  };
};
