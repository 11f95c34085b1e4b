/**
 * Describes the method as data for `/api/methodology/outcomes` and the methodology page, from the tables that the grader uses.
 */
import { TIER_WEIGHTS } from '#plugins/evidence/index.ts';
import {
  CEILINGS,
  CERTAINTIES,
  CERTAINTY_MEANINGS,
  DOWNGRADES,
  FINDING_LIMITS,
  FINDING_REASONS,
  LIMITS,
  MEASUREMENT_TOPICS,
  MEASURES,
  METHOD_VERSION,
  SIZE_LEVELS,
  SIZE_LIMITS,
  STARTS,
} from './method.ts';
import { SMALLEST_DIFFERENCES } from './smallest-differences.ts';

const percent = (share: number): string => `${Math.round(share * 100)} per cent`;

/** Returns version, starts, downgrades, caps, limits and thresholds of magnitude. */
export const describeMethod = () => ({
  version: METHOD_VERSION,
  summary:
    'For each supplement, outcome and population: how certain the direction is, which way it points, and how large the effect is. It follows GRADE: where a review rates its certainty, that rating stands; elsewhere a program applies the rules below.',
  certainties: CERTAINTIES.map((certainty) => ({ certainty, meaning: CERTAINTY_MEANINGS[certainty] })),
  counted:
    'Sources in people, with results, that were not retracted. Register entries, animals and cells do not count, nor does a paper of which only the title is stored. The people of a review count where it is of this supplement alone, or says how many took it.',
  population: [
    'A population is a life stage (adults, older adults, athletes, children, infants, preterm infants, pregnancy, breastfeeding) and an illness or none. Each is a question of its own, and no grade uses results from another one.',
    'The grade of a supplement and outcome is that of its leading population, which it names: findings before single sources; whom the outcome is about before people with another illness or at another stage of life, even where nothing is known of them; then answers before “very uncertain”, then the nearest, then the surest.',
    'A question is not assessed when no finding is entered and no source on it was read: then it has no direction and no certainty.',
  ],
  findings: {
    rules: [
      'A finding is one result on one outcome from one review or trial, with its figures and the certainty that the authors gave.',
      `The newest review that rates certainty decides; an older one is preferred for ${FINDING_LIMITS.preferredYears} years where it holds ${FINDING_LIMITS.larger} times as many people.`,
      `A later trial of ${FINDING_LIMITS.largeTrial} people or more, or a later review with more people, moves it: it decides where it is at least as large, lowers certainty by one level where it disagrees and is smaller, and raises low certainty by one where it agrees and has a low risk of bias.`,
      'Without a rated review a guideline or position statement leads, else the review or large trial with most people (one that measured what people care about before one that measured a stand-in; where their number is equal or unknown the surest, then the one of most studies); a single trial leaves the lead to a newer guideline that finds the evidence insufficient. Randomised evidence and guidelines start high, observational studies low, case reports very low; the reasons below lower it.',
      `A single trial of fewer than ${FINDING_LIMITS.largeTrial} people is low at most, and very low where it has fewer than ${FINDING_LIMITS.people} and no other study points the same way. A result that nobody rated and fewer than ${FINDING_LIMITS.confirming} others confirm (one for a guideline) is moderate at most. What confirms is a rated review, a guideline or a trial of ${FINDING_LIMITS.largeTrial} people, as pools of the same small trials prove little. Where a review of fewer than ${FINDING_LIMITS.manyTrials} trials finds a benefit and does not say among how many people, its interval does not make up for that.`,
      'A page of a public authority (NIH, NCCIH, EFSA and others) states harms, no effect or missing evidence, never a benefit. It leads where there is nothing else, on safety, and where it is surer than findings that no review rated, or rated above very low. Where it says that there is no difference and findings that nobody rated say otherwise, and neither is surer, the answer is mixed.',
      `A result that its authors left open is “no difference” where its interval includes no effect and, from ${FINDING_LIMITS.people} people on, the ratio lies between ${FINDING_LIMITS.littleLow} and ${FINDING_LIMITS.littleHigh}, or it is a difference of moderate certainty. Where nobody rated it, that takes ${FINDING_LIMITS.largeTrial} people and an interval that does not reach both a useful effect and harm; a harm that was not seen is never read so.`,
      'At very low certainty nobody can tell: a benefit or “no difference” is then given as unclear. Where a review rates itself so, the words are “may help, very uncertain”, and lists of what helps leave it out. A figure whose interval leaves out no effect has its direction, whatever its authors left open. A harm is still given.',
      'Comparisons with another treatment are shown and grade nothing. So are combinations of supplements, unless there is nothing else and they did not help. Harms are shown beside a benefit and never turn it.',
      'Trials that no review has pooled are pooled where population, outcome, measure and comparator agree: random effects (REML), the interval of Hartung and Knapp.',
    ],
    reasons: Object.entries(FINDING_REASONS)
      .filter(([, { steps }]) => steps !== 0)
      .map(([code, { steps, text }]) => ({ code, steps, label: text })),
    limits: { ...FINDING_LIMITS },
  },
  direction: [
    'A source counts for an outcome with what an editor entered for that outcome: an effect size, a finding of the supplement’s entry, or the direction of its main outcome. A direction that a program read on the outcome counts as far as it is probable.',
    `Each source weighs by its tier (${Object.entries(TIER_WEIGHTS)
      .map(([tier, weight]) => `${tier} ${weight}`)
      .join(', ')}). A direction needs two thirds of the judged weight; else the whole is mixed.`,
    `Where ${percent(LIMITS.harm)} of the weight or more points against the supplement, no other direction is given.`,
    'Where the entry of the supplement says mixed or unclear, a sum that is favourable or null gives way to it; the entry never makes a sum more favourable.',
    'A mixed finding counts half as favourable and half as no difference; a review weighs three times a single study of its tier. A study that compared only forms or doses of the supplement does not count.',
    'On safety only harm and mixed findings count: a trial that saw no harm is no proof of safety.',
  ],
  starts: STARTS.map(({ certainty, levels, label }) => ({ certainty, levels: [...levels], label })),
  downgrades: Object.entries(DOWNGRADES).map(([code, { steps, label }]) => ({ code, steps, label })),
  caps: Object.entries(CEILINGS).map(([code, { ceiling, label }]) => ({ code, ceiling, label })),
  limits: { ...LIMITS, lead: Math.round(LIMITS.lead * 1000) / 1000 },
  tier_weights: { ...TIER_WEIGHTS },
  magnitude: {
    summary: `Only from a figure that a source states and an editor entered for the outcome. Of several figures the middle one counts; those of infants, children, pregnancy or breastfeeding are set apart. The figure of one study alone is called moderate at most, and is not named from fewer than ${LIMITS.people} people. “none” is smaller than small, and also stands for no difference that was found more than once and among enough people.`,
    measures: Object.entries(MEASURES).map(([measure, { scale, words }]) => ({ measure, scale, words })),
    thresholds: SIZE_LEVELS,
    smallest_differences: SMALLEST_DIFFERENCES.map((stated) => ({ ...stated })),
    limits: Object.entries(SIZE_LIMITS).map(([code, meaning]) => ({ code, meaning })),
  },
  measurements: [...MEASUREMENT_TOPICS],
  not_measured: [
    'Publication bias, beyond small trials with large effects.',
    'Overlap: among single sources a review and a trial that it includes both count.',
    'Whether the people studied are like the reader, beyond life stage and illness.',
    'Conflicts of interest that the record does not state.',
  ],
});
export type MethodDescription = ReturnType<typeof describeMethod>;
