/**
 * Days of one measure before something was started and while it was taken, of one source. It never says that one led to the
 * other. Pure.
 */
import type { DayPoint, DaySeries } from './keeper.ts';
import { type Middle, middleOf } from './quartiles.ts';
import { type DaySpan, eachDay, LEAST_KNOWN } from './windows.ts';

export interface DaySide extends DaySpan, Middle {
  /** With a value of the source that is compared. */
  readonly days: number;
}

export interface Compared {
  readonly series: DaySeries;
  readonly source: string;
  readonly before: DaySide;
  readonly after: DaySide;
  /** Days of other sources, that do not count. */
  readonly leftOut: { readonly before: number; readonly after: number };
}

export type SeriesReason = 'few_days' | 'other_source' | 'other_method';

export interface Uncompared {
  readonly series: DaySeries;
  readonly reason: SeriesReason;
  /** With a value, on each side. */
  readonly days: { readonly before: number; readonly after: number };
  /** A clause on it, as in "Weight: ...". */
  readonly words: string;
}

export interface Sides {
  readonly before: DaySpan;
  readonly after: DaySpan;
  /** Days before on which the same thing was taken by another entry of the log. */
  isTaken(day: string): boolean;
}

type ByDay = ReadonlyMap<string, DayPoint>;

/** Days are looked up by name: a log of many entries asks for the same series again and again. */
export const byDay = (series: readonly DaySeries[]): readonly (readonly [DaySeries, ByDay])[] =>
  series.map((one) => [one, new Map(one.points.map((point) => [point.day, point]))]);

const known = (points: ByDay, days: readonly string[]): readonly DayPoint[] =>
  days.flatMap((day) => points.get(day) ?? []);

const counts = (points: readonly DayPoint[]): ReadonlyMap<string, number> => {
  const all = new Map<string, number>();
  for (const { source } of points) all.set(source, (all.get(source) ?? 0) + 1);
  return all;
};

/** With most days first; by name, so that the choice never wavers. */
const byDays = (a: readonly [string, number], b: readonly [string, number]): number =>
  b[1] - a[1] || (a[0] < b[0] ? -1 : 1);

const firstOf = (points: readonly DayPoint[]): string => [...counts(points)].sort(byDays)[0]?.[0] ?? '';

const sideOf = ({ from, to }: DaySpan, points: readonly DayPoint[], digits: number): DaySide => {
  const { median, q1, q3 } = middleOf(points.map(({ value }) => value));
  const rounded = (value: number): number => Number(value.toFixed(digits + 1));
  return { from, to, days: points.length, median: rounded(median), q1: rounded(q1), q3: rounded(q3) };
};

/** The source with enough days on both sides, and most of them; null without one. */
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

/** Null where neither side has a day of it. */
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

/** A watch that counts one way, and a ring after it that counts another: said once, for both. */
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

/** @param series those of `byDay`. */
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

/** Whether the middle halves of the two sides lie apart. */
export const isApart = ({ before, after }: Pick<Compared, 'before' | 'after'>): boolean =>
  after.q1 > before.q3 || after.q3 < before.q1;
