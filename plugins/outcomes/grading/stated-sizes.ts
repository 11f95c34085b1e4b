/** Figures on the size of an effect as editors entered them: their level, whom they are of, and which of several counts. Pure. */
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

/** The level of one figure; a ratio below 1 counts as its inverse. */
export const levelOf = ({ measure, value }: Pick<EffectSize, 'measure' | 'value'>): MagnitudeLevel => {
  const { scale } = MEASURES[measure];
  if (scale === 'standardised') return levelOn(Math.abs(value), SIZE_LEVELS.standardised);
  if (scale === 'ratio' && value > 0) return levelOn(value < 1 ? 1 / value : value, SIZE_LEVELS.ratio);
  return 'not_stated';
};

/** Whether the interval of a figure includes no effect; null when no interval is entered. */
export const includesNoEffect = ({ measure, low, high }: EffectSize): boolean | null => {
  if (low === undefined || high === undefined) return null;
  const nothing = MEASURES[measure].scale === 'ratio' ? 1 : 0;
  return low <= nothing && high >= nothing;
};

/** "difference 1.08 kg", "risk ratio 0.6", "difference 12%". */
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

/** Whom a figure was measured in, in words. */
export const populationOf = ({ source, size }: Stated): string => size.population ?? source.population;

/** Groups such as infants that a figure is of alone; what it measured may say so as well ("colic eased in infants"). */
export const groupsOf = ({ source, size }: Stated, topic: string): readonly Group[] => {
  const inOutcome = groupsApart(topic, size.outcome);
  return inOutcome.length ? inOutcome : groupsApart(topic, populationOf({ source, size }));
};

export const said = (stated: Stated): string => {
  const population = populationOf(stated);
  const { size, source } = stated;
  return `${inWords(size)}${population && `, in ${population}`}, from ${shortTitle(source)}, tier ${source.qualityTier}.`;
};

/** Figures on the outcome that point the way of the whole, the strongest source first, those with a scale before the others. */
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

/** How far a figure is from no effect, on the scale of its measure; a ratio and its inverse are as far. */
const distance = ({ size: { measure, value } }: Stated): number =>
  MEASURES[measure].scale === 'ratio' ? Math.abs(Math.log(value)) : Math.abs(value);

/** Of several figures on one scale the middle one, and of two middle ones the smaller: no outlier sets the size. */
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
  // One source measures time to finish, where less is better, another strength: only how far from nothing compares.
  const shown = ({ size: { measure, value } }: Stated): number =>
    MEASURES[measure].scale === 'ratio' ? value : Math.abs(value);
  return ` The middle one of ${of.length} figures, from ${shown(least)} to ${shown(most)}.`;
};
