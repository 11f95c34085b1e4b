/** Computes the certainty of a direction: a start by design, downgrades and caps, each with its reason. Pure functions. */

import { groupsInWords } from '#plugins/evidence/index.ts';
import { type OutcomeFigures, onlyGroups } from './figures.ts';
import {
  type CapCode,
  CEILINGS,
  CERTAINTIES,
  type Certainty,
  DOWNGRADES,
  type DowngradeCode,
  LIMITS,
  SAFETY_TOPIC,
  STARTS,
} from './method.ts';
import { countPeople, peopleOf, pooledStudies } from './people.ts';
import { designOf, isMainly, isPooled, type OutcomeSource } from './source.ts';
import { includesNoEffect, statedSizes } from './stated-sizes.ts';
import type { Weighing } from './weigh.ts';

export interface Downgrade {
  readonly code: DowngradeCode;
  readonly steps: number;
  readonly text: string;
}

export interface OutcomeCap {
  readonly code: CapCode;
  readonly ceiling: Certainty;
  readonly reason: string;
}

export interface Certain {
  readonly certainty: Certainty;
  readonly start: { readonly certainty: Certainty; readonly text: string };
  readonly downgrades: readonly Downgrade[];
  readonly caps: readonly OutcomeCap[];
}

const rank = (certainty: Certainty): number => CERTAINTIES.indexOf(certainty);
const lowered = (certainty: Certainty, steps: number): Certainty =>
  CERTAINTIES[Math.min(rank(certainty) + steps, CERTAINTIES.length - 1)] as Certainty;
const lowerOf = (a: Certainty, b: Certainty): Certainty => (rank(a) > rank(b) ? a : b);

/**
 * Returns the sources of the best design. Randomised evidence sets the grade when there is any; other designs only agree or
 * disagree.
 */
const bestDesign = (carriers: readonly OutcomeSource[]) => {
  for (const start of STARTS) {
    const sources = carriers.filter((source) => start.levels.includes(designOf(source)));
    if (sources.length) return { start, sources };
  }
  return null;
};

const has = (sources: readonly OutcomeSource[], ...tiers: readonly string[]): boolean =>
  sources.some(({ qualityTier }) => tiers.includes(qualityTier));

const biasOf = (sources: readonly OutcomeSource[], start: Certainty): DowngradeCode | null => {
  if (!has(sources, 'A', 'B', 'C')) return 'bias_serious';
  // Observational studies cannot reach tier A, and their starting certainty is already low.
  return has(sources, ...(start === 'high' ? ['A'] : ['A', 'B'])) ? null : 'bias';
};

const inconsistencyOf = ({ direction, agreement, weights, tempered }: Weighing): DowngradeCode | null => {
  if (tempered) return 'mixed_results';
  const definite = weights.positive + weights.null + weights.negative + weights.mixed;
  if (direction === 'mixed' && weights.mixed >= definite * LIMITS.lead) return 'mixed_results';
  if (direction === 'mixed') return 'inconsistency_serious';
  return agreement < LIMITS.agree ? 'inconsistency' : null;
};

const ONLY_LABORATORY = /only laboratory values/;

const indirectnessOf = (
  sources: readonly OutcomeSource[],
  { supplement, measurement }: Question,
  { inPart }: Weighing,
): DowngradeCode | null => {
  if (sources.every(({ supplements }) => supplements.length > 1 && !isMainly({ supplements }, supplement)))
    return 'indirect_other';
  if (sources.every(({ supplements, wider }) => wider || supplements.length > 1)) return 'indirect_combined';
  if (sources.every(({ sourceId }) => inPart.has(sourceId))) return 'indirect_part';
  const onlyValues = ({ hasAbstract, breakdown }: OutcomeSource): boolean =>
    hasAbstract && breakdown.some(({ part, reason }) => part === 'directness' && ONLY_LABORATORY.test(reason));
  return !measurement && sources.every(onlyValues) ? 'indirect_surrogate' : null;
};

const imprecisionOf = (sources: readonly OutcomeSource[], question: Question): DowngradeCode | null => {
  const { count } = countPeople(sources, question);
  const isLarge = (source: OutcomeSource): boolean => (pooledStudies(source) ?? 0) >= LIMITS.pooledStudies;
  // Ten or more studies that do not state their number of people almost certainly include more than the limit.
  if (sources.some((one) => isPooled(one) && isLarge(one) && peopleOf(one, question) === null)) return null;
  if (count !== null && count < LIMITS.fewPeople) return 'imprecision_serious';
  return count === null || count < LIMITS.people ? 'imprecision' : null;
};

const intervalOf = (question: Question, weighing: Weighing): DowngradeCode | null => {
  if (weighing.direction !== 'positive' && weighing.direction !== 'negative') return null;
  const withInterval = statedSizes(question, weighing).filter(({ size }) => includesNoEffect(size) !== null);
  return withInterval.length && withInterval.every(({ size }) => includesNoEffect(size)) ? 'imprecise_interval' : null;
};

