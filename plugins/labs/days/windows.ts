/** Days counted on the calendar, and the two spans of days that are compared. No clock and no time zone is asked. Pure. */
import { LEAST_DAYS } from '../insights/caveats.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';

/** Both days included, `YYYY-MM-DD`. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

/** Of each side of a comparison. */
export const SIDE_DAYS = 28;
/** With a value, on each side. */
export const LEAST_KNOWN = 14;
/** The first days with something are left out; the day of the start counts. */
export const LEAST_TAKEN = LEAST_DAYS + SIDE_DAYS;

const DAY_MS = 86_400_000;

/** A day of the calendar is a day of UTC here: none of them has 23 or 25 hours. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

export const eachDay = ({ from, to }: DaySpan): readonly string[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => plusDays(from, at));

/** Null where one has no day in the other. */
export const overlap = (a: DaySpan, b: DaySpan): DaySpan | null => {
  const [from, to] = [a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to];
  return from <= to ? { from, to } : null;
};

/** From the first day of either to the last day of either. */
export const hull = (a: DaySpan | null, b: DaySpan | null): DaySpan | null =>
  a && b ? { from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to } : (a ?? b);

type Taking = Pick<LogEntry, 'startedAt' | 'stoppedAt'>;

/** The day of the start is before it: nobody knows the hour. */
export const beforeOf = ({ startedAt }: Taking): DaySpan => ({
  from: plusDays(startedAt, 1 - SIDE_DAYS),
  to: startedAt,
});

/** The first day on which a whole side has been taken that begins no sooner than 28 days after the start. */
export const comparableFrom = ({ startedAt }: Taking): string => plusDays(startedAt, LEAST_TAKEN - 1);

/**
 * The last days of taking it.
 * @param last the last day that anything is known of. Null where there are too few days.
 */
export const withOf = (entry: Taking, last: string): DaySpan | null => {
  const to = entry.stoppedAt !== null && entry.stoppedAt < last ? entry.stoppedAt : last;
  return to < comparableFrom(entry) ? null : { from: plusDays(to, 1 - SIDE_DAYS), to };
};
