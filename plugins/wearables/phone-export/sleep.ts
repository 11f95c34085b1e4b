/**
 * Combines segments of sleep to nights. A night counts for the day on which it ends, in the local time of the person; a nap hours
 * apart counts for its own day. A minute in two segments of one source counts once.
 */

/** Durations in seconds. */
export interface Night {
  deep: number;
  rem: number;
  core: number;
  awake: number;
  /** Asleep without a stage, as older watches and phones report it. */
  unstaged: number;
}

export type Stage = keyof Night;

export interface Segment {
  readonly stage: Stage;
  /** Seconds since 1970 in UTC. */
  readonly start: number;
  readonly end: number;
  /** Minutes east of UTC at its end. */
  readonly offset: number;
}

/** Stage of each HealthKit value; null for time in bed. */
export const STAGES: ReadonlyMap<string, Stage | null> = new Map<string, Stage | null>([
  ['HKCategoryValueSleepAnalysisInBed', null],
  ['HKCategoryValueSleepAnalysisAsleep', 'unstaged'],
  ['HKCategoryValueSleepAnalysisAsleepUnspecified', 'unstaged'],
  ['HKCategoryValueSleepAnalysisAsleepCore', 'core'],
  ['HKCategoryValueSleepAnalysisAsleepDeep', 'deep'],
  ['HKCategoryValueSleepAnalysisAsleepREM', 'rem'],
  ['HKCategoryValueSleepAnalysisAwake', 'awake'],
]);

/** Priority of stages for the same minute: a stage is more specific than "asleep", and so is "awake". */
export const BELIEVED: readonly Stage[] = ['deep', 'rem', 'core', 'awake', 'unstaged'];
/** Maximum interruption within one sleep, in seconds. This is our choice; it is not based on a study. */
const APART_SECONDS = 3 * 3_600;
/** Maximum length of a segment; a longer one is an error of the file. */
export const LONGEST_SEGMENT_SECONDS = 24 * 3_600;

interface Sleep {
  readonly start: number;
  end: number;
  /** Minutes east of UTC when it ended. */
  offset: number;
  readonly segments: Segment[];
}

const byStart = (a: Segment, b: Segment): number => a.start - b.start;

/** Groups segments, which are sorted by start, into sleeps. */
const sleepsOf = (asleep: readonly Segment[]): readonly Sleep[] => {
  const sleeps: Sleep[] = [];
  for (const segment of asleep) {
    let sleep = sleeps.at(-1);
    if (!sleep || segment.start - sleep.end > APART_SECONDS) {
      sleep = { start: segment.start, end: segment.end, offset: segment.offset, segments: [] };
      sleeps.push(sleep);
    } else if (segment.end >= sleep.end) {
      sleep.end = segment.end;
      sleep.offset = segment.offset;
    }
    sleep.segments.push(segment);
  }
  return sleeps;
};

/** Adds to each sleep the time awake within it; time awake before and after is not part of a night. */
const addAwake = (sleeps: readonly Sleep[], awake: readonly Segment[]): void => {
  let from = 0;
  for (const segment of awake) {
    while (from < sleeps.length && (sleeps[from] as Sleep).end <= segment.start) from += 1;
    for (let at = from; at < sleeps.length; at += 1) {
      const sleep = sleeps[at] as Sleep;
      if (sleep.start >= segment.end) break;
      const [start, end] = [Math.max(segment.start, sleep.start), Math.min(segment.end, sleep.end)];
      if (end > start) sleep.segments.push({ ...segment, start, end });
    }
  }
};

/** Returns the number of seconds that the segments cover, without counting overlaps twice. */
const covered = (segments: readonly Segment[]): number => {
  let [seconds, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { start, end } of segments) {
    if (end <= until) continue;
    seconds += end - Math.max(start, until);
    until = end;
  }
  return seconds;
};

/** Computes the duration of each stage as the time that stages of higher priority do not cover. */
const nightOf = (segments: readonly Segment[]): Night => {
  const night: Night = { deep: 0, rem: 0, core: 0, awake: 0, unstaged: 0 };
  const believed = new Set<Stage>();
  let before = 0;
  for (const stage of BELIEVED) {
    if (!segments.some((segment) => segment.stage === stage)) continue;
    believed.add(stage);
    const now = covered(segments.filter((segment) => believed.has(segment.stage)).sort(byStart));
    night[stage] = now - before;
    before = now;
  }
  return night;
};

export interface SleepEnd {
  /** Seconds since 1970 in UTC. */
  readonly end: number;
  readonly offset: number;
  readonly night: Night;
  /** Number of segments in the sleep. */
  readonly segments: number;
}

/**
 * Returns the sleeps of one source.
 * @param segments of one source, in any order.
 */
export const sleepsIn = (segments: readonly Segment[]): readonly SleepEnd[] => {
  const isAwake = ({ stage }: Segment): boolean => stage === 'awake';
  const sleeps = sleepsOf(segments.filter((segment) => !isAwake(segment)).sort(byStart));
  addAwake(sleeps, segments.filter(isAwake).sort(byStart));
  return sleeps.map(({ end, offset, segments: own }) => ({ end, offset, night: nightOf(own), segments: own.length }));
};

export const addNights = (a: Night | null, b: Night): Night => {
  if (!a) return { ...b };
  for (const stage of BELIEVED) a[stage] += b[stage];
  return a;
};
