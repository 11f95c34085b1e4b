/** Aggregates numbers by source and day while a file is read, in one small object per day, whatever the number of records. */
import { METRICS, type MetricId } from '../vitals.ts';
import { ExportFailure } from './failure.ts';
import { KINDS, type Kind } from './kinds.ts';
import type { ExportLimits } from './limits.ts';
import type { Night } from './sleep.ts';
import { flat, kept } from './text.ts';

/** Metrics that come from records, in the order of their slots. */
export const SLOTS: readonly Kind[] = [...KINDS.values()];
const PLAUSIBLE = new Map(METRICS.map(({ id, plausible }) => [id, plausible]));

/** Aggregates of one source and day. */
export interface DaySums {
  /** Two numbers per slot: sum and count, or for `last` the value and its time, offset so that it is always positive. */
  readonly numbers: Float64Array;
  /** UTC offsets of the records with their counts: `[60, 12, 120, 3]`. */
  readonly offsets: number[];
  night: Night | null;
  /** Number of sleep segments, in the night and in naps. */
  segments: number;
}

export interface SourceDays {
  readonly name: string;
  readonly index: number;
  /** Returns the aggregates of a day, which it creates if needed. */
  at(day: number): DaySums;
  days(): ReadonlyMap<number, DaySums>;
}

export interface DayBook {
  /**
   * Returns the source.
   * @param name raw text of the attribute, before it is decoded.
   */
  source(name: string | undefined): SourceDays;
  sources(): readonly SourceDays[];
}

const CLOCK_ABOVE_NOUGHT = 1e10;
/** Source by the raw spelling of its name, which saves decoding it. */
interface Spelling {
  readonly written: string;
  readonly source: SourceDays;
}

/** Maximum number of cached spellings; a name can be written in many ways. */
const MOST_SPELLINGS = 10_000;
const LONGEST_SPELLING = 500;
const UNNAMED = 'Unnamed source';

/** Creates an empty aggregation. Throws ExportFailure `too_large` above the limit of sources times days. */
export const createDayBook = ({ days: most }: Pick<ExportLimits, 'days'>): DayBook => {
  const sources = new Map<string, SourceDays>();
  let made = 0;
  const make = (): DaySums => {
    made += 1;
    if (made > most) throw new ExportFailure('too_large');
    return { numbers: new Float64Array(2 * SLOTS.length), offsets: [], night: null, segments: 0 };
  };
  const begin = (name: string): SourceDays => {
    const days = new Map<number, DaySums>();
    let lastDay = -1;
    let last: DaySums | null = null;
    const source: SourceDays = {
      name,
      index: sources.size,
      at: (day) => {
        if (day === lastDay && last) return last;
        let sums = days.get(day);
        if (!sums) {
          sums = make();
          days.set(day, sums);
        }
        [lastDay, last] = [day, sums];
        return sums;
      },
      days: () => days,
    };
    sources.set(name, source);
    if (sources.size > most) throw new ExportFailure('too_large');
    return source;
  };
  const spellings = new Map<string, Spelling>();
  let last: Spelling | null = null;
  const find = (written: string): Spelling => {
    const name = kept(written) || UNNAMED;
    const spelling = { written: flat(written), source: sources.get(name) ?? begin(name) };
    if (spellings.size < MOST_SPELLINGS && written.length < LONGEST_SPELLING) spellings.set(spelling.written, spelling);
    return spelling;
  };
  return {
    source: (written = '') => {
      if (last?.written !== written) last = spellings.get(written) ?? find(written);
      return last.source;
    },
    sources: () => [...sources.values()],
  };
};

/**
 * Adds a record's number to its day; `start` is in seconds since 1970. It has four parameters instead of an object, which saves
 * an allocation for each of millions of records.
 */
export const addNumber = (sums: DaySums, slot: number, value: number, start: number): void => {
  const { numbers } = sums;
  const at = 2 * slot;
  const when = start + CLOCK_ABOVE_NOUGHT;
  if (SLOTS[slot]?.how !== 'last') {
    numbers[at] = (numbers[at] ?? 0) + value;
    numbers[at + 1] = (numbers[at + 1] ?? 0) + 1;
  } else if (when >= (numbers[at + 1] ?? 0)) {
    numbers[at] = value;
    numbers[at + 1] = when;
  }
};

export const addOffset = ({ offsets }: DaySums, offset: number): void => {
  for (let at = 0; at < offsets.length; at += 2)
    if (offsets[at] === offset) {
      offsets[at + 1] = (offsets[at + 1] ?? 0) + 1;
      return;
    }
  // No traveller has more zones in one day.
  if (offsets.length < 16) offsets.push(offset, 1);
};

export const isPlausible = (metric: MetricId, value: number): boolean => {
  const { low, high } = PLAUSIBLE.get(metric) ?? { low: 0, high: 0 };
  return value >= low && value <= high;
};
