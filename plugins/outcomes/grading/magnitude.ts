/** Determines the magnitude of an effect from figures that editors entered. It is never guessed from words. */

import { type Group, groupsInWords } from '#plugins/evidence/index.ts';
import { LIMITS, MAGNITUDES, type MagnitudeLevel, ONE_STUDY_LEVEL, type SizeLimit } from './method.ts';
import type { SmallestDifference } from './smallest-differences.ts';
import { type EffectSize, isPooled, studiesOf } from './source.ts';
import { groupsOf, levelOf, middleOf, populationOf, type Stated, said, spanOf, statedSizes } from './stated-sizes.ts';
import type { VerdictQuestion } from './verdict.ts';
import type { Weighing } from './weigh.ts';

export interface Magnitude {
  readonly level: MagnitudeLevel;
  /** Explanation of the level, with the figure on which it rests. */
  readonly basis: string;
  /** Reasons why the magnitude is lower than the figure suggests, such as a single study or a special group; usually empty. */
  readonly limits: readonly SizeLimit[];
  /** The figure, its population and the source that states it; null when none was entered. */
  readonly effect:
    | (EffectSize & {
        readonly source_id: string;
        /** Population; "" when the source does not state it. */
        readonly population: string;
        readonly groups: readonly Group[];
      })
    | null;
  /** The smallest important difference on the scale of the figure, when our data include a source for it. */
  readonly smallest?: SmallestDifference;
}

export const NOT_STATED: Magnitude = {
  level: 'not_stated',
  basis: 'No size of the effect was entered from the sources.',
  limits: [],
  effect: null,
};

const effectOf = (stated: Stated, topic: string): Magnitude['effect'] => ({
  ...stated.size,
  source_id: stated.source.sourceId,
  population: populationOf(stated),
  groups: groupsOf(stated, topic),
});

const NULL_WORDS = 'The studies found no difference; how small a difference they could have missed is not stated here.';
const FEW_WORDS = 'No difference was found, in one study or among too few people to rule one out.';

/**
 * Selects figures from the general population; those of a special group such as infants are used only when there are no others.
 */
const chosen = (stated: readonly Stated[], topic: string) => {
  const general = stated.filter((one) => !groupsOf(one, topic).length);
  return { figures: general.length ? general : stated, apart: stated.length > 0 && !general.length };
};

/** Returns the limit when all figures come from a single study; null for a review of several studies or for several studies. */
const studyLimit = (behind: readonly Stated[]): SizeLimit | null => {
  const studies = new Set(behind.map(({ source: { nctId, sourceId } }) => nctId || sourceId));
  const isOne = ({ source }: Stated): boolean => !isPooled(source) || studiesOf(source) === 1;
  if (studies.size > 1 || !behind.every(isOne)) return null;
  return behind.every(({ source }) => source.evidenceLevel === 'rct') ? 'one_trial' : 'one_study';
};

/** Returns the level after applying the limits. A figure of harm keeps its level: no limit makes harm smaller. */
const limitedLevel = (
  level: MagnitudeLevel,
  limits: readonly SizeLimit[],
  { source, size }: Stated,
): MagnitudeLevel => {
  if (!limits.length || size.direction === 'negative' || level === 'not_stated') return level;
  if (limits.includes('special_group') || (source.sampleSizeN ?? 0) < LIMITS.people) return 'not_stated';
  return MAGNITUDES[Math.max(MAGNITUDES.indexOf(level), MAGNITUDES.indexOf(ONE_STUDY_LEVEL))] as MagnitudeLevel;
};

const limitWords = (limit: SizeLimit, { source, size }: Stated, topic: string): string => {
  if (limit === 'special_group')
    return ` It was measured only in ${groupsInWords(groupsOf({ source, size }, topic))}, and is no size for others.`;
  const { sampleSizeN: people } = source;
  const study = limit === 'one_trial' ? 'trial' : 'study';
  const isFew = size.direction !== 'negative' && (people === null || people < LIMITS.people);
  const few = isFew ? ', too small to say how large the effect is' : '';
  return ` One ${study} only${people === null ? '' : `, of ${people.toLocaleString('en-GB')} people`}${few}.`;
};

/** Returns the magnitude for a clear direction, or null without a figure. */
const sizeOf = (
  { topic }: VerdictQuestion,
  all: readonly Stated[],
): (Omit<Magnitude, 'effect'> & { of: Stated }) | null => {
  const { figures, apart } = chosen(all, topic);
  const { middle, of } = middleOf(figures);
  if (!middle) return null;
  const one = studyLimit(of.length ? of : [middle]);
  const limits = [...(apart ? (['special_group'] as const) : []), ...(one ? [one] : [])];
  const measured = levelOf(middle.size);
  const unit = measured === 'not_stated' ? ' A figure in this unit has no common scale of small and large.' : '';
  const why = limits.map((limit) => limitWords(limit, middle, topic)).join('');
  // The figures of one special group are mostly of different outcomes, so they have no common range.
  const span = apart ? '' : spanOf(of);
  return {
    level: limitedLevel(measured, limits, middle),
    basis: `${said(middle)}${span}${unit}${why}`,
    limits,
    of: middle,
  };
};

/** Returns the magnitude of the effect. `firm` means that no difference was found more than once, among enough people. */
export const magnitudeOf = (question: VerdictQuestion, weighing: Weighing, firm: boolean): Magnitude => {
  if (weighing.direction === 'unclear') return NOT_STATED;
  const all = statedSizes(question, weighing);
  const size = sizeOf(question, all);
  const effect = size && effectOf(size.of, question.topic);
  if (weighing.direction === 'null')
    return firm
      ? { level: 'none', basis: NULL_WORDS, limits: [], effect }
      : { level: 'not_stated', basis: FEW_WORDS, limits: ['too_few'], effect };
  if (!size) return NOT_STATED;
  if (weighing.direction === 'mixed') {
    const basis = `The results differ, so no one size stands for them. One of them: ${said(size.of)}`;
    return { level: 'not_stated', basis, limits: [], effect };
  }
  return { level: size.level, basis: size.basis, limits: size.limits, effect };
};
