/** Describes certainty and magnitude in words. */
import { groupsInWords } from '#plugins/evidence/index.ts';
import type { Magnitude } from './grading/magnitude.ts';
import { type Certainty, type MagnitudeLevel, MEASURES, type SizeLimit } from './grading/method.ts';
import { figureInWords } from './grading/stated-sizes.ts';

export const CERTAINTY_WORDS: Readonly<Record<Certainty, string>> = {
  high: 'High',
  moderate: 'Moderate',
  low: 'Low',
  very_low: 'Very low',
};

export const SIZE_WORDS: Readonly<Record<MagnitudeLevel, string>> = {
  large: 'Large',
  moderate: 'Moderate',
  small: 'Small',
  none: 'None or trivial',
  // A figure may still be stated; only its magnitude has no name.
  not_stated: 'Not rated',
};

const LIMIT_WORDS: Readonly<Record<SizeLimit, (magnitude: Magnitude) => string>> = {
  one_trial: () => 'one trial only',
  one_study: () => 'one study only',
  special_group: ({ effect }) => `measured only in ${groupsInWords(effect?.groups ?? [])}`,
  too_few: () => 'no difference found, but in one study or few people',
};

const isUnscaled = ({ effect }: Magnitude): boolean => effect !== null && MEASURES[effect.measure].scale === 'none';

/**
 * Returns, for example, "Difference 1.08 kg, not rated as small or large": a figure in a unit without a scale replaces the level.
 */
const unscaledInWords = ({ effect }: Magnitude): string => {
  const figure = effect ? figureInWords(effect) : '';
  return `${figure.charAt(0).toUpperCase()}${figure.slice(1)}, not rated as small or large`;
};

const notRated = (magnitude: Magnitude, direction: string): string => {
  const { limits } = magnitude;
  if (direction === 'mixed') return `${SIZE_WORDS.not_stated}: the results differ`;
  if (!limits.length) return isUnscaled(magnitude) ? unscaledInWords(magnitude) : SIZE_WORDS.not_stated;
  const reasons = limits.map((limit) => LIMIT_WORDS[limit](magnitude));
  // When no difference was found, the unit is not the reason.
  if (isUnscaled(magnitude) && !limits.includes('too_few')) reasons.push('its unit has no scale of small and large');
  return `${SIZE_WORDS.not_stated}: ${reasons.join('; ')}`;
};

/**
 * Returns the magnitude in words, such as "Small", "Moderate, one trial only" or "Not rated: measured only in infants". Pages
 * print the figure next to it, so this never says that no figure is stated.
 */
export const sizeInWords = (magnitude: Magnitude, direction: string): string => {
  const { level, limits } = magnitude;
  if (level === 'not_stated') return notRated(magnitude, direction);
  const why = limits.map((limit) => LIMIT_WORDS[limit](magnitude)).join('; ');
  return why ? `${SIZE_WORDS[level]}, ${why}` : SIZE_WORDS[level];
};
