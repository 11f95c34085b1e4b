/**
 * Which way one source points on one outcome. A source has one direction, that of its main outcome; on another outcome
 * only what an editor entered for that outcome counts. What no editor has read counts as far as a program was sure of it.
 */
import { DIRECTION_CODES, type DirectionCode, isSureFinding, judgedDirection } from '#plugins/evidence/index.ts';
import { COMPARABLE_TOPICS } from './method.ts';
import { isMainly, type OutcomeClaim, type OutcomeSource, refsOf } from './source.ts';

export type VerdictBasis =
  | 'effect_size'
  | 'finding'
  | 'main_outcome'
  | 'program'
  | 'joint_finding'
  | 'other_question'
  | 'not_judged'
  | 'not_read';

export interface Verdict {
  readonly direction: DirectionCode;
  readonly basis: VerdictBasis;
  /** The editor's finding on the main outcome of the source differs from the source's own direction: it is about a part. */
  readonly part?: true;
  /** How likely a program's reading is right, 0 to 1; its weight counts that much. */
  readonly probability?: number;
}

/** Whether somebody judged it, or it asked something else: neither leaves a question open. */
export const isOpen = ({ basis }: Verdict): boolean => basis === 'not_read' || basis === 'not_judged';

const codeOf = (word: string): DirectionCode => DIRECTION_CODES.find((code) => code === word) ?? 'unclear';

/** One direction, or `mixed` when there are several. */
const together = (directions: readonly string[]): DirectionCode | null => {
  const different = [...new Set(directions.map(codeOf))];
  if (!different.length) return null;
  return different.length === 1 ? (different[0] as DirectionCode) : 'mixed';
};

export interface VerdictQuestion {
  readonly supplement: string;
  readonly topic: string;
}

/** What a program read in the abstract on this very outcome, where it was sure enough to say. */
const readByProgram = (source: OutcomeSource, { supplement, topic }: VerdictQuestion): Verdict => {
  const found = source.findings.find(
    (one) => one.supplement === supplement && one.topic === topic && isSureFinding(one),
  );
  if (!found) return { direction: 'unclear', basis: 'not_read' };
  return { direction: codeOf(found.direction), basis: 'program', probability: found.probability ?? 1 };
};

/** In this order: an effect size on the outcome, a finding that rests on this source alone, the main outcome, a finding it shares. */
export const verdictOf = (
  source: OutcomeSource,
  { supplement, topic }: VerdictQuestion,
  claims: readonly OutcomeClaim[],
): Verdict => {
  if (!source.read) return readByProgram(source, { supplement, topic });
  if (source.compares && !COMPARABLE_TOPICS.includes(topic) && source.effectDirection !== 'negative')
    return { direction: 'unclear', basis: 'other_question' };
  const sizes = together(
    source.effectSizes
      .filter((size) => size.topic === topic && (size.direction === 'negative' || isMainly(source, supplement)))
      .map(({ direction }) => direction),
  );
  if (sizes) return { direction: sizes, basis: 'effect_size' };
  const refs = refsOf(source);
  const citing = claims.filter((claim) => !claim.shaken && claim.refs.some((ref) => refs.includes(ref)));
  const alone = together(citing.filter((claim) => claim.refs.length === 1).map(({ direction }) => direction));
  if (alone) {
    const part = source.topics[0] === topic && alone !== codeOf(judgedDirection(source));
    return { direction: alone, basis: 'finding', ...(part && { part }) };
  }
  if (source.topics[0] === topic) return { direction: codeOf(judgedDirection(source)), basis: 'main_outcome' };
  const joint = together(citing.map(({ direction }) => direction));
  return joint ? { direction: joint, basis: 'joint_finding' } : { direction: 'unclear', basis: 'not_judged' };
};
