/** Converts the units of HealthKit to those of the metrics. A record with an unlisted unit is skipped. */

/** The metric is the number times `factor`, plus `plus`. */
export interface Conversion {
  readonly factor: number;
  readonly plus: number;
}

type Units = (unit: string) => Conversion | null;

/** Builds a table of units. `HKUnit`'s names are case-sensitive: one "Cal" is a thousand "cal". */
const table = (factors: Readonly<Record<string, number>>): Units => {
  const known = new Map(Object.entries(factors).map(([unit, factor]) => [unit, { factor, plus: 0 }]));
  return (unit) => known.get(unit) ?? null;
};

export const countUnits = table({ count: 1 });
/** To metres. */
export const lengthUnits = table({ m: 1, km: 1_000, cm: 0.01, mi: 1_609.344, yd: 0.9144, ft: 0.3048, in: 0.0254 });
/** To kcal. */
export const energyUnits = table({ kcal: 1, Cal: 1, cal: 0.001, kJ: 1 / 4.184, J: 1 / 4_184 });
/** To 1/min. */
export const rateUnits = table({ 'count/min': 1, bpm: 1, 'count/s': 60, Hz: 60 });
/** To ms. */
export const timeUnits = table({ ms: 1, s: 1_000 });
export const percentUnits = table({ '%': 1 });
/** To kg. */
export const massUnits = table({ kg: 1, g: 0.001, lb: 0.45359237, oz: 0.028349523125, st: 6.35029318 });
/** To mL/(kg·min). HealthKit's own spelling is "mL/min·kg"; others differ. */
export const oxygenUnits = table({ 'mL/min·kg': 1, 'ml/min·kg': 1, 'mL/kg·min': 1, 'mL/kg/min': 1, 'mL/(kg·min)': 1 });
/** To mmHg. */
export const pressureUnits = table({ mmHg: 1, kPa: 7.500616827 });

const degrees: Readonly<Record<string, Conversion>> = {
  degC: { factor: 1, plus: 0 },
  degF: { factor: 5 / 9, plus: -160 / 9 },
  K: { factor: 1, plus: -273.15 },
};
/** To °C. */
export const temperatureUnits: Units = (unit) => (Object.hasOwn(degrees, unit) ? (degrees[unit] ?? null) : null);

const GLUCOSE_G_PER_MOL = 180.156;
/** The unit itself contains the molar mass: "mmol<180.15588000005408>/L". */
const MOLAR = /^mmol(?:<(1\d\d(?:\.\d+)?)>)?\/l$/i;
const glucoseMass = table({ 'mg/dL': 1, 'mg/dl': 1, 'g/L': 100 });

/** Converts glucose to mg/dL. Another molar mass is not glucose. */
export const glucoseUnits: Units = (unit) => {
  const molar = MOLAR.exec(unit);
  if (!molar) return glucoseMass(unit);
  const weight = molar[1] === undefined ? GLUCOSE_G_PER_MOL : Number(molar[1]);
  return Math.abs(weight - GLUCOSE_G_PER_MOL) < 0.1 ? { factor: weight / 10, plus: 0 } : null;
};