/** Counts studies; several reports of one trial (by its register number) are one study. */
const studiesAmong = (sources: readonly OutcomeSource[]): number =>
  new Set(sources.map(({ nctId, sourceId }) => nctId || sourceId)).size;

const replicationOf = (sources: readonly OutcomeSource[]): CapCode | null => {
  const pooled = sources.filter(isPooled);
  if (studiesAmong(sources) > 1) return null;
  if (pooled.length) return pooled.some(({ qualityTier }) => qualityTier === 'A') ? 'one_review' : 'one_weak_review';
  const [only] = sources;
  const large = only?.qualityTier === 'A' && (only.sampleSizeN ?? 0) >= LIMITS.largeStudy;
  return large ? 'one_large_study' : 'one_study';
};

export const cap = (code: CapCode, ceiling: Certainty = CEILINGS[code].ceiling): OutcomeCap => ({
  code,
  ceiling,
  reason: CEILINGS[code].label,
});

/** Caps the certainty at the rating that the strongest review states, if an editor entered it. */
const ratingCap = (topic: string, sources: readonly OutcomeSource[]): OutcomeCap[] => {
  const [strongest] = sources.filter(isPooled).toSorted((a, b) => b.qualityScore - a.qualityScore);
  const said = strongest?.topics[0] === topic ? strongest.certaintyStated : '';
  return said ? [cap('review_rating', said)] : [];
};

/** Caps the certainty when all evidence comes from special groups such as infants, because it is indirect for other people. */
const groupCap = (topic: string, sources: readonly OutcomeSource[]): OutcomeCap[] => {
  const groups = onlyGroups(sources, topic);
  if (!groups.length) return [];
  const reason = `The direction rests on studies in ${groupsInWords(groups)} alone; for others it is indirect.`;
  return [{ ...cap('special_group'), reason }];
};

const capsOf = (topic: string, sources: readonly OutcomeSource[], weighing: Weighing): readonly OutcomeCap[] => {
  const single = replicationOf(sources);
  return [
    ...(sources.every(({ funding }) => funding === 'industry') ? [cap('industry_only')] : []),
    ...(single ? [cap(single)] : []),
    ...(weighing.programOnly ? [cap('program_only')] : []),
    // Without any source of tier A, a downgrade already covers this.
    ...(sources.filter(({ qualityTier }) => qualityTier === 'A').length === 1 ? [cap('one_strong')] : []),
    ...(weighing.direction === 'mixed' ? [cap('mixed_direction')] : []),
    ...(topic === SAFETY_TOPIC ? [cap('safety')] : []),
    // A harm is no less certain when it was observed in infants.
    ...(weighing.direction === 'negative' ? [] : groupCap(topic, sources)),
    ...ratingCap(topic, sources),
  ];
};

/** Returns the reason why no direction can be reported. */
export const emptyCap = (figures: OutcomeFigures): CapCode => {
  if (!figures.sources) return 'all_retracted';
  if (figures.judged) return 'unclear_direction';
  if (figures.counted) return 'not_judged';
  // The subject of a listed paper is unknown.
  if (figures.only_listed) return 'only_listed';
  return figures.not_in_people ? 'not_in_people' : 'only_registered';
};

const nothing = (code: CapCode): Certain => ({
  certainty: 'very_low',
  start: { certainty: 'very_low', text: CEILINGS[code].label },
  downgrades: [],
  caps: [cap(code)],
});

export interface Question {
  readonly supplement: string;
  readonly topic: string;
  /** Whether the outcome is itself a measurement, so that a laboratory value answers it. */
  readonly measurement: boolean;
}

export const certaintyOf = (question: Question, weighing: Weighing, figures: OutcomeFigures): Certain => {
  const best = bestDesign(weighing.carriers);
  if (!best) return nothing(emptyCap(figures));
  const { start, sources } = best;
  const total = Object.values(weighing.weights).reduce((sum, weight) => sum + weight, 0) + weighing.unjudged;
  const codes = [
    biasOf(sources, start.certainty),
    inconsistencyOf(weighing),
    indirectnessOf(sources, question, weighing),
    imprecisionOf(sources, question),
    intervalOf(question, weighing),
    weighing.unjudged * 2 > total ? ('unjudged' as const) : null,
  ];
  const downgrades = codes
    .filter((code) => code !== null)
    .map((code) => ({ code, steps: DOWNGRADES[code].steps, text: DOWNGRADES[code].label }));
  const steps = downgrades.reduce((sum, downgrade) => sum + downgrade.steps, 0);
  const caps = capsOf(question.topic, sources, weighing);
  const certainty = caps.reduce((level, { ceiling }) => lowerOf(level, ceiling), lowered(start.certainty, steps));
  const text = `The direction rests on ${start.label}.`;
  return { certainty, start: { certainty: start.certainty, text }, downgrades, caps };
};
