/** Parses the amount in a question and converts it to the unit of an authority's upper limit. */

const IN_MICROGRAMS: Readonly<Record<string, number>> = {
  g: 1e6,
  gram: 1e6,
  grams: 1e6,
  mg: 1e3,
  milligram: 1e3,
  milligrams: 1e3,
  mcg: 1,
  µg: 1,
  ug: 1,
  microgram: 1,
  micrograms: 1,
};

/** Micrograms per international unit: cholecalciferol; retinol (NIH Office of Dietary Supplements). */
const PER_IU: Readonly<Record<string, number>> = { 'vitamin-d': 0.025, 'vitamin-a': 0.3 };

const AMOUNT =
  /(\d[\d,.]*)\s?(k\s?)?(grams?|milligrams?|micrograms?|mg|mcg|µg|μg|ug|g|iu|i\.u\.|international units?|units?)(?![\p{L}\p{N}])/giu;

const perUnit = (unit: string, supplement: string): number | null => {
  const word = unit.toLowerCase().replace('μ', 'µ');
  return /^i|^unit/.test(word) ? (PER_IU[supplement] ?? null) : (IN_MICROGRAMS[word] ?? null);
};

const baseUnit = (unit: string): number | null => IN_MICROGRAMS[/^(?:mg|µg|mcg|g)/.exec(unit)?.[0] ?? ''] ?? null;

/** Returns the largest amount in the text, in `unit`, or null when there is none or it cannot be converted. */
export const askedAmount = (
  text: string,
  { supplement, unit }: { readonly supplement: string; readonly unit: string },
): { readonly said: string; readonly amount: number } | null => {
  const into = baseUnit(unit);
  if (!into) return null;
  const found = [...text.matchAll(AMOUNT)].flatMap(([said, digits = '', thousand, word = '']) => {
    const micrograms = perUnit(word, supplement);
    const value = Number(digits.replace(/,/g, '').replace(/\.$/, '')) * (thousand ? 1000 : 1);
    return micrograms && Number.isFinite(value) ? [{ said, amount: (value * micrograms) / into }] : [];
  });
  return found.sort((a, b) => b.amount - a.amount)[0] ?? null;
};
