/** The grade of one supplement on one outcome, from its sources and its entry. Pure: the same in gives the same out. */
import { createHash } from 'node:crypto';
import type { DirectionCode } from '#plugins/evidence/index.ts';
import { type Certain, certaintyOf, type OutcomeCap } from './certainty.ts';
import { countedOf, figuresOf, type OutcomeFigures } from './figures.ts';
import { type Magnitude, magnitudeOf } from './magnitude.ts';
import { type Certainty, MEASUREMENT_TOPICS, METHOD_VERSION, SAFETY_TOPIC } from './method.ts';
import type { OutcomeClaim, OutcomeSource } from './source.ts';
import { verdictOf } from './verdict.ts';
import { type Weighing, weigh } from './weigh.ts';

export interface OutcomeReason {
  readonly code: string;
  /** Levels taken away; 0 for a remark. */
  readonly steps: number;
  readonly text: string;
}

export interface Graded {
  readonly certainty: Certainty;
  readonly direction: DirectionCode;
  readonly magnitude: Magnitude;
  readonly figures: OutcomeFigures;
  readonly caps: readonly OutcomeCap[];
  readonly reasons: readonly OutcomeReason[];
  readonly method_version: string;
  /** Of everything above: equal digests mean equal grades. */
  readonly digest: string;
}

const REMARKS = {
  measurement: 'The outcome is a measurement; what it means for health is not graded.',
  safety: 'A trial that saw no harm is no proof of safety, so only harm and mixed findings give safety a direction.',
  retracted: 'Retracted sources do not count.',
  harm: 'Some of the weight points against the supplement.',
  tempered: 'The entry of the supplement is more careful than the sum of its sources, and its word stands.',
} as const;

const remarksOf = (topic: string, figures: OutcomeFigures, { tempered }: Weighing): readonly OutcomeReason[] =>
  (
    [
      ['measurement', MEASUREMENT_TOPICS.includes(topic)],
      ['safety', topic === SAFETY_TOPIC],
      ['harm', figures.weights.negative > 0],
      ['tempered', tempered],
      ['retracted', figures.retracted > 0],
    ] as const
  ).flatMap(([code, holds]) => (holds ? [{ code, steps: 0, text: REMARKS[code] }] : []));

/** Whether no difference was found more than once and among enough people, so that it may be called none. */
const isFirm = ({ downgrades, caps }: Pick<Certain, 'downgrades' | 'caps'>): boolean =>
  !downgrades.some(({ code }) => code === 'imprecision' || code === 'imprecision_serious') &&
  !caps.some(({ code }) => code === 'one_study');

const bySourceId = (a: OutcomeSource, b: OutcomeSource): number => (a.sourceId < b.sourceId ? -1 : 1);

export const gradeOutcome = (
  { supplement, topic }: { readonly supplement: string; readonly topic: string },
  sources: readonly OutcomeSource[],
  claims: readonly OutcomeClaim[],
): Graded => {
  const ordered = sources.toSorted(bySourceId);
  const judged = countedOf(ordered).map((source) => ({
    source,
    verdict: verdictOf(source, { supplement, topic }, claims),
  }));
  const weighing = weigh(topic, judged, claims);
  const question = { supplement, topic, measurement: MEASUREMENT_TOPICS.includes(topic) };
  const figures = figuresOf(question, ordered, weighing);
  const { certainty, start, downgrades, caps } = certaintyOf(question, weighing, figures);
  const grade = {
    certainty,
    direction: weighing.direction,
    magnitude: magnitudeOf(question, weighing, isFirm({ downgrades, caps })),
    figures,
    caps,
    reasons: [
      { code: `start_${start.certainty}`, steps: 0, text: start.text },
      ...downgrades,
      ...remarksOf(topic, figures, weighing),
    ],
    method_version: METHOD_VERSION,
  };
  const digest = createHash('sha256').update(JSON.stringify(grade)).digest('hex').slice(0, 32);
  return { ...grade, digest };
};
