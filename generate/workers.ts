/**
 * Worker threads that make pages. Each starts the program once more, without what the main thread has done for both
 * (content, migrations, catching up), and writes packs of its own.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PackWriter } from '#core/site/pack-writer.ts';
import type { IndexedPack } from '#core/site/site-index.ts';
import type { Batch, MadePage } from './making.ts';

const MOST_WORKERS = 7;

/** How a worker starts this program. */
export interface WorkerSource {
  /** Address of the module that exports `plugins`. */
  readonly plugins: string;
  /** Instead of the environment and the .env file of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** They start at once, however little there is to do; for tests. */
  readonly isEager?: boolean;
}

export interface WorkerOrder {
  readonly source: WorkerSource;
  readonly siteDir: string;
  /** Of the names of its packs; null: pages are compared and forgotten. */
  readonly prefix: string | null;
  readonly twins: boolean;
}

export type Question = { readonly id: number; readonly batch: Batch } | { readonly id: number; readonly finish: true };
export type Answer =
  | { readonly ready: true }
  | { readonly id: number; readonly made: readonly MadePage[] }
  | { readonly id: number; readonly packs: readonly IndexedPack[] }
  | { readonly id: number; readonly failed: Failure };

/** Errors lose their class between threads; what people read of them stays. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

export interface PageWorker {
  readonly ready: Promise<void>;
  make(batch: Batch): Promise<readonly MadePage[]>;
  /** Gives its packs their names. */
  finish(): Promise<readonly IndexedPack[]>;
  stop(): Promise<unknown>;
}

interface Place {
  readonly siteDir: string;
  readonly build: string;
  readonly pack: PackWriter | null;
  readonly workers?: WorkerSource | undefined;
}

/** They start while the main thread goes on. */
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
