/** Days before and days with something, in words for the trends page. Pure. */
import { type Static, Type } from 'typebox';
import { dayInWords } from '#plugins/evidence/index.ts';
import type { DaySide, Uncompared } from './compare.ts';
import { generalCaveats, sourceCaveat } from './day-caveats.ts';
import type { DayComparison, DayStrength, EntryDays } from './day-insights.ts';
import type { DaySeries } from './keeper.ts';
import { type DaySpan, LEAST_KNOWN } from './windows.ts';

const Row = Type.Object({
  measure: Type.String(),
  href: Type.String(),
  before: Type.String(),
  after: Type.String(),
  days: Type.String(),
  source: Type.String(),
  /** Days of other sources that do not count; "" for none. */
  leftOut: Type.String(),
  strength: Type.String(),
});

export const DayInsightsView = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Type.Integer(),
      title: Type.String(),
      before: Type.String(),
      after: Type.String(),
      rows: Type.Array(Row),
      /** Measures that are not compared, and entries that are not, each with its reason. */
      notes: Type.Array(Type.String()),
      caveats: Type.Array(Type.String()),
    }),
  ),
  /** Of every comparison. */
  caveats: Type.Array(Type.String()),
  /** Entries of the list that were started earlier and are not looked at. */
  more: Type.Integer(),
});
export type DayInsightsView = Static<typeof DayInsightsView>;

const STRENGTH_WORDS: Readonly<Record<DayStrength, string>> = {
  insufficient: 'too little',
  weak: 'a weak hint at most',
};

const spanInWords = ({ from, to }: DaySpan): string => `${dayInWords(from)} to ${dayInWords(to)}`;

const sideInWords = ({ format, shownUnit }: DaySeries, { median, q1, q3 }: DaySide): string =>
  `${`${format(median)} ${shownUnit}`.trim()} (${format(q1)} to ${format(q3)})`;

const rowOf = ({ series, source, before, after, leftOut, strength }: DayComparison): Static<typeof Row> => ({
  measure: series.name,
  href: series.href,
  before: sideInWords(series, before),
  after: sideInWords(series, after),
  days: `${before.days} before, ${after.days} with it`,
  source,
  leftOut: sourceCaveat(leftOut),
  strength: STRENGTH_WORDS[strength],
});

const nameOf = ({ series, reason }: Uncompared): string =>
  reason === 'other_method' ? (series.method?.of ?? '') : series.name;

/** What is said of several measures is said once: there may be twenty. */
const notesOf = (uncompared: readonly Uncompared[]): string[] => {
  const few = uncompared.filter(({ reason }) => reason === 'few_days');
  const others = Map.groupBy(
    uncompared.filter(({ reason }) => reason !== 'few_days'),
    ({ words }) => words,
  );
  return [
    ...[...others].map(([words, own]) => `Not compared: ${own.map(nameOf).join(', ')}: ${words}.`),
    ...(few.length
      ? [
          `Not compared, as ${LEAST_KNOWN} days of one source are needed on each side: ${few.map((one) => `${nameOf(one)} (${one.words})`).join('; ')}.`,
        ]
      : []),
  ];
};

const entryView = ({ entry, sides, compared, uncompared, whole, caveats }: EntryDays) => {
  const title = `${entry.name}, started ${dayInWords(entry.startedAt)}${entry.stoppedAt === null ? '' : `, stopped ${dayInWords(entry.stoppedAt)}`}`;
  return {
    id: entry.logId,
    title,
    before: sides ? spanInWords(sides.before) : '',
    after: sides ? spanInWords(sides.after) : '',
    rows: compared.map(rowOf),
    notes: whole ? [`Not compared: ${whole.words}`] : notesOf(uncompared),
    caveats: compared.length ? [...caveats] : [],
  };
};

/** @param more entries of the log beyond those that were looked at. */
export const dayInsightsView = (all: readonly EntryDays[], more: number): DayInsightsView => {
  const entries = all.map(entryView).filter(({ rows, notes }) => rows.length || notes.length);
  const most = Math.max(0, ...all.map(({ compared }) => compared.length));
  return { entries, caveats: most ? [...generalCaveats(most)] : [], more };
};
