/** Computes calendar days, and the two spans of days that are compared. It uses no clock and no time zone. Pure. */
import { LEAST_DAYS } from '../insights/caveats.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';

/** Span of days, both inclusive, `YYYY-MM-DD`. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

/** Length of each side of a comparison, in days. */
export const SIDE_DAYS = 28;
/** Minimum number of days with a value, on each side. */
export const LEAST_KNOWN = 14;
/** Minimum number of days taken, including the day of the start; the first days are excluded from the comparison. */
export const LEAST_TAKEN = LEAST_DAYS + SIDE_DAYS;

const DAY_MS = 86_400_000;

/** Returns the day after the given number of days. Days are in UTC, so that none has 23 or 25 hours. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

export const eachDay = ({ from, to }: DaySpan): readonly string[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => plusDays(from, at));

/** Returns the intersection of two spans; null if it is empty. */
export const overlap = (a: DaySpan, b: DaySpan): DaySpan | null => {
  const [from, to] = [a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to];
  return from <= to ? { from, to } : null;
};

/** Returns the span from the first day of either to the last day of either. */
export const hull = (a: DaySpan | null, b: DaySpan | null): DaySpan | null =>
  a && b ? { from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to } : (a ?? b);

type Taking = Pick<LogEntry, 'startedAt' | 'stoppedAt'>;

/** Returns the span before the start. It includes the day of the start, because the hour is unknown. */
export const beforeOf = ({ startedAt }: Taking): DaySpan => ({
  from: plusDays(startedAt, 1 - SIDE_DAYS),
  to: startedAt,
});

/** Returns the first day on which a whole side has been taken that begins no sooner than 28 days after the start. */
export const comparableFrom = ({ startedAt }: Taking): string => plusDays(startedAt, LEAST_TAKEN - 1);

/**
 * Returns the last days of taking it; null if there are too few days.
 * @param last the last day with data.
 */
export const withOf = (entry: Taking, last: string): DaySpan | null => {
  const to = entry.stoppedAt !== null && entry.stoppedAt < last ? entry.stoppedAt : last;
  return to < comparableFrom(entry) ? null : { from: plusDays(to, 1 - SIDE_DAYS), to };
};
