/** How large an effect is, where a source states a figure that an editor entered. Never guessed from words. */
import { byStrength } from '#plugins/evidence/index.ts';
import { type MagnitudeLevel, MEASURES, SIZE_LEVELS } from './method.ts';
import { type EffectSize, isMainly, type OutcomeSource } from './source.ts';
import type { VerdictQuestion } from './verdict.ts';
import type { Weighing } from './weigh.ts';

export interface Magnitude {
  readonly level: MagnitudeLevel;
  /** Why it is called that, with the figure it rests on. */
  readonly basis: string;
  /** The figure, and the source that states it; null where none is entered. */
  readonly effect: (EffectSize & { readonly source_id: string }) | null;
}

const NOT_STATED: Magnitude = {
  level: 'not_stated',
  basis: 'No size of the effect was entered from the sources.',
  effect: null,
};

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

const inWords = ({ measure, value, low, high, unit = '', outcome }: EffectSize): string => {
  const mark = measure === 'percent' ? '%' : unit && ` ${unit}`;
  const interval = low === undefined || high === undefined ? '' : ` (95% interval ${low} to ${high})`;
  return `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}: ${MEASURES[measure].words.replace(' in per cent', '')} ${value}${mark}${interval}`;
};

const shortTitle = ({ title, year }: OutcomeSource): string =>
  `“${title.replace(/\.$/, '')}”${year === null ? '' : ` (${year})`}`;

interface Stated {
  readonly source: OutcomeSource;
  readonly size: EffectSize;
}

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
const middleOf = (stated: readonly Stated[]): { middle: Stated | undefined; of: readonly Stated[] } => {
  const [first] = stated;
  const scale = first && MEASURES[first.size.measure].scale;
  const alike = stated.filter(({ size }) => scale !== 'none' && MEASURES[size.measure].scale === scale);
  if (alike.length < 2) return { middle: first, of: [] };
  const ordered = alike.toSorted((a, b) => distance(a) - distance(b));
  return { middle: ordered[Math.floor((ordered.length - 1) / 2)], of: ordered };
};

const spanOf = (of: readonly Stated[]): string => {
  const [least, most] = [of[0], of.at(-1)];
  if (!least || !most) return '';
  // One source measures time to finish, where less is better, another strength: only how far from nothing compares.
  const shown = ({ size: { measure, value } }: Stated): number =>
    MEASURES[measure].scale === 'ratio' ? value : Math.abs(value);
  return ` The middle one of ${of.length} figures, from ${shown(least)} to ${shown(most)}.`;
};

const NULL_WORDS = 'The studies found no difference; how small a difference they could have missed is not stated here.';

export const magnitudeOf = (question: VerdictQuestion, weighing: Weighing): Magnitude => {
  const { middle: stated, of } = middleOf(statedSizes(question, weighing));
  const effect = stated ? { ...stated.size, source_id: stated.source.sourceId } : null;
  if (weighing.direction === 'unclear') return NOT_STATED;
  if (weighing.direction === 'null') return { level: 'none', basis: NULL_WORDS, effect };
  if (!stated) return NOT_STATED;
  const said = `${inWords(stated.size)}, from ${shortTitle(stated.source)}, tier ${stated.source.qualityTier}.`;
  if (weighing.direction === 'mixed') {
    const basis = `The results differ, so no one size stands for them. One of them: ${said}`;
    return { level: 'not_stated', basis, effect };
  }
  const level = levelOf(stated.size);
  const why = level === 'not_stated' ? ' A figure in this unit has no common scale of small and large.' : '';
  return { level, basis: `${said}${spanOf(of)}${why}`, effect };
};
