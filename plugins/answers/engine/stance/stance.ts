/**
 * Estimates whether a source answers a question with yes, no or maybe: a small logistic regression over cues (see
 * bench/ask/README.md).
 */
import { type Passage, stanceFeatures } from './features.ts';
import { STANCE_WEIGHTS } from './weights.ts';

export const VERDICTS = ['yes', 'no', 'maybe'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Probability of each verdict; they add up to 1. */
export type Belief = Readonly<Record<Verdict, number>>;

export type StanceWeights = Readonly<Record<string, readonly [yes: number, no: number, maybe: number]>>;

/** Returns the softmax of the weighted features. */
export const believe = (question: string, passage: Passage, weights: StanceWeights = STANCE_WEIGHTS): Belief => {
  const sums = [0, 0, 0];
  for (const [name, value] of stanceFeatures(question, passage)) {
    const weight = weights[name];
    if (weight) for (let at = 0; at < 3; at += 1) sums[at] = (sums[at] ?? 0) + weight[at as 0 | 1 | 2] * value;
  }
  const top = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - top));
  const whole = powers.reduce((sum, power) => sum + power, 0);
  const [yes = 0, no = 0, maybe = 0] = powers.map((power) => power / whole);
  return { yes, no, maybe };
};

/** Returns the most probable verdict. */
export const verdictOf = (belief: Belief): Verdict =>
  VERDICTS.reduce((best, verdict) => (belief[verdict] > belief[best] ? verdict : best));
