import { biasFamilyOf } from './bias-signals.ts';
import { CAPS, type Findings } from './caps.ts';
import {
  BIAS_POINTS,
  DESIGN_POINTS,
  DIRECTNESS_POINTS,
  MAX_POINTS,
  SIZE_SCALE,
  SIZE_STEPS,
  type Tier,
  tierOf,
} from './formula.ts';
import type { ScorePart } from './grading.ts';
import { describeSampleSize } from './sample-size.ts';

export interface Score {
  /** Score from 0 to 100 with one decimal. */
  readonly points: number;
  readonly tier: Tier;
  readonly breakdown: readonly ScorePart[];
}

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

const designPart = ({ design }: Findings): ScorePart => {
  const { points, label } = DESIGN_POINTS[design.kind];
  return { part: 'design', points, max: MAX_POINTS.design, reason: `${label}, according to ${design.from}.` };
};

const sizePart = ({ design, size }: Findings): ScorePart => {
  const scale = SIZE_STEPS[SIZE_SCALE[design.kind] ?? 'none'];
  const max = MAX_POINTS.size;
  if (scale.steps.length === 0)
    return { part: 'size', points: 0, max, reason: 'The number of people does not count for this design.' };
  const { n } = size;
  if (n === null)
    return { part: 'size', points: scale.unknown, max, reason: 'The number of people could not be read.' };
  const points = scale.steps.find(([least]) => n >= least)?.[1] ?? 0;
  return { part: 'size', points, max, reason: `Number of people: ${describeSampleSize(size)}.` };
};

const biasPart = ({ design, signals }: Findings): ScorePart => {
  const table = BIAS_POINTS[biasFamilyOf(design.kind)];
  const met = table.filter(({ signal }) => signals.has(signal));
  const points = Math.min(
    MAX_POINTS.bias,
    met.reduce((sum, entry) => sum + entry.points, 0),
  );
  const reason =
    table.length === 0
      ? 'Safeguards against bias do not count for this design.'
      : met.length === 0
        ? 'The text states no safeguard against bias.'
        : `Stated safeguards against bias: ${met.map(({ label }) => label).join(', ')}.`;
  return { part: 'bias', points, max: MAX_POINTS.bias, reason };
};

const directnessPart = (findings: Findings, clinicalOutcome: boolean): ScorePart => {
  const { human, clinicalOutcome: outcome, unknownSpecies } = DIRECTNESS_POINTS;
  const max = MAX_POINTS.directness;
  if (findings.species === 'unknown')
    return { part: 'directness', points: unknownSpecies.points, max, reason: 'It is not clear who was studied.' };
  if (findings.species !== 'human') return { part: 'directness', points: 0, max, reason: 'Not studied in people.' };
  const points = human.points + (clinicalOutcome ? outcome.points : 0);
  const measured = clinicalOutcome ? outcome.label : 'only laboratory values were found among the outcomes';
  return { part: 'directness', points, max, reason: `Studied in people; ${measured}.` };
};

/** Adds up the parts and applies the caps; a cap that lowers the score holds the difference as negative points. */
export const score = (findings: Findings, clinicalOutcome: boolean): Score => {
  const parts = [
    designPart(findings),
    sizePart(findings),
    biasPart(findings),
    directnessPart(findings, clinicalOutcome),
  ];
  let points = oneDecimal(parts.reduce((sum, part) => sum + part.points, 0));
  const caps = CAPS.filter((cap) => cap.applies(findings)).sort((left, right) => left.ceiling - right.ceiling);
  const capParts = caps.map((cap): ScorePart => {
    const lowered = oneDecimal(Math.min(0, cap.ceiling - points));
    points = oneDecimal(points + lowered);
    return { part: 'cap', points: lowered, max: 0, reason: `${cap.reason} At most tier ${cap.tier}.` };
  });
  return { points, tier: tierOf(points), breakdown: [...parts, ...capParts] };
};
