/** Defines the assessment of one question: a supplement, an outcome and a population. */
import type { DirectionCode } from '#plugins/evidence/index.ts';
import type { Finding } from '#plugins/findings/index.ts';
import type { OutcomeCap } from './certainty.ts';
import type { Magnitude } from './magnitude.ts';
import type { Certainty } from './method.ts';
import type { Population } from './population.ts';

export interface OutcomeReason {
  readonly code: string;
  /** Levels of certainty subtracted; negative for levels added, 0 for a remark. */
  readonly steps: number;
  readonly text: string;
}

/** One outcome within the question, such as "time to fall asleep". */
export interface OutcomeLine {
  readonly finding: string;
  readonly outcome: string;
  readonly direction: DirectionCode;
  readonly certainty: Certainty;
  readonly importance: Finding['importance'];
}

/**
 * `review`: a review's own rating; `findings`: computed from entered findings; `authority`: the page of a public authority;
 * `sources`: from editors' and programs' readings.
 */
export const ASSESSMENT_BASES = ['review', 'findings', 'authority', 'sources'] as const;
export type AssessmentBasis = (typeof ASSESSMENT_BASES)[number];

export interface Assessment {
  readonly population: Population;
  readonly basis: AssessmentBasis;
  readonly direction: DirectionCode;
  readonly certainty: Certainty;
  readonly magnitude: Magnitude;
  /** Answer in one sentence: the summary of the leading finding; "" when the basis is sources. */
  readonly summary: string;
  /** Id of the leading finding; "" when the basis is sources. */
  readonly lead: string;
  /** Number of people behind the leading finding; null when it is not stated. */
  readonly people: number | null;
  readonly studies: number | null;
  readonly outcomes: readonly OutcomeLine[];
  /** Ids of findings of harm in these people. */
  readonly harms: readonly string[];
  /** Ids of findings that compare the supplement with another treatment. */
  readonly compared: readonly string[];
  /** Ids of findings on the supplement in combination with others. */
  readonly combined: readonly string[];
  readonly reasons: readonly OutcomeReason[];
  readonly caps: readonly OutcomeCap[];
}
