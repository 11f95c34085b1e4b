/** Builds the caveats against attributing a change to one supplement, in plain sentences. Pure. */
import type { Draw } from '../history.ts';
import type { Report } from '../sealed-report.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';

/** Minimum number of days on a supplement; a shorter time is not conclusive. */
export const LEAST_DAYS = 28;

export interface Change {
  readonly name: string;
  readonly what: 'started' | 'stopped';
  readonly day: string;
}

/** Returns the starts and stops of other entries between two days. */
export const otherChanges = (
  entry: LogEntry,
  log: readonly LogEntry[],
  { from, to }: { readonly from: string; readonly to: string },
): readonly Change[] =>
  log
    .filter(({ logId }) => logId !== entry.logId)
    .flatMap(({ name, startedAt, stoppedAt }): Change[] => [
      ...(startedAt >= from && startedAt <= to ? [{ name, what: 'started' as const, day: startedAt }] : []),
      ...(stoppedAt !== null && stoppedAt >= from && stoppedAt <= to
        ? [{ name, what: 'stopped' as const, day: stoppedAt }]
        : []),
    ])
    .sort((a, b) => a.day.localeCompare(b.day));

interface Compared {
  readonly entry: LogEntry;
  readonly befores: readonly Draw[];
  readonly afters: readonly Draw[];
  readonly before: Draw;
  readonly after: Draw;
  readonly daysOn: number;
  readonly changes: readonly Change[];
  readonly reports: ReadonlyMap<string, Report>;
}

const MOST_NAMED = 5;

/**
 * Builds the caveat on other changes.
 * @param changes at least one.
 */
export const changesCaveat = (changes: readonly Change[]): string => {
  const named = changes.slice(0, MOST_NAMED).map(({ name, what }) => `${name} was ${what}`);
  const more = changes.length - named.length;
  return `In the same time ${named.join(', ')}${more > 0 ? `, and ${more} more changes were made` : ''}: what each of them did cannot be told apart.`;
};

const labKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const laboratoryCaveat = (draws: readonly Draw[]): { readonly text: string; readonly isOne: boolean } => {
  const names = new Set(draws.map(({ labName }) => labKey(labName)));
  if (names.has(''))
    return {
      text: 'The laboratory is not known for every value; two laboratories can differ on the same sample.',
      isOne: true,
    };
  return names.size > 1
    ? { text: 'The values are from different laboratories, which can differ on the same sample.', isOne: false }
    : { text: '', isOne: true };
};

const fastingCaveat = (
  draws: readonly Draw[],
  reports: Compared['reports'],
): { readonly text: string; readonly isOne: boolean } => {
  const states = new Set(draws.map(({ reportId }) => reports.get(reportId)?.isFasting ?? null));
  if (states.has(true) && states.has(false))
    return { text: 'Some samples were drawn fasting and others were not.', isOne: false };
  return states.has(null)
    ? { text: 'Whether you were fasting is not known for every value.', isOne: true }
    : { text: '', isOne: true };
};

const NATURAL =
  'Values go up and down from one day to another by themselves. A comparison like this cannot show why a value changed.';

/** Returns the sentences, and whether all values have the same laboratory and fasting state as far as is known. */
export const caveatsOf = (
  compared: Compared,
): { readonly caveats: readonly string[]; readonly isOfOneKind: boolean } => {
  const { entry, befores, afters, before, daysOn, changes, reports } = compared;
  const all = [...befores, ...afters];
  const [laboratory, fasting] = [laboratoryCaveat(all), fastingCaveat(all, reports)];
  const isRough = all.some(({ assessed }) => assessed.kept.comparator !== '=');
  const caveats = [
    all.at(-1)?.assessed.flag === 'critical'
      ? 'The last value is critical: contact a doctor or an emergency service now, whatever this page says.'
      : '',
    befores.length === 1 && afters.length === 1
      ? 'There is one value before and one after: two single values can differ by chance alone.'
      : '',
    daysOn < LEAST_DAYS
      ? `The value after was drawn ${daysOn} ${daysOn === 1 ? 'day' : 'days'} after the start, which is less than ${LEAST_DAYS} days.`
      : '',
    changes.length ? changesCaveat(changes) : '',
    laboratory.text,
    fasting.text,
    isRough
      ? 'One of the values is only known as “less than” or “more than” a number, so the size of the change is not known.'
      : '',
    before.isDrawDay ? '' : 'The day of the draw before is not known; the day of the report stands for it.',
    entry.isGuess ? `“${entry.given}” was taken for ${entry.name}.` : '',
    NATURAL,
  ];
  return { caveats: caveats.filter(Boolean), isOfOneKind: laboratory.isOne && fasting.isOne };
};
