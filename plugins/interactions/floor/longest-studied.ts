/** Finds the longest time for which a supplement was given in the studies that an entry cites. */
import type { SupplementEntry } from '#plugins/vocabulary/index.ts';

const DAYS: Readonly<Record<string, number>> = { hour: 1 / 24, day: 1, week: 7, month: 30.4, year: 365 };
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const TIME = new RegExp(`\\b(\\d+(?:\\.\\d+)?|${NUMBERS.join('|')})\\s+(hour|day|week|month|year)s?\\b`, 'gi');
/** Words that mark an age, or a time for which people were only followed up. */
const NO_INTAKE = /\bof age\b|\bfollowed\b/i;

const daysOf = (duration: string): number => {
  if (NO_INTAKE.test(duration)) return 0;
  const times = [...duration.matchAll(TIME)].map(([, number = '', unit = '']) => {
    const named = NUMBERS.indexOf(number.toLowerCase());
    return (named < 0 ? Number(number) : named + 1) * (DAYS[unit.toLowerCase()] ?? 0);
  });
  return Math.max(0, ...times);
};

export interface LongestStudied {
  /** Wording of the entry: "6 months". */
  readonly duration: string;
  readonly context: string;
  readonly sources: readonly string[];
}

/** Returns the longest duration; null if no cited study states for how long it was taken. */
export const longestStudied = (dosing: SupplementEntry['dosing']): LongestStudied | null => {
  const [longest] = dosing
    .map(({ duration = '', context, sources }) => ({ duration, context, sources, days: daysOf(duration) }))
    .filter(({ days }) => days > 0)
    .sort((a, b) => b.days - a.days);
  return longest ? { duration: longest.duration, context: longest.context, sources: longest.sources } : null;
};
