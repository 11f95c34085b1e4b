/** Finds the joint meaning of two names: the order in which they were given never changes the result. */
import type { InteractionBook } from '../book/interaction-book.ts';
import { severityRank } from '../rules/severity-labels.ts';
import { type Looked, lookUp } from './lookup.ts';
import { isSure, type Named } from './names.ts';

export interface PairReading {
  /** The supplement, substance or food first; two of one kind are in the given order. */
  readonly pair: readonly [Named, Named];
  /** Null for two medicines. */
  readonly looked: Looked | null;
}

const isSubject = ({ type }: Named): boolean => type === 'subject';

/**
 * Compares readings: the more serious record first, then any record before none, then certain names before guesses; two medicines
 * come last.
 */
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
 * Reads the rules between two names, each of which may be both a supplement and a medicine, such as niacin. Of several readings
 * it returns the one with the most serious record, so that no order of the names hides a warning.
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
