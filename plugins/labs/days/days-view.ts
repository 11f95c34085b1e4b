/**
 * Builds the part of the trends page that shows days beside laboratory values: a chart, the sources and a table for each measure.
 * Pure.
 */
import { type Static, Type } from 'typebox';
import { isByWeek, mondayOf, SeriesView, seriesChart } from '#core/render/charts/series.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import type { MarkerHistory } from '../history.ts';
import { type TakenIn, takenIn } from '../trends/taken.ts';
import type { DayPoint, DaySeries } from './keeper.ts';
import { type DaySpan, overlap, plusDays } from './windows.ts';

const Measure = Type.Object({
  id: Type.String(),
  name: Type.String(),
  unit: Type.String(),
  note: Type.String(),
  /** Null for a single day, for which the table suffices. */
  chart: Type.Union([SeriesView, Type.Null()]),
  /** Days per source, such as "84 days; from Watch (80), Phone (4)". */
  sources: Type.String(),
  /** Names of the columns with means. */
  columns: Type.Array(Type.String()),
  rows: Type.Array(Type.Object({ period: Type.String(), means: Type.Array(Type.String()), days: Type.Integer() })),
});

export const DaysBesideView = Type.Object({
  /** Description of the span. */
  lead: Type.String(),
  periodName: Type.String(),
  measures: Type.Array(Measure),
  /** Starts and stops that are marked in the charts. */
  taken: Type.Array(Type.Object({ number: Type.Integer(), text: Type.String() })),
  moreTaken: Type.Integer(),
  /** Measures with days in the span that have no chart. */
  also: Type.Array(Type.String()),
  showHref: Type.String(),
});
export type DaysBesideView = Static<typeof DaysBesideView>;

/** Days shown before the first value and after the last one. */
export const DAYS_AROUND = 90;
/** Days shown if there are no values. */
const DAYS_WITHOUT = 365;

/** Returns the days of all draws, each once, oldest first. */
export const drawDays = (history: readonly MarkerHistory[]): readonly string[] =>
  [...new Set(history.flatMap(({ draws, apart }) => [...draws, ...apart].map(({ day }) => day)))].sort();

/** Returns the span to show; null if no stored day is near the draws. */
export const spanBeside = (draws: readonly string[], held: DaySpan): DaySpan | null => {
  const [first, last] = [draws[0], draws.at(-1)];
  const wanted =
    first && last
      ? { from: plusDays(first, -DAYS_AROUND), to: plusDays(last, DAYS_AROUND) }
      : { from: plusDays(held.to, 1 - DAYS_WITHOUT), to: held.to };
  return overlap(held, wanted);
};

const spanInWords = ({ from, to }: DaySpan): string => `${dayInWords(from)} to ${dayInWords(to)}`;

const leadOf = (span: DaySpan | null, draws: readonly string[], held: DaySpan): string => {
  if (!span) return `Days are kept from ${spanInWords(held)}: none of them within ${DAYS_AROUND} days of these values.`;
  return draws.length
    ? `${spanInWords(span)}: the days that are kept from ${DAYS_AROUND} days before the first of these values to ${DAYS_AROUND} days after the last.`
    : `${spanInWords(span)}: the last year of days that are kept.`;
};

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns the function that maps a day to its table row: a week if the chart shows days, a month if it shows weeks. */
const periodOf = (isWeekly: boolean): ((day: string) => string) =>
  isWeekly ? (day) => day.slice(0, 7) : (day) => mondayOf(day);

const periodText = (isWeekly: boolean, period: string): string =>
  isWeekly ? months.format(Date.parse(`${period}-01`)) : dayInWords(period);

const meanOf = (points: readonly DayPoint[]): number =>
  points.reduce((sum, { value }) => sum + value, 0) / points.length;

const rowsOf = (group: readonly DaySeries[], isWeekly: boolean) => {
  const key = periodOf(isWeekly);
  const means = group.map(({ points }) => Map.groupBy(points, ({ day }) => key(day)));
  const periods = [...new Set(means.flatMap((one) => [...one.keys()]))].sort().reverse();
  return periods.map((period) => {
    const own = means.map((one) => one.get(period) ?? []);
    return {
      period: periodText(isWeekly, period),
      means: group.map(({ format }, at) => (own[at]?.length ? format(meanOf(own[at])) : 'none')),
      days: new Set(own.flat().map(({ day }) => day)).size,
    };
  });
};

const sourcesOf = (group: readonly DaySeries[]): string => {
  const days = new Map<string, Set<string>>();
  for (const { source, day } of group.flatMap(({ points }) => points))
    days.set(source, (days.get(source) ?? new Set()).add(day));
  const all = [...days].map(([source, own]) => [source, own.size] as const).sort((a, b) => b[1] - a[1]);
  return all.map(([source, own]) => `${source} (${own} ${own === 1 ? 'day' : 'days'})`).join(', ');
};

interface Drawn {
  readonly span: DaySpan;
  readonly draws: readonly string[];
  readonly marks: TakenIn['marks'];
}

const measureOf = (name: string, group: readonly DaySeries[], { span, draws, marks }: Drawn) => {
  const first = group[0] as DaySeries;
  return {
    id: first.id,
    name,
    unit: first.shownUnit,
    note: first.note,
    chart: seriesChart({
      id: `days-${first.id}-chart`,
      title: name,
      lines: group,
      ...span,
      words: (value) => first.format(value),
      marks,
      draws,
    }),
    sources: sourcesOf(group),
    columns: group.map((one) => one.name),
    rows: rowsOf(group, isByWeek(span.from, span.to)),
  };
};

/**
 * Builds the view.
 * @param series of the span, most used first.
 * @param log what was taken; empty if nothing of it may be shown.
 */
export const daysBesideView = (
  series: readonly DaySeries[],
  {
    span,
    held,
    draws,
    log,
    showHref,
  }: {
    readonly span: DaySpan | null;
    readonly held: DaySpan;
    readonly draws: readonly string[];
    readonly log: Parameters<typeof takenIn>[0];
    readonly showHref: string;
  },
): DaysBesideView => {
  const { marks, legend, more } = span ? takenIn(log, span) : { marks: [], legend: [], more: 0 };
  const groups = Map.groupBy(
    series.filter(({ isMain }) => isMain),
    ({ name, group }) => group || name,
  );
  return {
    lead: leadOf(span, draws, held),
    periodName: span && isByWeek(span.from, span.to) ? 'Month' : 'Week from',
    measures: span ? [...groups].map(([name, group]) => measureOf(name, group, { span, draws, marks })) : [],
    taken: legend,
    moreTaken: more,
    also: series.filter(({ isMain }) => !isMain).map(({ name }) => name),
    showHref,
  };
};
