/** Counts, by type, what became of each element of an export. */
import type { TallyLine } from './reading.ts';
import { kept } from './text.ts';

/** Reasons why a record was not used, in the order in which they are listed. */
export const REASONS = {
  noMetric: 'not one of our metrics',
  summary: 'told by the records already',
  correlated: 'told by its records already',
  counted: 'counted only: energy and distance stand in the records',
  inBed: 'time in bed, which is no sleep',
  again: 'in the file twice',
  noDate: 'without a date that can be read',
  noNumber: 'without a number that can be read',
  noUnit: 'in a unit that is not known',
  implausible: 'beyond what a body can be measured at',
  unknownStage: 'of a stage that is not known',
  noFile: 'without its file in the export',
  badFile: 'with a file that cannot be read',
  tooMuch: 'beyond what is read of one export',
  noLabValue: 'of a kind that tells no measured value',
} as const;

export type Reason = keyof typeof REASONS;

const ORDER = Object.keys(REASONS) as readonly Reason[];

/** Counts of one type; `read` minus the sum of `left` was used. */
export interface Count {
  readonly type: string;
  read: number;
  readonly left: Partial<Record<Reason, number>>;
}

export interface Tally {
  /** Returns the counts of a type, always the same object for the same type. */
  of(type: string): Count;
  lines(): readonly TallyLine[];
}

export const leave = (count: Count, reason: Reason, many = 1): void => {
  count.left[reason] = (count.left[reason] ?? 0) + many;
};

/** Maximum number of types; a file can contain any number. */
const MOST_TYPES = 1_000;
const OTHERS = 'other types';
const why = ({ read, left }: Count): string => {
  const reasons = ORDER.filter((reason) => left[reason]);
  const [only] = reasons;
  if (only && reasons.length === 1 && left[only] === read) return REASONS[only];
  return reasons.map((reason) => `${left[reason]} ${REASONS[reason]}`).join('; ');
};

const lineOf = (count: Count): TallyLine => {
  const left = Object.values(count.left).reduce((sum, many) => sum + many, 0);
  return { type: count.type, read: count.read, used: count.read - left, left, why: why(count) };
};

export const createTally = (): Tally => {
  const counts = new Map<string, Count>();
  const begin = (type: string): Count => {
    const count: Count = { type, read: 0, left: {} };
    counts.set(type, count);
    return count;
  };
  return {
    of: (type) => {
      const known = counts.get(type) ?? counts.get(kept(type));
      if (known) return known;
      if (counts.size >= MOST_TYPES) return counts.get(OTHERS) ?? begin(OTHERS);
      return begin(kept(type));
    },
    lines: () =>
      [...counts.values()]
        .filter(({ read }) => read > 0)
        .map(lineOf)
        .sort((a, b) => (a.type < b.type ? -1 : 1)),
  };
};
