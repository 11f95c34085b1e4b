/** Which records tell which metric, and how a day's many become one number. */
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
 * `sum`: what is counted in pieces; a piece counts to the day on which it begins.
 * `mean`: what is sampled, or scatters from reading to reading: heart rate, variability, oxygen, breaths, glucose, and
 * blood pressure, of which one reading alone says little.
 * `last`: what is measured once and stands until it is measured again, so that a mean would be a number that nobody saw:
 * weight, temperature (38.9 before a medicine and 37.1 after it have no middle), and the estimates that a watch replaces
 * during the day, resting heart rate and VO2max.
 */
export type How = 'sum' | 'mean' | 'last';

export interface Kind {
  readonly metric: MetricId;
  readonly how: How;
  readonly unit: (unit: string) => Conversion | null;
  /** A number up to 1 is a share of one, beyond it percent: exports hold both under "%". */
  readonly isShare: boolean;
}

const kind = (metric: MetricId, how: How, unit: Kind['unit']): Kind => ({ metric, how, unit, isShare: false });

/**
 * HealthKit's identifiers. Its variability is SDNN. Not here: the temperature of a wrist in sleep and the basal one, which
 * are other measures than a body's temperature; distances by cycle or chair; energy at rest.
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
