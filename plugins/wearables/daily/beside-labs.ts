/** Provides days to the labs plugin: each metric as a series, with the chosen source of each day. */
import type { DayKeeper, DaySeries } from '#plugins/labs/index.ts';
import { type DailyRow, METRICS, type Metric, type MetricId } from '../vitals.ts';
import { chooseDays } from './choose.ts';
import { readDays, spanOf } from './daily-store.ts';
import { knownOf, unitOf, wordsOf } from './known.ts';

/** Metrics of most interest beside laboratory values, in the order shown; the others are only named. */
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

/** Returns the sort key: main metrics first. The sort is stable, so the others keep their order. */
const place = ({ id }: Metric): number => (MAIN.includes(id) ? MAIN.indexOf(id) : MAIN.length);
const ORDERED: readonly Metric[] = METRICS.toSorted((a, b) => place(a) - place(b));

const HRV = 'Heart rate variability';
const METHODS: Readonly<Partial<Record<MetricId, DaySeries['method']>>> = {
  hrv_rmssd_ms: { of: HRV, name: 'RMSSD' },
  hrv_sdnn_ms: { of: HRV, name: 'SDNN' },
};
const PRESSURE: readonly MetricId[] = ['systolic', 'diastolic'];

type Named = Pick<DailyRow, 'source' | 'origin'>;

/**
 * Returns a function that names a source. A ring has the same name in a phone's export and at its vendor, but the two count
 * differently, so the names are made distinct.
 */
const sourceNames = (rows: readonly Named[]): ((of: Named) => string) => {
  const origins = Map.groupBy(rows, ({ source }) => source);
  const isShared = new Set(
    [...origins].filter(([, own]) => new Set(own.map(({ origin }) => origin)).size > 1).map(([source]) => source),
  );
  return ({ source, origin }) =>
    isShared.has(source) ? `${source} (${origin === 'phone' ? 'phone export' : origin})` : source;
};

/**
 * Builds the series, main metrics first.
 * @param rows of all sources.
 */
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
