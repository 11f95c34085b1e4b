/** Grades as other plugins read them, and the work that keeps them level. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { withLease } from '#core/db/lease.ts';
import type { BackgroundStage, Database, Host } from '#core/plugin.ts';
import type { Tier } from '#plugins/evidence/index.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type GradeChange, historyOfSupplement, historyOfVertical } from './changes.ts';
import { OutcomeGradeRow } from './entities.ts';
import type { OutcomeCap } from './grading/certainty.ts';
import { describeMethod, type MethodDescription } from './grading/describe-method.ts';
import type { OutcomeFigures } from './grading/figures.ts';
import type { OutcomeReason } from './grading/grade-outcome.ts';
import type { Magnitude } from './grading/magnitude.ts';
import type { Certainty } from './grading/method.ts';
import { type CaughtUp, catchUpGrades, readLevel } from './keep-up.ts';

/** How often a serving process looks whether the corpus has moved, in milliseconds. */
const WATCH_MS = 2_000;
/** How long an answer waits for grades to come level, in milliseconds. */
const PATIENCE_MS = 2_000;
const LONGEST_HISTORY = 200;

/** What the base amounts to on one supplement and one outcome. */
export interface OutcomeGrade {
  readonly vertical: string;
  readonly supplement_slug: string;
  readonly topic_slug: string;
  readonly certainty: Certainty;
  readonly direction: string;
  readonly magnitude: Magnitude;
  /** Sources that stand, of every kind. */
  readonly source_count: number;
  /** "1,208", "at least 1,208", "not stated" or "none". */
  readonly people: string;
  readonly best_tier: Tier | null;
  readonly figures: OutcomeFigures;
  readonly caps: readonly OutcomeCap[];
  readonly reasons: readonly OutcomeReason[];
  readonly method_version: string;
  readonly first_graded_at: string;
  readonly graded_at: string;
  readonly digest: string;
}

export interface GradeFilter {
  readonly vertical?: string;
  readonly supplement?: string;
  readonly topic?: string;
  readonly topics?: readonly string[];
}

export interface OutcomeServices {
  ofSupplement(slug: string, em?: EntityManager): Promise<readonly OutcomeGrade[]>;
  ofVertical(vertical: string, em?: EntityManager): Promise<OutcomeGrade | null>;
  /** Every grade that fits, by vertical. */
  list(filter: GradeFilter, em?: EntityManager): Promise<readonly OutcomeGrade[]>;
  /** Every grade, kept in memory until one changes. */
  all(): Promise<readonly OutcomeGrade[]>;
  /** What changed of one question, newest first. */
  history(vertical: string, em?: EntityManager): Promise<readonly GradeChange[]>;
  historyOfSupplement(slug: string, limit: number, em?: EntityManager): Promise<readonly GradeChange[]>;
  /** Brings the grades level with the corpus; one query when they are. Calls that wait together share one run. */
  catchUp(signal?: AbortSignal): Promise<CaughtUp>;
  /** The same, waiting a moment at most: after a large import a reader gets the grades as they are. */
  level(): Promise<void>;
  readonly method: MethodDescription;
  /** From now on a server grades what changed, every few seconds. */
  keepLevel(): void;
  stage(): BackgroundStage;
  stop(): Promise<void>;
}

type StoredGrade = Awaited<ReturnType<typeof readGrades>>[number];

const readGrades = (em: EntityManager, { vertical, supplement, topic, topics }: GradeFilter) =>
  em.find(
    OutcomeGradeRow,
    {
      ...(vertical && { vertical }),
      ...(supplement && { supplementSlug: supplement }),
      ...(topic && { topicSlug: topic }),
      ...(topics && { topicSlug: { $in: [...topics] } }),
    },
    { disableIdentityMap: true },
  );

const toGrade = (row: StoredGrade): OutcomeGrade => ({
  vertical: row.vertical,
  supplement_slug: row.supplementSlug,
  topic_slug: row.topicSlug,
  certainty: row.certainty as Certainty,
  direction: row.direction,
  magnitude: row.magnitude,
  source_count: row.figures.sources,
  people: row.figures.people.text,
  best_tier: row.figures.best_tier,
  figures: row.figures,
  caps: row.caps,
  reasons: row.reasons,
  method_version: row.methodVersion,
  first_graded_at: row.firstGradedAt.toISOString(),
  graded_at: row.gradedAt.toISOString(),
  digest: row.digest,
});

