/** Interprets effect sizes that editors entered: their level, their population, and which of several is used. Pure functions. */
import { byStrength, type Group } from '#plugins/evidence/index.ts';
import { groupsApart } from './groups-apart.ts';
import { type MagnitudeLevel, MEASURES, SIZE_LEVELS } from './method.ts';
import { type EffectSize, isMainly, type OutcomeSource } from './source.ts';
import type { VerdictQuestion } from './verdict.ts';
import type { Weighing } from './weigh.ts';

const levelOn = (size: number, { large, moderate, small }: (typeof SIZE_LEVELS)['ratio' | 'standardised']) => {
  if (size >= large) return 'large';
  if (size >= moderate) return 'moderate';
  return size >= small ? 'small' : 'none';
};

/** Returns the level of one figure; a ratio below 1 counts as its inverse. */
export const levelOf = ({ measure, value }: Pick<EffectSize, 'measure' | 'value'>): MagnitudeLevel => {
  const { scale } = MEASURES[measure];
  if (scale === 'standardised') return levelOn(Math.abs(value), SIZE_LEVELS.standardised);
  if (scale === 'ratio' && value > 0) return levelOn(value < 1 ? 1 / value : value, SIZE_LEVELS.ratio);
  return 'not_stated';
};

/** Returns whether the interval of a figure includes no effect; null when no interval was entered. */
export const includesNoEffect = ({ measure, low, high }: EffectSize): boolean | null => {
  if (low === undefined || high === undefined) return null;
  const nothing = MEASURES[measure].scale === 'ratio' ? 1 : 0;
  return low <= nothing && high >= nothing;
};

/** Returns the figure in words, such as "difference 1.08 kg", "risk ratio 0.6" or "difference 12%". */
export const figureInWords = ({
  measure,
  value,
  unit = '',
}: Pick<EffectSize, 'measure' | 'value' | 'unit'>): string => {
  const mark = measure === 'percent' ? '%' : unit && ` ${unit}`;
  return `${MEASURES[measure].words.replace(' in per cent', '')} ${value}${mark}`;
};

const inWords = (size: EffectSize): string => {
  const { low, high, outcome } = size;
  const interval = low === undefined || high === undefined ? '' : ` (95% interval ${low} to ${high})`;
  return `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}: ${figureInWords(size)}${interval}`;
};

const shortTitle = ({ title, year }: OutcomeSource): string =>
  `“${title.replace(/\.$/, '')}”${year === null ? '' : ` (${year})`}`;

export interface Stated {
  readonly source: OutcomeSource;
  readonly size: EffectSize;
}

/** Returns the population of a figure, in words. */
export const populationOf = ({ source, size }: Stated): string => size.population ?? source.population;

/**
 * Returns the special groups, such as infants, in which alone a figure was measured; its outcome may name them too ("colic eased
 * in infants").
 */
export const groupsOf = ({ source, size }: Stated, topic: string): readonly Group[] => {
  const inOutcome = groupsApart(topic, size.outcome);
  return inOutcome.length ? inOutcome : groupsApart(topic, populationOf({ source, size }));
};

export const said = (stated: Stated): string => {
  const population = populationOf(stated);
  const { size, source } = stated;
  return `${inWords(size)}${population && `, in ${population}`}, from ${shortTitle(source)}, tier ${source.qualityTier}.`;
};

/**
 * Returns the figures on the outcome that match the overall direction, strongest source first; figures with a common scale come
 * first.
 */
export const statedSizes = (
  { supplement, topic }: VerdictQuestion,
  { direction, carriers }: Weighing,
): readonly Stated[] =>
  carriers
    .toSorted(byStrength)
    .filter((source) => isMainly(source, supplement))
    .flatMap((source) => source.effectSizes.map((size) => ({ source, size })))
    .filter(({ size }) => size.topic === topic && (direction === 'mixed' || size.direction === direction))
    .sort((a, b) => Number(levelOf(a.size) === 'not_stated') - Number(levelOf(b.size) === 'not_stated'));

/**
 * Returns the distance of a figure from no effect on the scale of its measure; a ratio and its inverse have the same distance.
 */
const distance = ({ size: { measure, value } }: Stated): number =>
  MEASURES[measure].scale === 'ratio' ? Math.abs(Math.log(value)) : Math.abs(value);

/**
 * Returns the median of several figures on one scale (the smaller of the two middle ones if their number is even), so that no
 * outlier determines the size.
 */
export const middleOf = (stated: readonly Stated[]): { middle: Stated | undefined; of: readonly Stated[] } => {
  const [first] = stated;
  const scale = first && MEASURES[first.size.measure].scale;
  const alike = stated.filter(({ size }) => scale !== 'none' && MEASURES[size.measure].scale === scale);
  if (alike.length < 2) return { middle: first, of: [] };
  const ordered = alike.toSorted((a, b) => distance(a) - distance(b));
  return { middle: ordered[Math.floor((ordered.length - 1) / 2)], of: ordered };
};

export const spanOf = (of: readonly Stated[]): string => {
  const [least, most] = [of[0], of.at(-1)];
  if (!least || !most) return '';
  // Sources differ in whether lower is better (time to finish) or higher (strength), so only the distance from no effect is
  // comparable.
  const shown = ({ size: { measure, value } }: Stated): number =>
    MEASURES[measure].scale === 'ratio' ? value : Math.abs(value);
  return ` The middle one of ${of.length} figures, from ${shown(least)} to ${shown(most)}.`;
};
