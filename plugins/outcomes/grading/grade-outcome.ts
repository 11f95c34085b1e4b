/** Grades one supplement on one outcome, from its sources and its entry. Pure functions: equal input gives equal output. */
import { createHash } from 'node:crypto';
import type { DirectionCode } from '#plugins/evidence/index.ts';
import { type AssessmentInput, assess } from './assess.ts';
import type { Assessment, OutcomeReason } from './assessment.ts';
import { cap, emptyCap, type OutcomeCap } from './certainty.ts';
import type { OutcomeFigures } from './figures.ts';
import { type Magnitude, NOT_STATED } from './magnitude.ts';
import { type Certainty, MEASUREMENT_TOPICS, METHOD_VERSION, SAFETY_TOPIC } from './method.ts';
import { weighSources } from './weigh-sources.ts';

export interface Graded {
  /** False when nobody has assessed the question; direction and certainty are then meaningless. */
  readonly assessed: boolean;
  /** One assessment per population, the leading one first. */
  readonly assessments: readonly Assessment[];
  /** Certainty of the leading population, as are direction and magnitude. */
  readonly certainty: Certainty;
  readonly direction: DirectionCode;
  readonly magnitude: Magnitude;
  /** Figures of all sources on the supplement and outcome, whatever the population. */
  readonly figures: OutcomeFigures;
  readonly caps: readonly OutcomeCap[];
  readonly reasons: readonly OutcomeReason[];
  readonly method_version: string;
  /** Digest of all fields above and of the underlying findings: pages with equal digests are equal. */
  readonly digest: string;
}

const REMARKS = {
  measurement: 'The outcome is a measurement; what it means for health is not graded.',
  safety: 'A trial that saw no harm is no proof of safety, so only harm and mixed findings give safety a direction.',
  retracted: 'Retracted sources do not count.',
  harm: 'Some of the weight points against the supplement.',
  tempered: 'The entry of the supplement is more careful than the sum of its sources, and its word stands.',
} as const;

const remarksOf = (topic: string, figures: OutcomeFigures, tempered: boolean): readonly OutcomeReason[] =>
  (
    [
      ['measurement', MEASUREMENT_TOPICS.includes(topic)],
      ['safety', topic === SAFETY_TOPIC],
      ['harm', figures.weights.negative > 0],
      ['tempered', tempered],
      ['retracted', figures.retracted > 0],
    ] as const
  ).flatMap(([code, holds]) => (holds ? [{ code, steps: 0, text: REMARKS[code] }] : []));

const searchedWords = (day: string): string => `Editors searched on ${day} and found no sound study of this question.`;

/** Returns the values stored for a question without an assessment; readers see "not assessed" instead. */
const notAssessed = (figures: OutcomeFigures, searchedOn: string) => ({
  certainty: 'very_low' as const,
  direction: 'unclear' as const,
  magnitude: NOT_STATED,
  caps: [searchedOn ? { ...cap('searched'), reason: searchedWords(searchedOn) } : cap(emptyCap(figures))],
  reasons: [],
});

export const gradeOutcome = (input: AssessmentInput): Graded => {
  const { supplement, topic, sources, claims } = input;
  const { figures, tempered } = weighSources({ supplement, topic }, sources, claims);
  const assessments = assess(input);
  const [lead] = assessments;
  const { certainty, direction, magnitude, caps, reasons } = lead ?? notAssessed(figures, input.searchedOn ?? '');
  const isTempered = lead?.basis === 'sources' && tempered;
  const grade = {
    assessed: lead !== undefined,
    assessments,
    certainty,
    direction,
    magnitude,
    figures,
    caps,
    reasons: [...reasons, ...remarksOf(topic, figures, isTempered)],
    method_version: METHOD_VERSION,
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([grade, input.findings]))
    .digest('hex')
    .slice(0, 32);
  return { ...grade, digest };
};