const NOTHING: CaughtUp = { looked: 0, written: 0 };

/** What is known of the last run, for /api/pipeline/status. */
const stageState = () => ({ startedAt: null as Date | null, failed: false, done: 0 });

export const startOutcomes = ({ db, log, role, use }: Host): OutcomeServices => {
  const vocabulary = use(vocabularyPlugin);
  const state = stageState();
  const stopper = new AbortController();
  let seen: Terms | null = null;
  let running: Promise<CaughtUp> | null = null;

  const run = async (signal?: AbortSignal): Promise<CaughtUp> => {
    const terms = await vocabulary.terms();
    const { corpus, level } = await db.read(readLevel);
    if (corpus === level && terms === seen) return NOTHING;
    state.startedAt = new Date();
    state.done = 0;
    const held = await withLease(db, 'outcomes', { waitSeconds: 30, signal: stopper.signal }, () =>
      catchUpGrades(db, terms, {
        findings: terms !== seen,
        signal,
        onBatch: (done) => {
          state.done = done;
          stopper.signal.throwIfAborted();
        },
      }),
    );
    if (!held) return NOTHING;
    seen = terms;
    state.failed = false;
    return held.result;
  };
  const catchUp = async (signal?: AbortSignal): Promise<CaughtUp> => {
    // A run under way may have looked before the change that the caller knows of.
    await running?.catch(() => undefined);
    running ??= run(signal)
      .catch((error) => {
        state.failed = true;
        throw error;
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  const quietly = async (): Promise<void> => {
    await catchUp().catch((error) => {
      // The next start goes on where this one stopped.
      if (!stopper.signal.aborted) log.warn('outcomes_not_graded', { error });
    });
  };
  const watch = (): void => {
    if (!running) void quietly();
  };
  let timer: NodeJS.Timeout | null = null;
  return {
    ...readers(db),
    catchUp,
    level: async () => {
      await Promise.race([quietly(), sleep(PATIENCE_MS, undefined, { ref: false })]);
    },
    method: describeMethod(),
    keepLevel: () => {
      if (role === 'serve') timer ??= setInterval(watch, WATCH_MS).unref();
    },
    stage: () => ({
      name: 'outcome_grades',
      status: running ? 'running' : state.failed ? 'failed' : 'ok',
      // Level means nothing to do: an old success would read as lag.
      startedAt: running || state.failed ? state.startedAt : null,
      succeededAt: null,
      done: state.done,
      total: null,
    }),
    stop: async () => {
      if (timer) clearInterval(timer);
      stopper.abort(new Error('stopping'));
      await running?.catch(() => undefined);
    },
  };
};

/** Differs whenever a grade came, went or changed, in whichever process. */
const STATE =
  'select count(*)::int as n, max(graded_at)::text as at, sum(hashtext(digest)) as digests from outcome_grade';

const readers = (db: Database) => {
  const within = <T>(em: EntityManager | undefined, work: (em: EntityManager) => Promise<T>): Promise<T> =>
    em ? work(em) : db.read(work);
  const list = async (filter: GradeFilter, em?: EntityManager): Promise<readonly OutcomeGrade[]> =>
    (await within(em, (inner) => readGrades(inner, filter)))
      .map(toGrade)
      .sort((a, b) => (a.vertical < b.vertical ? -1 : 1));
  let kept: { readonly state: string; readonly grades: readonly OutcomeGrade[] } | null = null;
  const all = (): Promise<readonly OutcomeGrade[]> =>
    db.read(async (em) => {
      const state = JSON.stringify(await em.execute(STATE));
      if (kept?.state !== state) kept = { state, grades: await list({}, em) };
      return kept.grades;
    });
  return {
    list,
    all,
    ofSupplement: (slug: string, em?: EntityManager) => list({ supplement: slug }, em),
    ofVertical: async (vertical: string, em?: EntityManager) => (await list({ vertical }, em))[0] ?? null,
    history: (vertical: string, em?: EntityManager) =>
      within(em, (inner) => historyOfVertical(inner, vertical, LONGEST_HISTORY)),
    historyOfSupplement: (slug: string, limit: number, em?: EntityManager) =>
      within(em, (inner) => historyOfSupplement(inner, slug, limit)),
  };
};
