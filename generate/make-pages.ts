/** Renders all pages of a plan that changed: in this thread, and in worker threads when it takes long. */
import { setTimeout as sleep } from 'node:timers/promises';
import { progressBar } from '#core/progress.ts';
import type { Runtime } from '#core/runtime.ts';
import type { PackWriter } from '#core/site/pack-writer.ts';
import type { IndexedPack } from '#core/site/site-index.ts';
import { type Batch, type MadePage, PageMaker } from './making.ts';
import type { PlannedPage } from './plan.ts';
import type { PreviousBuild } from './previous-build.ts';
import { type PageWorker, startWorkers, type WorkerSource } from './workers.ts';

/** Number of concurrent batches: one is rendered while others wait for the database. */
const CONCURRENCY = 4;
/** Delay before the remaining work is estimated, in milliseconds. */
const LOOK_AFTER = 1_500;
/**
 * Minimum remaining time, in milliseconds, for which workers are started: a worker takes seconds to start (figures in decision
 * record 0016).
 */
const WORTH_WORKERS = 6_000;
const LOAD_MANY = 200;
const LOAD_FEW = 8;

/** The result for each page of the plan, in order; packs are those of the workers. */
export interface MadePages {
  readonly pages: readonly (MadePage | 'unchanged')[];
  readonly packs: readonly IndexedPack[];
}

interface Place {
  readonly runtime: Runtime;
  readonly siteDir: string;
  readonly build: string;
  readonly pack: PackWriter | null;
  readonly signal: AbortSignal;
  readonly workers?: WorkerSource | undefined;
}

interface Wanted {
  readonly pages: readonly PlannedPage[];
  /** Entry number of each page in the previous build. */
  readonly numbers: Int32Array;
  readonly before: PreviousBuild;
  isWanted(planned: PlannedPage, number: number): boolean;
  /** Whether pages whose bytes are unchanged keep their place. */
  readonly mayStay: boolean;
}

/** A batch with the positions of its pages in the plan. */
interface Job {
  readonly batch: Batch;
  readonly positions: readonly number[];
}

export const makePages = async (place: Place, wanted: Wanted): Promise<MadePages> => {
  const pages: (MadePage | 'unchanged')[] = new Array(wanted.pages.length).fill('unchanged');
  const { before } = wanted;
  const { jobs: queue, changed } = jobsOf(wanted);
  const bar = progressBar('generate', changed);
  let done = 0;
  const finish = ({ batch, positions }: Job, made: readonly MadePage[]): void => {
    for (const [at, position] of positions.entries()) pages[position] = made[at] ?? null;
    done += positions.length;
    bar.update(done, batch.pages.at(-1)?.url ?? '');
  };
  const { runtime, pack, signal } = place;
  const maker = new PageMaker({ runtime, pack, twins: before.twins, signal });
  const here = async (): Promise<void> => {
    for (const job of queue) finish(job, await maker.make(job.batch));
  };
  const workers: PageWorker[] = [];
  const mine = Promise.all(Array.from({ length: CONCURRENCY }, here));
  /** Returns whether the worker became ready before all work was done. A worker that fails to start is logged and not used. */
  const isReady = (worker: PageWorker): Promise<boolean> =>
    Promise.race([
      mine.then(() => false),
      worker.ready.then(
        () => true,
        (error) => {
          runtime.log.warn('page_worker_not_started', { error });
          return false;
        },
      ),
    ]);
  const there = async (worker: PageWorker): Promise<readonly IndexedPack[]> => {
    if (!(await isReady(worker))) return [];
    const help = async (): Promise<void> => {
      for (const job of queue) finish(job, await worker.make(job.batch));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, help));
    return worker.finish();
  };
  /** Returns whether enough work remains for workers, which take seconds to start. */
  const isLong = async (): Promise<boolean> => {
    if (!place.workers || place.workers.isEager) return true;
    await Promise.race([mine, sleep(LOOK_AFTER, undefined, { ref: false })]);
    return ((changed - done) / Math.max(1, done)) * LOOK_AFTER > WORTH_WORKERS;
  };
  const others = async (): Promise<readonly IndexedPack[]> => {
    if (!(await isLong())) return [];
    workers.push(...startWorkers(place, before.twins));
    return (await Promise.all(workers.map(there))).flat();
  };
  try {
    const [, packs] = await Promise.all([mine, others()]);
    return { pages, packs };
  } finally {
    bar.stop();
    await Promise.all(workers.map((worker) => worker.stop()));
  }
};

/**
 * Returns batches of the changed pages, with consecutive pages of one kind in each: large batches where the page can load many,
 * else small ones. Each batch is built on demand, while the database processes the previous ones.
 */
const jobsOf = ({
  pages,
  numbers,
  before,
  isWanted,
  mayStay,
}: Wanted): { jobs: IterableIterator<Job>; changed: number } => {
  const wanted: number[] = [];
  for (const [at, page] of pages.entries()) if (isWanted(page, numbers[at] ?? -1)) wanted.push(at);
  // With few pages in a single batch, the database and the renderer would wait for each other.
  const many = Math.min(LOAD_MANY, Math.max(LOAD_FEW, Math.ceil(wanted.length / (2 * CONCURRENCY))));
  const jobAt = (from: number): Job => {
    const { plugin, page } = pages[wanted[from] as number] as PlannedPage;
    const most = from + (page.loadMany ? many : LOAD_FEW);
    const batch = { plugin: plugin.name, page: page.id, pages: [] as Batch['pages'][number][] };
    const positions: number[] = [];
    for (let next = from; next < wanted.length && next < most; next += 1) {
      const position = wanted[next] as number;
      const { url, page: its, instance } = pages[position] as PlannedPage;
      if (its !== page) break;
      const hash = mayStay ? before.hash(numbers[position] ?? -1) : null;
      batch.pages.push({ url, params: instance.params, hash });
      positions.push(position);
    }
    return { batch, positions };
  };
  function* jobs(): IterableIterator<Job> {
    for (let from = 0; from < wanted.length; ) {
      const job = jobAt(from);
      from += job.positions.length;
      yield job;
    }
  }
  return { jobs: jobs(), changed: wanted.length };
};
