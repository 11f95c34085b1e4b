/** Two names and what they mean together: the order in which they were given never decides what is found. */
import type { InteractionBook } from '../book/interaction-book.ts';
import { severityRank } from '../rules/severity-labels.ts';
import { type Looked, lookUp } from './lookup.ts';
import { isSure, type Named } from './names.ts';

export interface PairReading {
  /** The supplement, substance or food first; of two of a kind, as they were given. */
  readonly pair: readonly [Named, Named];
  /** Null for two medicines. */
  readonly looked: Looked | null;
}

const isSubject = ({ type }: Named): boolean => type === 'subject';

/** Recorded before not recorded, then the gravest, then what is no guess; two medicines come last. */
const isBetter = (a: PairReading, b: PairReading): boolean => {
  const rank = ({ pair, looked }: PairReading): readonly number[] => {
    const severity = looked?.hits[0]?.rule.entry.severity;
    return [severity ? severityRank(severity) : 9, looked ? 0 : 1, pair.every(isSure) ? 0 : 1];
  };
  const [mine, other] = [rank(a), rank(b)];
  const at = mine.findIndex((value, place) => value !== other[place]);
  return at >= 0 && (mine[at] ?? 0) < (other[at] ?? 0);
};

/**
 * What stands between two names, each of which may be a supplement and a medicine at once, such as niacin. Of several readings
 * the one with the gravest record answers, so that no order of the names hides a warning.
 */
export const readPair = (book: InteractionBook, a: readonly Named[], b: readonly Named[]): PairReading | null => {
  let best: PairReading | null = null;
  for (const one of a)
    for (const other of b) {
      const pair = !isSubject(one) && isSubject(other) ? ([other, one] as const) : ([one, other] as const);
      const reading = { pair, looked: lookUp(book, one, other) };
      if (!best || isBetter(reading, best)) best = reading;
    }
  return best;
};
