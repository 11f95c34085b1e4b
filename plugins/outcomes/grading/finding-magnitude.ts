/** Determines the magnitude of an effect from the figure of one finding. Pure functions. */
import type { DirectionCode } from '#plugins/evidence/index.ts';
import type { Finding } from '#plugins/findings/index.ts';
import type { Magnitude } from './magnitude.ts';
import { type MagnitudeLevel, MEASURES, type Measure } from './method.ts';
import { type SmallestDifference, smallestDifferenceFor } from './smallest-differences.ts';
import { figureInWords, levelOf } from './stated-sizes.ts';

const intervalInWords = ({ low, high }: Finding): string =>
  low === null || high === null ? '' : ` (95% interval ${low} to ${high})`;

/**
 * Measures in the contract of `/api/outcomes`. A rate ratio is reported as a risk ratio; effects without a common measure are
 * reported in the finding only.
 */
const EFFECT_MEASURES: Readonly<Partial<Record<string, Measure>>> = {
  RR: 'RR',
  OR: 'OR',
  HR: 'HR',
  rate: 'RR',
  MD: 'MD',
  SMD: 'SMD',
  percent: 'percent',
};

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const effectOf = (finding: Finding, direction: DirectionCode, sourceId: string): Magnitude['effect'] => {
  const { estimate, low, high, unit, topic, outcome, population, participants } = finding;
  const measure = EFFECT_MEASURES[finding.measure];
  if (!measure || estimate === null) return null;
  return {
    topic,
    measure,
    value: estimate,
    ...(low !== null && high !== null && { low, high }),
    ...(unit && { unit }),
    outcome,
    direction,
    ...(participants !== null && { people: participants }),
    source_id: sourceId,
    population,
    groups: [],
  };
};

/** Returns the level of a difference: small below the smallest important difference, large from twice that difference. */
const levelBeside = (value: number, { value: smallest }: SmallestDifference): MagnitudeLevel => {
  const times = Math.abs(value) / smallest;
  if (times < 1) return 'small';
  return times < 2 ? 'moderate' : 'large';
};

const besideWords = (value: number, { value: smallest, unit, scale }: SmallestDifference): string =>
  ` On the scale (${scale}) people notice a difference of ${smallest} ${unit} or more: this one is ${
    Math.abs(value) < smallest ? 'smaller' : 'as large'
  }.`;

/** Returns the magnitude of the effect in a finding. `sourceId` is the id of its source in the corpus. */
export const magnitudeOfFinding = (finding: Finding, direction: DirectionCode, sourceId: string): Magnitude => {
  const effect = effectOf(finding, direction, sourceId);
  if (!effect)
    return {
      level: 'not_stated',
      basis: 'The source states no figure for the size of the effect.',
      limits: [],
      effect: null,
    };
  const figure = figureInWords(effect);
  const basis = `${capitalized(finding.outcome)}: ${figure}${intervalInWords(finding)}, in ${finding.population}.`;
  if (direction === 'null') return { level: 'none', basis, limits: [], effect };
  const smallest = smallestDifferenceFor(finding);
  if (smallest && direction !== 'mixed' && direction !== 'unclear')
    return {
      level: levelBeside(effect.value, smallest),
      basis: `${basis}${besideWords(effect.value, smallest)}`,
      limits: [],
      effect,
      smallest,
    };
  if (direction === 'mixed' || direction === 'unclear' || MEASURES[effect.measure].scale === 'none')
    return { level: 'not_stated', basis, limits: [], effect };
  return { level: levelOf(effect), basis, limits: [], effect };
};
