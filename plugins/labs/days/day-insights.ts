/** Compares the days before and the days with each entry of the log, or states why they are not compared. Pure. */
import { dayInWords } from '#plugins/evidence/index.ts';
import { otherChanges } from '../insights/caveats.ts';
import { isTakenOn } from '../insights/insights.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';
import { byDay, type Compared, compareSides, isApart, type Uncompared } from './compare.ts';
import { entryCaveats } from './day-caveats.ts';
import type { DaySeries } from './keeper.ts';
import { beforeOf, comparableFrom, type DaySpan, eachDay, LEAST_KNOWN, LEAST_TAKEN, withOf } from './windows.ts';

/**
 * Strength of a comparison. `weak` if nothing else in the log was started or stopped from the first day before to the last day
 * with it, and the interquartile ranges of the two sides do not overlap; otherwise `insufficient`. No stronger level is possible.
 */
export type DayStrength = 'insufficient' | 'weak';

export interface DayComparison extends Compared {
  readonly strength: DayStrength;
}

export type EntryReason = 'too_young' | 'stopped_early' | 'days_end' | 'no_days_before' | 'taken_before';

export interface EntryDays {
  readonly entry: LogEntry;
  /** Null if the entry as a whole cannot be compared. */
  readonly sides: { readonly before: DaySpan; readonly after: DaySpan } | null;
  readonly compared: readonly DayComparison[];
  readonly uncompared: readonly Uncompared[];
  /** Why the entry as a whole is not compared; null if it is. */
  readonly whole: { readonly reason: EntryReason; readonly words: string; readonly possibleFrom: string | null } | null;
  readonly caveats: readonly string[];
}

export interface DayMaterial {
  readonly series: readonly DaySeries[];
  /** Span of all stored days. */
  readonly held: DaySpan;
  readonly log: readonly LogEntry[];
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Maximum number of entries to compare, most recently started first; a longer page would not be read. */
export const MOST_ENTRIES_COMPARED = 50;

export const comparedEntries = (log: readonly LogEntry[]): readonly LogEntry[] =>
  log.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt) || b.logId - a.logId).slice(0, MOST_ENTRIES_COMPARED);

/** Returns why the entry as a whole is not compared; null if there are enough days with it. */
const wholeReason = (
  entry: LogEntry,
  { held, today, isTaken }: Pick<DayMaterial, 'held' | 'today'> & { readonly isTaken: (day: string) => boolean },
): EntryDays['whole'] => {
  const first = comparableFrom(entry);
  if (entry.stoppedAt !== null && entry.stoppedAt < first)
    return {
      reason: 'stopped_early',
      words: `it was taken for fewer than ${LEAST_TAKEN} days, which a comparison needs.`,
      possibleFrom: null,
    };
  if (today < first)
    return {
      reason: 'too_young',
      words: `a comparison is possible from ${dayInWords(first)} on.`,
      possibleFrom: first,
    };
  if (held.from > entry.startedAt)
    return { reason: 'no_days_before', words: 'there is no day from before that.', possibleFrom: null };
  if (held.to < first)
    return {
      reason: 'days_end',
      words: `the days that are kept end on ${dayInWords(held.to)}; a comparison needs days up to ${dayInWords(first)}.`,
      possibleFrom: null,
    };
  if (eachDay(beforeOf(entry)).filter((day) => !isTaken(day)).length < LEAST_KNOWN)
    return {
      reason: 'taken_before',
      words: 'it was taken before that already, by another line of your list.',
      possibleFrom: null,
    };
  return null;
};

const daysOf = (entry: LogEntry, material: DayMaterial, series: ReturnType<typeof byDay>): EntryDays => {
  const { log, held, today } = material;
  const same = log.filter(({ slug, logId }) => slug !== '' && slug === entry.slug && logId !== entry.logId);
  const isTaken = (day: string): boolean => isTakenOn(same, day);
  const whole = wholeReason(entry, { held, today, isTaken });
  const after = withOf(entry, held.to < today ? held.to : today);
  if (whole || !after) return { entry, sides: null, compared: [], uncompared: [], whole, caveats: [] };
  const sides = { before: beforeOf(entry), after };
  const { compared, uncompared } = compareSides(series, { ...sides, isTaken });
  const changes = otherChanges(entry, log, { from: sides.before.from, to: after.to });
  return {
    entry,
    sides,
    compared: compared.map((one) => ({ ...one, strength: !changes.length && isApart(one) ? 'weak' : 'insufficient' })),
    uncompared,
    whole: null,
    caveats: entryCaveats(entry, changes),
  };
};

/** Returns the comparisons, most recently started entries first. */
export const dayInsights = (material: DayMaterial): readonly EntryDays[] => {
  const series = byDay(material.series);
  return comparedEntries(material.log).map((entry) => daysOf(entry, material, series));
};

/** Returns the span of days that the comparisons of a log can use; null for an empty log. */
export const spanOfLog = (log: readonly LogEntry[]): DaySpan | null => {
  const starts = comparedEntries(log).map((entry) => beforeOf(entry).from);
  return starts.length ? { from: starts.reduce((a, b) => (a < b ? a : b)), to: '9999-12-31' } : null;
};
