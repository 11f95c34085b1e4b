/**
 * Aggregates the records of an export into days, one at a time. Nothing is allocated for a record except the strings of the
 * parser.
 */
import type { DailyRow } from '../vitals.ts';
import { dailyRows } from './daily-rows.ts';
import { addNumber, addOffset, createDayBook, type DayBook, isPlausible, type SourceDays } from './days.ts';
import type { Attributes } from './elements.ts';
import { ExportFailure } from './failure.ts';
import { KINDS, type Kind, SLEEP_TYPE } from './kinds.ts';
import type { ExportLimits } from './limits.ts';
import { copyMoment, createReadMoment, dayAt, newMoment } from './moments.ts';
import { createSeen } from './record-dedupe.ts';
import { converted, createTypes, numberIn, type TypeState } from './record-types.ts';
import { addNights, BELIEVED, LONGEST_SEGMENT_SECONDS, type Segment, STAGES, sleepsIn } from './sleep.ts';
import { leave, type Reason, type Tally } from './tally.ts';

export interface Records {
  /** Processes the attributes of a `Record` element. */
  take(attributes: Attributes): void;
  count(): number;
  /** Returns the days; to be called after the last record. */
  rows(): readonly DailyRow[];
}

/** Converts the segments to nights, which requires all of them. */
const settle = (book: DayBook, sleep: ReadonlyMap<SourceDays, Segment[]>): void => {
  for (const source of book.sources())
    for (const { end, offset, night, segments } of sleepsIn(sleep.get(source) ?? [])) {
      const sums = source.at(dayAt(end, offset));
      sums.night = addNights(sums.night, night);
      sums.segments += segments;
      addOffset(sums, offset);
    }
};

/**
 * Creates the aggregation.
 * @param bytes size of the file, which determines the initial size of the table of known records.
 */
export const createRecords = (tally: Tally, limits: ExportLimits, bytes: number): Records => {
  const book = createDayBook(limits);
  const seen = createSeen(bytes);
  const readMoment = createReadMoment();
  const typeOf = createTypes(tally);
  const sleep = new Map<SourceDays, Segment[]>();
  const [start, end] = [newMoment(), newMoment()];
  let [records, segments] = [0, 0];

  /**
   * Returns whether the record is a duplicate. Its key combines type and source in one number, because there are millions of
   * records.
   */
  const isAgain = (state: TypeState, source: SourceDays, value: number): boolean =>
    seen.isAgain(state.index * 65_536 + source.index, start.epoch, end.epoch, value);

  const takeSleep = (state: TypeState, attributes: Attributes): Reason | null => {
    const stage = STAGES.get(attributes.value ?? '');
    if (stage === undefined) return 'unknownStage';
    if (stage === null) return 'inBed';
    const seconds = end.epoch - start.epoch;
    if (seconds <= 0 || seconds > LONGEST_SEGMENT_SECONDS) return 'implausible';
    const source = book.source(attributes.sourceName);
    if (isAgain(state, source, BELIEVED.indexOf(stage))) return 'again';
    segments += 1;
    if (segments > limits.sleepSegments) throw new ExportFailure('too_large');
    const own = sleep.get(source);
    const segment = { stage, start: start.epoch, end: end.epoch, offset: end.offset };
    if (own) own.push(segment);
    else sleep.set(source, [segment]);
    return null;
  };

  const takeNumber = (state: TypeState, kind: Kind, attributes: Attributes): Reason | null => {
    const value = numberIn(attributes.value);
    if (Number.isNaN(value)) return 'noNumber';
    const told = converted(state, attributes.unit, value);
    if (Number.isNaN(told)) return 'noUnit';
    if (!isPlausible(kind.metric, told)) return 'implausible';
    const source = book.source(attributes.sourceName);
    if (isAgain(state, source, told)) return 'again';
    const sums = source.at(start.day);
    addNumber(sums, state.slot, told, start.epoch);
    addOffset(sums, start.offset);
    return null;
  };

  const takeOne = (state: TypeState, attributes: Attributes): Reason | null => {
    if (!state.kind && state.name !== SLEEP_TYPE) return 'noMetric';
    if (!readMoment(attributes.startDate, start)) return 'noDate';
    // Half of the records are momentary samples with equal start and end; their end is not parsed again.
    if (attributes.endDate === attributes.startDate) copyMoment(start, end);
    else if (!readMoment(attributes.endDate, end)) return 'noDate';
    return state.kind ? takeNumber(state, state.kind, attributes) : takeSleep(state, attributes);
  };

  return {
    take: (attributes) => {
      records += 1;
      const state = typeOf(attributes.type);
      state.count.read += 1;
      const reason = takeOne(state, attributes);
      if (reason) leave(state.count, reason);
    },
    count: () => records,
    rows: () => {
      settle(book, sleep);
      return dailyRows(book, (metric, many) => {
        const type = [...KINDS].find(([, kind]) => kind.metric === metric)?.[0] ?? SLEEP_TYPE;
        leave(tally.of(type), 'implausible', many);
      });
    },
  };
};
