/** Maps the data types of Google Health to our metrics, with the location of their values. */
import type { MetricId } from '../vitals.ts';

const SCOPE = 'https://www.googleapis.com/auth/googlehealth.';
export const ACTIVITY = `${SCOPE}activity_and_fitness.readonly`;
export const MEASUREMENTS = `${SCOPE}health_metrics_and_measurements.readonly`;
export const SLEEP = `${SCOPE}sleep.readonly`;

/** A value that Google sums up for each day in the person's local time. */
export interface Total {
  readonly type: string;
  readonly member: string;
  readonly field: string;
  readonly metric: MetricId;
  readonly scope: string;
  /** Factor for the conversion to our unit. */
  readonly factor: number;
  /** Whether Google returns zero if the device was worn and nothing was counted (its page on true zeros). */
  readonly hasTrueZeros: boolean;
}

/**
 * Shape: POST `dataPoints:dailyRollUp` returns `{rollupDataPoints: [{civilStartTime: {date}, steps: {countSum: "6283"}}]}`
 * (developers.google.com/health/reference/rest/v4; field names and units confirmed against the live API in
 * the-momentum/open-wearables, google/health_api/metrics).
 */
export const TOTALS: readonly Total[] = [
  {
    type: 'steps',
    member: 'steps',
    field: 'countSum',
    metric: 'steps',
    scope: ACTIVITY,
    factor: 1,
    hasTrueZeros: true,
  },
  {
    type: 'distance',
    member: 'distance',
    field: 'millimetersSum',
    metric: 'distance_m',
    scope: ACTIVITY,
    factor: 0.001,
    hasTrueZeros: true,
  },
  {
    type: 'active-energy-burned',
    member: 'activeEnergyBurned',
    field: 'kcalSum',
    metric: 'active_kcal',
    scope: ACTIVITY,
    factor: 1,
    hasTrueZeros: false,
  },
  {
    type: 'heart-rate',
    member: 'heartRate',
    field: 'beatsPerMinuteAvg',
    metric: 'avg_hr_bpm',
    scope: MEASUREMENTS,
    factor: 1,
    hasTrueZeros: false,
  },
  {
    type: 'weight',
    member: 'weight',
    field: 'weightGramsAvg',
    metric: 'weight_kg',
    scope: MEASUREMENTS,
    factor: 0.001,
    hasTrueZeros: false,
  },
];

/**
 * Shape: GET `dataPoints` returns `{dataPoints: [{dailyRestingHeartRate: {date: {year, month, day}, beatsPerMinute: "58"}}],
 * nextPageToken}` (health_v4 of googleapis for Dart; googleapis.dev DailyOxygenSaturation, DailyRespiratoryRate). Daily HRV is
 * RMSSD according to Google.
 */
export const DAILIES: readonly {
  readonly type: string;
  readonly member: string;
  readonly field: string;
  readonly metric: MetricId;
  readonly scope: string;
}[] = [
  {
    type: 'daily-resting-heart-rate',
    member: 'dailyRestingHeartRate',
    field: 'beatsPerMinute',
    metric: 'resting_hr_bpm',
    scope: MEASUREMENTS,
  },
  {
    type: 'daily-heart-rate-variability',
    member: 'dailyHeartRateVariability',
    field: 'averageHeartRateVariabilityMilliseconds',
    metric: 'hrv_rmssd_ms',
    scope: MEASUREMENTS,
  },
  {
    type: 'daily-oxygen-saturation',
    member: 'dailyOxygenSaturation',
    field: 'averagePercentage',
    metric: 'spo2_pct',
    scope: MEASUREMENTS,
  },
  {
    type: 'daily-respiratory-rate',
    member: 'dailyRespiratoryRate',
    field: 'breathsPerMinute',
    metric: 'resp_rate',
    scope: MEASUREMENTS,
  },
  { type: 'daily-vo2-max', member: 'dailyVo2Max', field: 'vo2Max', metric: 'vo2max', scope: ACTIVITY },
];
