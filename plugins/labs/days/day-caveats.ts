/** Builds the caveats of comparisons of days, in plain sentences. Pure. */
import { type Change, changesCaveat } from '../insights/caveats.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';

const SEVERAL = 'Several measures are compared at once: some of them differ by chance alone.';
const GENERAL = [
  'Days that follow one another are alike: 28 days tell less than 28 separate measurements.',
  'Season, training, illness, travel, work and sleep differ between the two spans too.',
  'A comparison like this cannot show why a value changed.',
];

/**
 * Returns the caveats of every comparison.
 * @param compared number of measures.
 */
export const generalCaveats = (compared: number): readonly string[] => (compared > 1 ? [SEVERAL, ...GENERAL] : GENERAL);

/**
 * Returns the caveat on critical values.
 * @param critical markers whose last value is critical.
 */
export const criticalCaveat = (critical: readonly string[]): readonly string[] =>
  critical.length
    ? [
        `The last value of ${critical.join(', ')} is critical: contact a doctor or an emergency service now, whatever this page says.`,
      ]
    : [];

export const entryCaveats = (entry: LogEntry, changes: readonly Change[]): readonly string[] =>
  [
    changes.length ? changesCaveat(changes) : '',
    entry.isGuess ? `“${entry.given}” was taken for ${entry.name}.` : '',
    entry.kind === 'medicine' ? 'Start, change or stop no medicine because of these numbers.' : '',
  ].filter(Boolean);

export const sourceCaveat = ({ before, after }: { readonly before: number; readonly after: number }): string =>
  before + after ? `Days of other sources are left out: ${before} before, ${after} with it.` : '';
