/** Builds the view of /wearables/data: each metric over a span of days, its sources, and the missing metrics. Pure. */
import { type Static, Type } from 'typebox';
import type { Mark } from '#core/render/charts/marks.ts';
import { SeriesView, seriesChart } from '#core/render/charts/series.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import { type Taken, takenIn } from '#plugins/labs/index.ts';
import { type DailyRow, METRICS, type Metric } from '../vitals.ts';
import { chooseDays } from './choose.ts';
import type { DaySpan } from './daily-store.ts';
import { type Known, knownOf, unitOf, wordsOf } from './known.ts';

export const SPANS = ['30', '90', '365', 'all'] as const;
export type Span = (typeof SPANS)[number];

const MetricView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  unit: Type.String(),
  note: Type.String(),
  /** Value of the last day that has one. */
  last: Type.String(),
  lastOn: Type.String(),
  days: Type.Integer(),
  series: Type.Union([Type.Null(), SeriesView]),
  sources: Type.Array(Type.Object({ name: Type.String(), days: Type.Integer() })),
  rows: Type.Array(
    Type.Object({
      day: Type.String(),
      value: Type.String(),
      source: Type.String(),
      /** Sources that have the metric too, but were not chosen. */
      others: Type.String(),
    }),
  ),
});

const GroupView = Type.Object({ name: Type.String(), metrics: Type.Array(MetricView) });

export const DaysView = Type.Object({
  from: Type.String(),
  to: Type.String(),
  /** Number of days in the span, with or without data. */
  span: Type.Integer(),
  groups: Type.Array(GroupView),
  /** Starts and stops in the span. */
  taken: Type.Array(Type.Object({ number: Type.Integer(), text: Type.String() })),
  moreTaken: Type.Integer(),
  /** Metrics without data in the span. */
  missing: Type.Array(Type.String()),
});
export type DaysView = Static<typeof DaysView>;

const GROUP_WORDS: Readonly<Record<Metric['group'], string>> = {
  movement: 'Movement',
  heart: 'Heart and pressure',
  breathing: 'Breathing',
  sleep: 'Sleep',
  body: 'Body',
};

/** Number of days in the table beneath a chart. */
const SHOWN_DAYS = 14;
const DAY_MS = 86_400_000;

export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

const sourcesOf = (known: readonly Known[]): { name: string; days: number }[] =>
  [...Map.groupBy(known, ({ source }) => source)]
    .map(([name, own]) => ({ name, days: own.length }))
    .sort((a, b) => b.days - a.days);

const metricView = (metric: Metric, known: readonly Known[], span: DaySpan & { readonly marks: readonly Mark[] }) => {
  const words = wordsOf(metric);
  const last = known.at(-1) as Known;
  return {
    id: metric.id,
    name: metric.name,
    unit: unitOf(metric),
    note: metric.note,
    last: words(last.value),
    lastOn: dayInWords(last.day),
    days: known.length,
    series: seriesChart({
      id: `s-${metric.id}`,
      title: metric.name,
      lines: [{ name: metric.name, points: known }],
      ...span,
      words,
    }),
    sources: sourcesOf(known),
    rows: known
      .slice(-SHOWN_DAYS)
      .reverse()
      .map(({ day, value, source, others }) => ({
        day: dayInWords(day),
        value: words(value),
        source,
        others: others.join(', '),
      })),
  };
};

/**
 * Builds the view.
 * @param rows of the span, of all sources.
 */
export const daysView = (rows: readonly DailyRow[], span: DaySpan, log: readonly Taken[]): DaysView => {
  const days = chooseDays(rows);
  const { marks, legend, more } = takenIn(log, span);
  const views = METRICS.map((metric) => ({ metric, known: knownOf(days, metric) }));
  const groups = Map.groupBy(
    views.filter(({ known }) => known.length),
    ({ metric }) => metric.group,
  );
  return {
    from: dayInWords(span.from),
    to: dayInWords(span.to),
    span: Math.round((Date.parse(span.to) - Date.parse(span.from)) / DAY_MS) + 1,
    groups: [...groups].map(([group, own]) => ({
      name: GROUP_WORDS[group],
      metrics: own.map(({ metric, known }) => metricView(metric, known, { ...span, marks })),
    })),
    taken: legend,
    moreTaken: more,
    missing: views.filter(({ known }) => !known.length).map(({ metric }) => metric.name),
  };
};
