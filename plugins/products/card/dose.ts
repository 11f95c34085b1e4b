/**
 * Compares the dose on a label with the doses in trials and the upper limit, only when both are for the same substance in
 * convertible units.
 */

/** Factors to milligrams. */
const MASS: Readonly<Record<string, number>> = {
  g: 1_000,
  'gram(s)': 1_000,
  gram: 1_000,
  mg: 1,
  'milligram(s)': 1,
  mcg: 0.001,
  µg: 0.001,
  ug: 0.001,
  'microgram(s)': 0.001,
};

/**
 * Milligrams per IU, for vitamin D only: 40 IU are 1 µg (NIH ODS, vitamin D fact sheet). For other vitamins it depends on the
 * form.
 */
const IU_IN_MG: Readonly<Record<string, number>> = { 'vitamin-d': 0.001 / 40 };

/** Normalizes a unit. "mcg RAE" is a unit of its own: equivalents cannot be converted. */
const unitOf = (unit: string): string => unit.trim().toLowerCase().replace(/\s+/g, ' ').replace('μ', 'µ');

/**
 * Converts an amount to milligrams, or leaves it in its own unit (in lower case) when that is not a mass, such as CFU or mcg
 * DFE.
 * @returns null for an invalid unit.
 */
export const inBaseUnit = (slug: string, amount: number, unit: string): { value: number; unit: string } | null => {
  const name = unitOf(unit);
  if (!name || name === 'np' || name === 'none') return null;
  const mass = MASS[name];
  if (mass) return { value: amount * mass, unit: 'mg' };
  const perIu = /^(iu|i\.u\.|international unit\(s\)|international units?)$/.test(name) ? IU_IN_MG[slug] : undefined;
  return perIu ? { value: amount * perIu, unit: 'mg' } : { value: amount, unit: name };
};

export interface DoseRange {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

export type DoseMatch = 'below' | 'within' | 'above' | 'unknown';

export interface DoseComparison {
  readonly match: DoseMatch;
  /** Reason when the match is unknown, otherwise "". */
  readonly reason: string;
}

/** Compares the amount of a serving with the range of daily doses in trials. */
export const compareDose = (
  slug: string,
  stated: { readonly amount: number; readonly unit: string },
  trial: DoseRange | null,
): DoseComparison => {
  if (!trial) return { match: 'unknown', reason: 'The base holds no trial dose as a number for it.' };
  const label = inBaseUnit(slug, stated.amount, stated.unit);
  const [low, high] = [inBaseUnit(slug, trial.min, trial.unit), inBaseUnit(slug, trial.max, trial.unit)];
  if (!label || !low || !high || label.unit !== low.unit) {
    return {
      match: 'unknown',
      reason: `The label’s unit (${stated.unit || 'none'}) does not convert to ${trial.unit}.`,
    };
  }
  // Rounding on labels and in conversions does not count as a difference in dose.
  const [floor, ceiling] = [low.value * 0.995, high.value * 1.005];
  const match = label.value < floor ? 'below' : label.value > ceiling ? 'above' : 'within';
  return { match, reason: '' };
};

/** Returns whether a single serving exceeds the limit, or null when the units cannot be converted. */
export const isOver = (
  slug: string,
  stated: { readonly amount: number; readonly unit: string },
  limit: { readonly amount: number; readonly unit: string },
): boolean | null => {
  const [label, most] = [inBaseUnit(slug, stated.amount, stated.unit), inBaseUnit(slug, limit.amount, limit.unit)];
  return label && most && label.unit === most.unit ? label.value > most.value * 1.000_001 : null;
};
