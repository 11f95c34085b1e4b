/**
 * Builds the view of one marker on the trends page: a line of the values that convert to one unit, and a table of all values as
 * printed.
 */
import { type Static, Type } from 'typebox';
import { type Book, unitText } from '#plugins/biomarkers/index.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import { kindInWords } from '../documents/range-kind.ts';
import { type Draw, isCritical, type MarkerHistory } from '../history.ts';
import type { Insight, Pending } from '../insights/insights.ts';
import { FLAG_WORDS } from '../lab-messages.ts';
import { populationOf } from '../shown.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';
import { TrendChartView, type TrendPoint, trendChart } from './chart.ts';
import { InsightView, insightView } from './insight-view.ts';
import { takenIn } from './taken.ts';

const Row = Type.Object({
  day: Type.String(),
  iso: Type.String(),
  isDrawDay: Type.Boolean(),
  printed: Type.String(),
  unit: Type.String(),
  common: Type.String(),
  range: Type.String(),
  flag: Type.String(),
  flagWords: Type.String(),
  labName: Type.String(),
  href: Type.String(),
});

export const MarkerTrend = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  href: Type.String(),
  unit: Type.String(),
  chart: Type.Union([TrendChartView, Type.Null()]),
  /** Why there is no line, or which values are missing from it; "" if neither applies. */
  note: Type.String(),
  ours: Type.Union([
    Type.Null(),
    Type.Object({ text: Type.String(), population: Type.String(), source: Type.String(), url: Type.String() }),
  ]),
  marks: Type.Array(Type.Object({ number: Type.Integer(), text: Type.String() })),
  moreMarks: Type.Integer(),
  rows: Type.Array(Row),
  insights: Type.Array(InsightView),
  pending: Type.Array(Type.String()),
});
export type MarkerTrend = Static<typeof MarkerTrend>;

const shown = (value: number, digits: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: digits + 1 });

const signOf = ({ assessed: { kept } }: Pick<Draw, 'assessed'>): string =>
  kept.comparator === '=' ? '' : kept.comparator;

const rangeIn = (book: Book, { marker }: MarkerHistory, { assessed: { kept } }: Draw): TrendPoint['range'] => {
  const to = (bound: number | null): number | null =>
    bound === null || !kept.ucum ? null : book.convert(marker, bound, kept.ucum, marker.ucum);
  return { low: to(kept.range.low), high: to(kept.range.high) };
};

const pointsOf = (book: Book, history: MarkerHistory): readonly TrendPoint[] =>
  history.draws.map((draw) => ({
    day: draw.day,
    value: draw.value,
    isOpen: signOf(draw) !== '',
    label: `${signOf(draw)}${shown(draw.value, history.marker.digits)}`,
    range: rangeIn(book, history, draw),
  }));

/** Returns our range if it is the same for every draw; a birthday between draws may have changed it. */
const oursOf = ({ marker, draws }: MarkerHistory) => {
  const ranges = new Set(draws.map(({ assessed }) => assessed.range));
  const [range] = ranges;
  if (ranges.size !== 1 || !range) return null;
  const unit = unitText(marker.ucum);
  const { low, high } = range;
  const text =
    low !== null && high !== null
      ? `${shown(low, marker.digits)} to ${shown(high, marker.digits)} ${unit}`
      : high !== null
        ? `up to ${shown(high, marker.digits)} ${unit}`
        : `${shown(low ?? 0, marker.digits)} ${unit} and more`;
  return {
    low,
    high,
    view: {
      text: text.trim() + kindInWords(range),
      population: populationOf(range),
      source: range.source.name,
      url: range.source.url,
    },
  };
};

const rowOf = (history: MarkerHistory, draw: Omit<Draw, 'value'> & { readonly value?: number }, base: string) => {
  const { kept, flag } = draw.assessed;
  return {
    day: dayInWords(draw.day),
    iso: draw.day,
    isDrawDay: draw.isDrawDay,
    printed: kept.valueText,
    unit: kept.unit,
    common: draw.value === undefined ? '' : `${signOf(draw)}${shown(draw.value, history.marker.digits)}`,
    range: kept.range.text,
    flag,
    flagWords: FLAG_WORDS[flag],
    labName: draw.labName,
    href: `${base}/results?report_id=${draw.reportId}`,
  };
};

const noteOf = ({ marker, draws, apart }: MarkerHistory, hasChart: boolean): string => {
  if (marker.kind === 'ordinal') return 'This result is given in words, so there is no line to draw.';
  const words = [
    hasChart ? '' : draws.length ? 'One day so far: a line needs values of two.' : '',
    apart.length
      ? `${apart.length === 1 ? 'One value does' : `${apart.length} values do`} not convert to ${unitText(marker.ucum)} and ${apart.length === 1 ? 'stands' : 'stand'} in the table only.`
      : '',
  ];
  return words.filter(Boolean).join(' ');
};

const descOf = ({ marker, draws }: MarkerHistory): string =>
  `${draws.map((draw) => `${dayInWords(draw.day)}: ${signOf(draw)}${shown(draw.value, marker.digits)}`).join('; ')}. All in ${unitText(marker.ucum)}.`;

const PENDING_WORDS = {
  before: ({ entry }: Pending) =>
    `${entry.name}, started ${dayInWords(entry.startedAt)}: there is no value from before that day to compare with.`,
  after: ({ entry }: Pending) =>
    `${entry.name}, started ${dayInWords(entry.startedAt)}: no value with a known day was drawn later while it was taken.`,
} as const;

export interface TrendParts {
  readonly book: Book;
  readonly base: string;
  readonly log: readonly LogEntry[];
  readonly insights: readonly Insight[];
  readonly pending: readonly Pending[];
}

export const markerTrend = (
  history: MarkerHistory,
  { book, base, log, insights, pending }: TrendParts,
): MarkerTrend => {
  const { marker, draws, apart } = history;
  const [own, waiting] = (isCritical(history) ? [[], []] : [insights, pending]).map((list) =>
    list.filter((one) => one.marker.slug === marker.slug),
  ) as [Insight[], Pending[]];
  const tied = new Set([...own, ...waiting].map(({ entry }) => entry.logId));
  const { marks, legend, more } = takenIn(
    isCritical(history) ? [] : log,
    { from: draws[0]?.day ?? '', to: draws.at(-1)?.day ?? '' },
    tied,
  );
  const ours = oursOf(history);
  const chart = trendChart({
    id: `t-${marker.slug}`,
    title: `${marker.name} over time`,
    desc: descOf(history),
    points: pointsOf(book, history),
    ours,
    marks,
  });
  const rows = [...draws, ...apart].sort((a, b) => b.day.localeCompare(a.day));
  return {
    slug: marker.slug,
    name: marker.name,
    href: `/biomarkers/${marker.slug}`,
    unit: unitText(marker.ucum),
    chart,
    note: noteOf(history, chart !== null),
    ours: ours?.view ?? null,
    marks: chart ? legend : [],
    moreMarks: chart ? more : 0,
    rows: rows.map((draw) => rowOf(history, draw, base)),
    insights: own.map(insightView),
    pending: waiting.map((one) => PENDING_WORDS[one.missing](one)),
  };
};
