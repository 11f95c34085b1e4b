/** Days as labs asks for them: each metric as a series, of the one source that counts on each day. */
import type { DayKeeper, DaySeries } from '#plugins/labs/index.ts';
import { type DailyRow, METRICS, type Metric, type MetricId } from '../vitals.ts';
import { chooseDays } from './choose.ts';
import { readDays, spanOf } from './daily-store.ts';
import { knownOf, unitOf, wordsOf } from './known.ts';

/** Those that people look at beside laboratory values, in the order in which they stand there; the rest is named. */
const MAIN: readonly MetricId[] = [
  'resting_hr_bpm',
  'hrv_rmssd_ms',
  'hrv_sdnn_ms',
  'systolic',
  'diastolic',
  'weight_kg',
  'sleep_total_min',
  'spo2_pct',
  'glucose_mg_dl',
  'steps',
];

/** Main ones first; the sort is stable, so that the rest keeps its order. */
const place = ({ id }: Metric): number => (MAIN.includes(id) ? MAIN.indexOf(id) : MAIN.length);
const ORDERED: readonly Metric[] = METRICS.toSorted((a, b) => place(a) - place(b));

const HRV = 'Heart rate variability';
const METHODS: Readonly<Partial<Record<MetricId, DaySeries['method']>>> = {
  hrv_rmssd_ms: { of: HRV, name: 'RMSSD' },
  hrv_sdnn_ms: { of: HRV, name: 'SDNN' },
};
const PRESSURE: readonly MetricId[] = ['systolic', 'diastolic'];

type Named = Pick<DailyRow, 'source' | 'origin'>;

/** A ring's name in a phone's export and at its vendor is one name for two ways to count: they are told apart. */
const sourceNames = (rows: readonly Named[]): ((of: Named) => string) => {
  const origins = Map.groupBy(rows, ({ source }) => source);
  const isShared = new Set(
    [...origins].filter(([, own]) => new Set(own.map(({ origin }) => origin)).size > 1).map(([source]) => source),
  );
  return ({ source, origin }) =>
    isShared.has(source) ? `${source} (${origin === 'phone' ? 'phone export' : origin})` : source;
};

/** @param rows of all sources. Those with most use first. */
export const daySeries = (rows: readonly DailyRow[]): readonly DaySeries[] => {
  const days = chooseDays(rows);
  const nameOf = sourceNames(rows);
  return ORDERED.flatMap((metric) => {
    const known = knownOf(days, metric);
    if (!known.length) return [];
    return {
      id: metric.id,
      name: metric.name,
      unit: metric.unit,
      shownUnit: unitOf(metric),
      digits: metric.digits,
      note: metric.note,
      isMain: MAIN.includes(metric.id),
      group: PRESSURE.includes(metric.id) ? 'Blood pressure' : '',
      method: METHODS[metric.id] ?? null,
      points: known.map(({ day, value, ...source }) => ({ day, value, source: nameOf(source) })),
      href: `/wearables/data?span=all#${metric.id}`,
      format: wordsOf(metric),
    };
  });
};

export const daysBesideLabs: DayKeeper = {
  name: 'wearables',
  addHref: '/wearables',
  showHref: '/wearables/data',
  held: spanOf,
  series: async (shelf, span) => daySeries(await readDays(shelf, span)),
};
