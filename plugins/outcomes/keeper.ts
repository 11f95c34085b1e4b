/** Keeps the grades up to date with the corpus. Across all processes on the database, one run is active at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withLease } from '#core/db/lease.ts';
import type { BackgroundStage, Host } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { findingsPlugin } from '#plugins/findings/index.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type CaughtUp, catchUpGrades, readLevel } from './keep-up.ts';

/** Interval at which a serving process checks for changes of the corpus, in milliseconds. */
const WATCH_MS = 2_000;
/** Maximum time that a response waits for the grades to be updated, in milliseconds. */
const PATIENCE_MS = 2_000;

const NOTHING: CaughtUp = { looked: 0, written: 0 };

export interface GradeKeeper {
  /**
   * Updates the grades to the state of the corpus, with a few queries when they are current. Concurrent callers share one run.
   */
  catchUp(signal?: AbortSignal): Promise<CaughtUp>;
  /**
   * Like `catchUp`, but waits for a limited time and never throws: after a large import, readers get the grades as stored so far.
   */
  level(): Promise<void>;
  /** Starts updating the grades of a serving process every few seconds. */
  keepLevel(): void;
  stage(): BackgroundStage;
  stop(): Promise<void>;
}

/** Creates the state of the last run, for /api/pipeline/status. */
const stageState = () => ({ startedAt: null as Date | null, failed: false, done: 0 });
type State = ReturnType<typeof stageState>;

/**
 * Returns the function for one run. It grades under the lease, and does nothing when the grades are current or another process
 * holds the lease.
 */
const graderRun = ({ db, use }: Host, state: State, stopping: AbortSignal) => {
  const vocabulary = use(vocabularyPlugin);
  const findings = use(findingsPlugin);
  const { plan } = use(evidencePlugin);
  let seen: { readonly terms: Terms; readonly version: string } | null = null;
  return async (signal?: AbortSignal): Promise<CaughtUp> => {
    const terms = await vocabulary.terms();
    const { corpus, level } = await db.read(readLevel);
    const book = await findings.book();
    const { questions } = await plan();
    const searched = new Map(
      questions.flatMap(({ supplement, topic, searched: day }) => {
        const vertical = `${supplement}-${topic}`;
        return day ? [[vertical, { vertical, supplement, topic, day }] as const] : [];
      }),
    );
    const isSame = seen?.terms === terms && seen.version === book.version;
    if (corpus === level && isSame) return NOTHING;
    state.startedAt = new Date();
    state.done = 0;
    const onBatch = (done: number): void => {
      state.done = done;
      stopping.throwIfAborted();
    };
    const held = await withLease(db, 'outcomes', { waitSeconds: 30, signal: stopping }, () =>
      catchUpGrades(db, { terms, book, searched }, { findings: !isSame, signal, onBatch }),
    );
    if (!held) return NOTHING;
    seen = { terms, version: book.version };
    state.failed = false;
    return held.result;
  };
};

const stageOf = (state: State, running: boolean): BackgroundStage => ({
  name: 'outcome_grades',
  status: running ? 'running' : state.failed ? 'failed' : 'ok',
  // Current grades mean that there is nothing to do: the time of an old success would look like lag.
  startedAt: running || state.failed ? state.startedAt : null,
  succeededAt: null,
  done: state.done,
  total: null,
});

export const gradeKeeper = (host: Host): GradeKeeper => {
  const state = stageState();
  const stopper = new AbortController();
  const run = graderRun(host, state, stopper.signal);
  let running: Promise<CaughtUp> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const start = (signal?: AbortSignal): Promise<CaughtUp> =>
    run(signal)
      .catch((error) => {
        state.failed = true;
        throw error;
      })
      .finally(() => {
        running = null;
      });
  const catchUp = async (signal?: AbortSignal): Promise<CaughtUp> => {
    // A run in progress may have started before the change that the caller depends on.
    await running?.catch(() => undefined);
    running ??= start(signal);
    return running;
  };
  const quietly = async (): Promise<void> => {
    await catchUp().catch((error) => {
      // The next run continues from the last stored batch.
      if (!stopper.signal.aborted) host.log.warn('outcomes_not_graded', { error });
    });
  };
  const watch = (): void => {
    if (!running) void quietly();
  };
  return {
    catchUp,
    level: async () => {
      await Promise.race([quietly(), sleep(PATIENCE_MS, undefined, { ref: false })]);
    },
    keepLevel: () => {
      if (host.role === 'serve') timer ??= setInterval(watch, WATCH_MS).unref();
    },
    stage: () => stageOf(state, running !== null),
    stop: async () => {
      if (timer) clearInterval(timer);
      stopper.abort(new Error('stopping'));
      await running?.catch(() => undefined);
    },
  };
};
