/**
 * Determines the direction of one source on one outcome. A source has one direction, that of its main outcome; on other outcomes,
 * only an editor's statement on that outcome counts. A program's reading counts in proportion to its probability.
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
  /**
   * True when the editor's claim on the main outcome differs from the source's own direction and thus covers only a part of it.
   */
  readonly part?: true;
  /** Probability that a program's reading is right, 0 to 1; it multiplies the weight. */
  readonly probability?: number;
}

/**
 * Returns whether the direction is still unknown: nobody judged the source on this outcome. A source that studied another
 * question is not open.
 */
export const isOpen = ({ basis }: Verdict): boolean => basis === 'not_read' || basis === 'not_judged';

const codeOf = (word: string): DirectionCode => DIRECTION_CODES.find((code) => code === word) ?? 'unclear';

/** Returns the common direction, or `mixed` when there are several; null when there is none. */
const together = (directions: readonly string[]): DirectionCode | null => {
  const different = [...new Set(directions.map(codeOf))];
  if (!different.length) return null;
  return different.length === 1 ? (different[0] as DirectionCode) : 'mixed';
};

export interface VerdictQuestion {
  readonly supplement: string;
  readonly topic: string;
}

/** Returns the direction that a program read in the abstract on this outcome, if it was sure enough. */
const readByProgram = (source: OutcomeSource, { supplement, topic }: VerdictQuestion): Verdict => {
  const found = source.findings.find(
    (one) => one.supplement === supplement && one.topic === topic && isSureFinding(one),
  );
  if (!found) return { direction: 'unclear', basis: 'not_read' };
  return { direction: codeOf(found.direction), basis: 'program', probability: found.probability ?? 1 };
};

/**
 * Returns the verdict from the first of these that exists: an effect size on the outcome, a claim that cites only this source,
 * the main outcome, a claim that cites it among others.
 */
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
