/**
 * Worker threads that render pages. Each boots the program again, without the steps that the main thread has done for both
 * (content synchronization, migrations, index catch-up), and writes packs of its own.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PackWriter } from '#core/site/pack-writer.ts';
import type { IndexedPack } from '#core/site/site-index.ts';
import type { Batch, MadePage } from './making.ts';

const MOST_WORKERS = 7;

/** The parameters with which a worker boots this program. */
export interface WorkerSource {
  /** URL of the module that exports `plugins`. */
  readonly plugins: string;
  /** Replaces the environment and the .env file of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether workers start at once, however little work there is; for tests. */
  readonly isEager?: boolean;
}

export interface WorkerOrder {
  readonly source: WorkerSource;
  readonly siteDir: string;
  /** Prefix of the names of its packs; null when pages are only compared and not stored. */
  readonly prefix: string | null;
  readonly twins: boolean;
}

export type Question = { readonly id: number; readonly batch: Batch } | { readonly id: number; readonly finish: true };
export type Answer =
  | { readonly ready: true }
  | { readonly id: number; readonly made: readonly MadePage[] }
  | { readonly id: number; readonly packs: readonly IndexedPack[] }
  | { readonly id: number; readonly failed: Failure };

/** The parts of an error that people read. Errors lose their class when they are sent between threads. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

export interface PageWorker {
  readonly ready: Promise<void>;
  make(batch: Batch): Promise<readonly MadePage[]>;
  /** Finishes its packs and returns them. */
  finish(): Promise<readonly IndexedPack[]>;
  stop(): Promise<unknown>;
}

interface Place {
  readonly siteDir: string;
  readonly build: string;
  readonly pack: PackWriter | null;
  readonly workers?: WorkerSource | undefined;
}

/** Starts the workers; the main thread continues meanwhile. */
export const startWorkers = (place: Place, twins: boolean): readonly PageWorker[] => {
  const { workers: source, siteDir, build, pack } = place;
  if (!source) return [];
  const count = Math.min(MOST_WORKERS, Math.max(1, availableParallelism() - 1));
  return Array.from({ length: count }, (_, at) =>
    startWorker({ source, siteDir, prefix: pack && `${build}-${at + 1}`, twins }),
  );
};

type Waiting = { resolve(answer: never): void; reject(error: Error): void };

const startWorker = (order: WorkerOrder): PageWorker => {
  const worker = new Worker(new URL('./page-worker.ts', import.meta.url), { workerData: order });
  const waiting = new Map<number, Waiting>();
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  let asked = 0;
  const fail = (error: Error): void => {
    ready.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', (error) => fail(error as Error));
  worker.on('exit', (code) => fail(new Error(`A worker that makes pages ended with ${code}`)));
  worker.on('message', (answer: Answer) => {
    if ('ready' in answer) return ready.resolve();
    const question = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('failed' in answer) question?.reject(Object.assign(new Error(answer.failed.message), answer.failed));
    else question?.resolve(('made' in answer ? answer.made : answer.packs) as never);
  });
  const ask = <T>(rest: { batch: Batch } | { finish: true }): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      worker.postMessage({ id: asked, ...rest } satisfies Question);
    });
  return {
    ready: ready.promise,
    make: (batch) => ask({ batch }),
    finish: () => ask({ finish: true }),
    stop: () => {
      worker.removeAllListeners('exit');
      return worker.terminate();
    },
  };
};
