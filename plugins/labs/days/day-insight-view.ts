/** Formats the comparisons of days for the trends page. Pure. */
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
  /** Days of other sources that do not count; "" if there are none. */
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
      /** Measures and entries that are not compared, each with its reason. */
      notes: Type.Array(Type.String()),
      caveats: Type.Array(Type.String()),
    }),
  ),
  /** Caveats of every comparison. */
  caveats: Type.Array(Type.String()),
  /** Number of entries that were started earlier and are not compared. */
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

/** Builds the notes. Measures with the same reason share one note, because there may be twenty. */
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

/**
 * Builds the view.
 * @param more number of entries of the log that were not compared.
 */
export const dayInsightsView = (all: readonly EntryDays[], more: number): DayInsightsView => {
  const entries = all.map(entryView).filter(({ rows, notes }) => rows.length || notes.length);
  const most = Math.max(0, ...all.map(({ compared }) => compared.length));
  return { entries, caveats: most ? [...generalCaveats(most)] : [], more };
};
