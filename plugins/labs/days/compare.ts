/**
 * Compares the days of one measure before something was started with those while it was taken, from one source. It never claims
 * causation. Pure.
 */
import type { DayPoint, DaySeries } from './keeper.ts';
import { type Middle, middleOf } from './quartiles.ts';
import { type DaySpan, eachDay, LEAST_KNOWN } from './windows.ts';

export interface DaySide extends DaySpan, Middle {
  /** Number of days with a value of the compared source. */
  readonly days: number;
}

export interface Compared {
  readonly series: DaySeries;
  readonly source: string;
  readonly before: DaySide;
  readonly after: DaySide;
  /** Days of other sources, which do not count. */
  readonly leftOut: { readonly before: number; readonly after: number };
}

export type SeriesReason = 'few_days' | 'other_source' | 'other_method';

export interface Uncompared {
  readonly series: DaySeries;
  readonly reason: SeriesReason;
  /** Days with a value, on each side. */
  readonly days: { readonly before: number; readonly after: number };
  /** Clause that follows the name, as in "Weight: ...". */
  readonly words: string;
}

export interface Sides {
  readonly before: DaySpan;
  readonly after: DaySpan;
  /** Returns whether another entry of the log covers the same substance on a day before. */
  isTaken(day: string): boolean;
}

type ByDay = ReadonlyMap<string, DayPoint>;

/** Indexes the points by day, because a log with many entries looks up the same series repeatedly. */
export const byDay = (series: readonly DaySeries[]): readonly (readonly [DaySeries, ByDay])[] =>
  series.map((one) => [one, new Map(one.points.map((point) => [point.day, point]))]);

const known = (points: ByDay, days: readonly string[]): readonly DayPoint[] =>
  days.flatMap((day) => points.get(day) ?? []);

const counts = (points: readonly DayPoint[]): ReadonlyMap<string, number> => {
  const all = new Map<string, number>();
  for (const { source } of points) all.set(source, (all.get(source) ?? 0) + 1);
  return all;
};

/** Orders sources by number of days, descending; ties are ordered by name, so that the choice is stable. */
const byDays = (a: readonly [string, number], b: readonly [string, number]): number =>
  b[1] - a[1] || (a[0] < b[0] ? -1 : 1);

const firstOf = (points: readonly DayPoint[]): string => [...counts(points)].sort(byDays)[0]?.[0] ?? '';

const sideOf = ({ from, to }: DaySpan, points: readonly DayPoint[], digits: number): DaySide => {
  const { median, q1, q3 } = middleOf(points.map(({ value }) => value));
  const rounded = (value: number): number => Number(value.toFixed(digits + 1));
  return { from, to, days: points.length, median: rounded(median), q1: rounded(q1), q3: rounded(q3) };
};

/** Returns the source with the most days among those with enough days on both sides; null if there is none. */
const commonSource = (befores: readonly DayPoint[], afters: readonly DayPoint[]): string | null => {
  const [early, late] = [counts(befores), counts(afters)];
  const both = [...early].flatMap(([source, days]): [string, number][] => {
    const more = late.get(source) ?? 0;
    return days >= LEAST_KNOWN && more >= LEAST_KNOWN ? [[source, days + more]] : [];
  });
  return both.sort(byDays)[0]?.[0] ?? null;
};

const uncompared = (series: DaySeries, befores: readonly DayPoint[], afters: readonly DayPoint[]): Uncompared => {
  const days = { before: befores.length, after: afters.length };
  const [early, late] = [firstOf(befores), firstOf(afters)];
  const isMoved = befores.length >= LEAST_KNOWN && afters.length >= LEAST_KNOWN && early !== late;
  return isMoved
    ? { series, reason: 'other_source', days, words: `from ${early} before and from ${late} with it` }
    : { series, reason: 'few_days', days, words: `${days.before} days before, ${days.after} with it` };
};

/** Returns null if neither side has a day of the series. */
const compareOne = (series: DaySeries, points: ByDay, { before, after, isTaken }: Sides) => {
  const befores = known(
    points,
    eachDay(before).filter((day) => !isTaken(day)),
  );
  const afters = known(points, eachDay(after));
  if (!befores.length && !afters.length) return null;
  const source = commonSource(befores, afters);
  if (source === null) return uncompared(series, befores, afters);
  const [early, late] = [befores, afters].map((side) => side.filter((point) => point.source === source)) as [
    DayPoint[],
    DayPoint[],
  ];
  return {
    series,
    source,
    before: sideOf(before, early, series.digits),
    after: sideOf(after, late, series.digits),
    leftOut: { before: befores.length - early.length, after: afters.length - late.length },
  };
};

/** Merges pairs of uncompared series with different methods, such as a watch and a later ring, into one explanation. */
const withMethods = (all: readonly Uncompared[]): readonly Uncompared[] => {
  const moved = all.flatMap((one) => {
    const other = all.find(
      ({ series, days }) =>
        series !== one.series &&
        one.series.method !== null &&
        series.method?.of === one.series.method.of &&
        one.days.before >= LEAST_KNOWN &&
        one.days.after < LEAST_KNOWN &&
        days.before < LEAST_KNOWN &&
        days.after >= LEAST_KNOWN,
    );
    return other ? [{ one, other }] : [];
  });
  const gone = new Set(moved.flatMap(({ one, other }) => [one, other]));
  return [
    ...all.filter((one) => !gone.has(one)),
    ...moved.map(
      ({ one, other }): Uncompared => ({
        series: one.series,
        reason: 'other_method',
        days: { before: one.days.before, after: other.days.after },
        words: `${one.series.method?.name} before and ${other.series.method?.name} with it, which are two measures`,
      }),
    ),
  ];
};

/**
 * Compares the series on both sides.
 * @param series the result of `byDay`.
 */
export const compareSides = (
  series: ReturnType<typeof byDay>,
  sides: Sides,
): { readonly compared: readonly Compared[]; readonly uncompared: readonly Uncompared[] } => {
  const all = series.flatMap(([one, points]) => compareOne(one, points, sides) ?? []);
  return {
    compared: all.filter((one) => 'source' in one),
    uncompared: withMethods(all.filter((one) => 'reason' in one)),
  };
};

/** Returns whether the interquartile ranges of the two sides do not overlap. */
export const isApart = ({ before, after }: Pick<Compared, 'before' | 'after'>): boolean =>
  after.q1 > before.q3 || after.q3 < before.q1;
