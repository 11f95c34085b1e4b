/** Maps record types to metrics, with the aggregation of a day's records to one number. */
import type { MetricId } from '../vitals.ts';
import {
  type Conversion,
  countUnits,
  energyUnits,
  glucoseUnits,
  lengthUnits,
  massUnits,
  oxygenUnits,
  percentUnits,
  pressureUnits,
  rateUnits,
  temperatureUnits,
  timeUnits,
} from './units.ts';

/**
 * Aggregation of a day.
 * `sum`: values counted in pieces; a piece counts for the day on which it begins.
 * `mean`: values that are sampled, or vary from reading to reading: heart rate, variability, oxygen, breaths, glucose, and blood
 * pressure, of which a single reading is not conclusive.
 * `last`: values that are measured once and valid until the next measurement, so that a mean would be a number that was never
 * measured: weight, temperature (38.9 before a medicine and 37.1 after it have no useful mean), and the estimates that a watch
 * replaces during the day, resting heart rate and VO2max.
 */
export type How = 'sum' | 'mean' | 'last';

export interface Kind {
  readonly metric: MetricId;
  readonly how: How;
  readonly unit: (unit: string) => Conversion | null;
  /** Whether a number up to 1 is a fraction and a larger one a percentage: exports contain both under "%". */
  readonly isShare: boolean;
}

const kind = (metric: MetricId, how: How, unit: Kind['unit']): Kind => ({ metric, how, unit, isShare: false });

/**
 * HealthKit's identifiers. Its variability is SDNN. Excluded are the temperature of the wrist in sleep and the basal temperature,
 * which differ from body temperature; distances by cycle or wheelchair; and energy at rest.
 */
export const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['HKQuantityTypeIdentifierStepCount', kind('steps', 'sum', countUnits)],
  ['HKQuantityTypeIdentifierDistanceWalkingRunning', kind('distance_m', 'sum', lengthUnits)],
  ['HKQuantityTypeIdentifierActiveEnergyBurned', kind('active_kcal', 'sum', energyUnits)],
  ['HKQuantityTypeIdentifierRestingHeartRate', kind('resting_hr_bpm', 'last', rateUnits)],
  ['HKQuantityTypeIdentifierHeartRate', kind('avg_hr_bpm', 'mean', rateUnits)],
  ['HKQuantityTypeIdentifierHeartRateVariabilitySDNN', kind('hrv_sdnn_ms', 'mean', timeUnits)],
  ['HKQuantityTypeIdentifierOxygenSaturation', { ...kind('spo2_pct', 'mean', percentUnits), isShare: true }],
  ['HKQuantityTypeIdentifierRespiratoryRate', kind('resp_rate', 'mean', rateUnits)],
  ['HKQuantityTypeIdentifierBodyMass', kind('weight_kg', 'last', massUnits)],
  ['HKQuantityTypeIdentifierBodyTemperature', kind('body_temp_c', 'last', temperatureUnits)],
  ['HKQuantityTypeIdentifierVO2Max', kind('vo2max', 'last', oxygenUnits)],
  ['HKQuantityTypeIdentifierBloodGlucose', kind('glucose_mg_dl', 'mean', glucoseUnits)],
  ['HKQuantityTypeIdentifierBloodPressureSystolic', kind('systolic', 'mean', pressureUnits)],
  ['HKQuantityTypeIdentifierBloodPressureDiastolic', kind('diastolic', 'mean', pressureUnits)],
]);

export const SLEEP_TYPE = 'HKCategoryTypeIdentifierSleepAnalysis';
