/** Makes all pages of a plan that changed: in this thread, and in workers when it takes long. */
import { setTimeout as sleep } from 'node:timers/promises';
import { progressBar } from '#core/progress.ts';
import type { Runtime } from '#core/runtime.ts';
import type { PackWriter } from '#core/site/pack-writer.ts';
import type { IndexedPack } from '#core/site/site-index.ts';
import { type Batch, type MadePage, PageMaker } from './making.ts';
import type { PlannedPage } from './plan.ts';
import type { PreviousBuild } from './previous-build.ts';
import { type PageWorker, startWorkers, type WorkerSource } from './workers.ts';

/** Batches in the making at the same time: one is rendered while others wait for the database. */
const CONCURRENCY = 4;
/** When it is looked how much is left, in milliseconds. */
const LOOK_AFTER = 1_500;
/** Less than this is left to the main thread: a worker takes seconds to start (figures in decision record 0016). */
const WORTH_WORKERS = 6_000;
const LOAD_MANY = 200;
const LOAD_FEW = 8;

/** What became of each page of the plan, in its order; packs are those of workers. */
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
  /** Where each of them stands in the build before. */
  readonly numbers: Int32Array;
  readonly before: PreviousBuild;
  isWanted(planned: PlannedPage, number: number): boolean;
  /** Whether pages that come out as they were stay where they lie. */
  readonly mayStay: boolean;
}

/** A batch, and where its pages stand in the plan. */
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
  /** A worker that starts when all is done is not waited for; one that does not start is done without. */
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
  /** Whether so much is left that workers, which take seconds to start, are worth it. */
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
 * Pages that changed, neighbours of one kind together: many at once where the page can load many, else few. Each job is
 * put together when it is asked for, while the database works on those before it.
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
  // Few pages in one batch would leave database and renderer waiting for each other.
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
