/**
 * Defines the metrics of a day, with names and units of the conventions. A metric is a number or missing; zero never means
 * "unknown".
 */

export type MetricId =
  | 'steps'
  | 'distance_m'
  | 'active_kcal'
  | 'resting_hr_bpm'
  | 'avg_hr_bpm'
  | 'hrv_sdnn_ms'
  | 'hrv_rmssd_ms'
  | 'spo2_pct'
  | 'resp_rate'
  | 'sleep_total_min'
  | 'sleep_deep_min'
  | 'sleep_rem_min'
  | 'sleep_light_min'
  | 'sleep_awake_min'
  | 'weight_kg'
  | 'body_temp_c'
  | 'vo2max'
  | 'glucose_mg_dl'
  | 'systolic'
  | 'diastolic';

export type MetricGroup = 'movement' | 'heart' | 'breathing' | 'sleep' | 'body';

export interface Metric {
  readonly id: MetricId;
  readonly name: string;
  /** The unit as shown. */
  readonly unit: string;
  readonly digits: number;
  readonly group: MetricGroup;
  /** Physiologically possible values, both ends inclusive; a value outside is an error of the file. */
  readonly plausible: { readonly low: number; readonly high: number };
  /** How the metric is measured, if a similar one differs; "" if there is no note. */
  readonly note: string;
}

const MINUTES_OF_A_DAY = 1_440;

const sleep = (id: MetricId, name: string, note = ''): Metric => ({
  id,
  name,
  unit: 'min',
  digits: 0,
  group: 'sleep',
  plausible: { low: 0, high: MINUTES_OF_A_DAY },
  note,
});

/** In the order of the pages. */
export const METRICS: readonly Metric[] = [
  {
    id: 'steps',
    name: 'Steps',
    unit: '',
    digits: 0,
    group: 'movement',
    plausible: { low: 0, high: 200_000 },
    note: '',
  },
  {
    id: 'distance_m',
    name: 'Distance',
    unit: 'm',
    digits: 0,
    group: 'movement',
    plausible: { low: 0, high: 500_000 },
    note: 'Walked and run.',
  },
  {
    id: 'active_kcal',
    name: 'Active energy',
    unit: 'kcal',
    digits: 0,
    group: 'movement',
    plausible: { low: 0, high: 20_000 },
    note: 'An estimate of the device, without what a body uses at rest.',
  },
  {
    id: 'vo2max',
    name: 'VO₂ max',
    unit: 'mL/min/kg',
    digits: 1,
    group: 'movement',
    plausible: { low: 5, high: 100 },
    note: 'An estimate of the device, not measured breath.',
  },
  {
    id: 'resting_hr_bpm',
    name: 'Resting heart rate',
    unit: '/min',
    digits: 0,
    group: 'heart',
    plausible: { low: 20, high: 200 },
    note: '',
  },
  {
    id: 'avg_hr_bpm',
    name: 'Heart rate, mean of the day',
    unit: '/min',
    digits: 0,
    group: 'heart',
    plausible: { low: 20, high: 250 },
    note: 'Of the moments that were measured: more of them in motion, more of motion in the mean.',
  },
  {
    id: 'hrv_sdnn_ms',
    name: 'Heart rate variability (SDNN)',
    unit: 'ms',
    digits: 0,
    group: 'heart',
    plausible: { low: 0, high: 1_000 },
    note: 'SDNN and RMSSD are two measures: never to be compared with each other.',
  },
  {
    id: 'hrv_rmssd_ms',
    name: 'Heart rate variability (RMSSD)',
    unit: 'ms',
    digits: 0,
    group: 'heart',
    plausible: { low: 0, high: 1_000 },
    note: 'SDNN and RMSSD are two measures: never to be compared with each other.',
  },
  {
    id: 'systolic',
    name: 'Systolic blood pressure',
    unit: 'mmHg',
    digits: 0,
    group: 'heart',
    plausible: { low: 40, high: 300 },
    note: '',
  },
  {
    id: 'diastolic',
    name: 'Diastolic blood pressure',
    unit: 'mmHg',
    digits: 0,
    group: 'heart',
    plausible: { low: 20, high: 200 },
    note: '',
  },
  {
    id: 'spo2_pct',
    name: 'Blood oxygen',
    unit: '%',
    digits: 1,
    group: 'breathing',
    plausible: { low: 40, high: 100 },
    note: '',
  },
  {
    id: 'resp_rate',
    name: 'Breaths',
    unit: '/min',
    digits: 1,
    group: 'breathing',
    plausible: { low: 3, high: 80 },
    note: '',
  },
  sleep('sleep_total_min', 'Sleep', 'The night belongs to the day on which it ends. Time in bed is no sleep.'),
  sleep('sleep_deep_min', 'Deep sleep'),
  sleep('sleep_rem_min', 'REM sleep'),
  sleep('sleep_light_min', 'Light sleep'),
  sleep('sleep_awake_min', 'Awake in the night', 'Not in the total.'),
  {
    id: 'weight_kg',
    name: 'Weight',
    unit: 'kg',
    digits: 1,
    group: 'body',
    plausible: { low: 1, high: 700 },
    note: '',
  },
  {
    id: 'body_temp_c',
    name: 'Body temperature',
    unit: '°C',
    digits: 1,
    group: 'body',
    plausible: { low: 20, high: 46 },
    note: '',
  },
  {
    id: 'glucose_mg_dl',
    name: 'Glucose, mean of the day',
    unit: 'mg/dL',
    digits: 0,
    group: 'body',
    plausible: { low: 10, high: 1_500 },
    note: 'Of a sensor or a meter at home, no laboratory value.',
  },
];

export type Vitals = Readonly<Partial<Record<MetricId, number>>>;

export const VENDOR_SLUGS = ['google-health', 'fitbit', 'oura', 'whoop', 'withings', 'garmin', 'polar'] as const;
export type VendorSlug = (typeof VENDOR_SLUGS)[number];

/** One day of one source. */
export interface DailyRow {
  /** `YYYY-MM-DD`, in the local time of the person. */
  readonly day: string;
  /** Offset from UTC, such as `+02:00`, or the name of a zone; "" if unknown. */
  readonly tz: string;
  /** Name in the export or from the vendor: "Anna’s Watch", "Oura". */
  readonly source: string;
  readonly origin: 'phone' | VendorSlug;
  /** At least one metric. */
  readonly vitals: Vitals;
}
