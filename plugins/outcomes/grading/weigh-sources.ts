/** Grades the sources on one supplement and outcome together. Pure functions: equal input gives equal output. */
import type { DirectionCode } from '#plugins/evidence/index.ts';
import type { OutcomeReason } from './assessment.ts';
import { type Certain, certaintyOf, type OutcomeCap } from './certainty.ts';
import { countedOf, figuresOf, type OutcomeFigures } from './figures.ts';
import { type Magnitude, magnitudeOf } from './magnitude.ts';
import { type Certainty, MEASUREMENT_TOPICS } from './method.ts';
import { isPooled, type OutcomeClaim, type OutcomeSource } from './source.ts';
import { type VerdictQuestion, verdictOf } from './verdict.ts';
import { type Weighed, weigh } from './weigh.ts';

export interface WeighedSources {
  readonly certainty: Certainty;
  readonly direction: DirectionCode;
  readonly magnitude: Magnitude;
  readonly figures: OutcomeFigures;
  readonly caps: readonly OutcomeCap[];
  readonly reasons: readonly OutcomeReason[];
  readonly tempered: boolean;
  /**
   * Whether an editor, a review or several sources have a definite direction: one trial that only a program read is not enough.
   */
  readonly isEnough: boolean;
  readonly programOnly: boolean;
}

/** Returns whether no difference was found more than once and among enough people, so that the effect may be called none. */
const isFirm = ({ downgrades, caps }: Pick<Certain, 'downgrades' | 'caps'>): boolean =>
  !downgrades.some(({ code }) => code === 'imprecision' || code === 'imprecision_serious') &&
  !caps.some(({ code }) => code === 'one_study');

const bySourceId = (a: OutcomeSource, b: OutcomeSource): number => (a.sourceId < b.sourceId ? -1 : 1);

/** Returns whether the evidence is enough to assess a question: one trial that only a program has read is not. */
const isEnough = (judged: readonly Weighed[]): boolean => {
  const definite = judged.filter(({ verdict }) => verdict.direction !== 'unclear');
  return definite.some(({ source, verdict }) => verdict.basis !== 'program' || isPooled(source)) || definite.length > 1;
};

export const weighSources = (
  { supplement, topic }: VerdictQuestion,
  sources: readonly OutcomeSource[],
  claims: readonly OutcomeClaim[],
): WeighedSources => {
  const ordered = sources.toSorted(bySourceId);
  const judged = countedOf(ordered).map((source) => ({
    source,
    verdict: verdictOf(source, { supplement, topic }, claims),
  }));
  const weighing = weigh(topic, judged, claims);
  const question = { supplement, topic, measurement: MEASUREMENT_TOPICS.includes(topic) };
  const figures = figuresOf(question, ordered, weighing);
  const { certainty, start, downgrades, caps } = certaintyOf(question, weighing, figures);
  return {
    certainty,
    direction: weighing.direction,
    magnitude: magnitudeOf(question, weighing, isFirm({ downgrades, caps })),
    figures,
    caps,
    reasons: [{ code: `start_${start.certainty}`, steps: 0, text: start.text }, ...downgrades],
    tempered: weighing.tempered,
    isEnough: isEnough(judged),
    programOnly: weighing.programOnly,
  };
};
