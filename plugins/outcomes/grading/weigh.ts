/** Combines the verdicts of the sources, each weighted by the tier of its source. Pure functions. */
import { type DirectionCode, TIER_WEIGHTS } from '#plugins/evidence/index.ts';
import { LIMITS, SAFETY_TOPIC } from './method.ts';
import { isPooled, type OutcomeClaim, type OutcomeSource } from './source.ts';
import { isOpen, type Verdict } from './verdict.ts';

export interface Weighed {
  readonly source: OutcomeSource;
  readonly verdict: Verdict;
}

export interface Weighing {
  readonly direction: DirectionCode;
  /** Share of the leading direction in the judged weight, with mixed findings counted half, 0 to 1; 0 when nothing is judged. */
  readonly agreement: number;
  readonly weights: Readonly<Record<DirectionCode, number>>;
  /** Weight of sources whose result on this outcome nobody judged. */
  readonly unjudged: number;
  /** Sources that support the overall direction; for `mixed`, all with a definite direction. */
  readonly carriers: readonly OutcomeSource[];
  /** Ids of carriers whose verdict covers only a part of their results. */
  readonly inPart: ReadonlySet<string>;
  readonly judged: number;
  /** True when the entry of the supplement is more cautious than the combined sources and therefore overrides them. */
  readonly tempered: boolean;
  /** Whether every source with a definite direction was read by a program only. */
  readonly programOnly: boolean;
}

const isDefinite = (direction: DirectionCode): boolean => direction !== 'unclear';
const weightOf = ({ source, verdict }: Weighed): number =>
  TIER_WEIGHTS[source.qualityTier] * (isPooled(source) ? LIMITS.pooledWeight : 1) * (verdict.probability ?? 1);
const sumOf = (rows: readonly Weighed[]): number => rows.reduce((sum, row) => sum + weightOf(row), 0);
const isJudged = ({ verdict }: Weighed): boolean => !isOpen(verdict) && verdict.basis !== 'other_question';

/**
 * Returns the direction and its share. A mixed finding counts half as a benefit and half as no difference. Harm has a low
 * threshold: a quarter of the weight against the supplement rules out any other direction, and a quarter in favour rules out "no
 * difference".
 */
const directionOf = (weights: Weighing['weights'], definite: number): { direction: DirectionCode; share: number } => {
  if (!definite || weights.unclear > definite) return { direction: 'unclear', share: 0 };
  const shares = [
    ['positive', (weights.positive + weights.mixed * LIMITS.mixedShare) / definite],
    ['null', (weights.null + weights.mixed * (1 - LIMITS.mixedShare)) / definite],
    ['negative', weights.negative / definite],
  ] as const;
  const [[direction, share]] = shares.toSorted((a, b) => b[1] - a[1]) as unknown as [[DirectionCode, number]];
  const harm = weights.negative / definite;
  const favour = (weights.positive + weights.mixed * LIMITS.mixedShare) / definite;
  // "No difference" claims the absence of an effect, so a quarter of the weight in favour rules it out.
  const open = direction === 'null' ? Math.max(harm, favour) : harm;
  const clear = share >= LIMITS.lead && weights[direction] > 0 && (direction === 'negative' || open < LIMITS.harm);
  return { direction: clear ? direction : 'mixed', share };
};

/** On safety, replaces findings of no difference or of a benefit by `unclear`: only harm and mixed findings count. */
const onTopic = (topic: string, { source, verdict }: Weighed): Weighed =>
  topic === SAFETY_TOPIC && (verdict.direction === 'positive' || verdict.direction === 'null')
    ? { source, verdict: { ...verdict, direction: 'unclear' } }
    : { source, verdict };

/**
 * Applies the editor's claims. An editor who described the outcome has weighed the sources against each other, so when the claims
 * do not share a favourable or null result, the more cautious direction applies. Claims never make a result more favourable.
 */
const temper = (direction: DirectionCode, claims: readonly OutcomeClaim[]): DirectionCode => {
  const said = new Set(claims.filter(({ shaken }) => !shaken).map((claim) => claim.direction));
  if ((direction !== 'positive' && direction !== 'null') || !said.size) return direction;
  if (said.has('negative')) return 'mixed';
  if (said.has(direction)) return direction;
  return said.size === 1 && said.has('unclear') ? 'unclear' : 'mixed';
};

const carriersOf = (direction: DirectionCode, definite: readonly Weighed[]): readonly OutcomeSource[] => {
  if (direction === 'unclear') return [];
  const pointing = direction === 'mixed' ? definite : definite.filter(({ verdict }) => verdict.direction === direction);
  return pointing.map(({ source }) => source);
};

/** Combines the verdicts on one outcome; `claims` are the statements in the supplement's entry on it. */
export const weigh = (topic: string, given: readonly Weighed[], claims: readonly OutcomeClaim[]): Weighing => {
  const rows = given.map((row) => onTopic(topic, row));
  const judged = rows.filter(isJudged);
  const of = (code: DirectionCode): number => sumOf(judged.filter(({ verdict }) => verdict.direction === code));
  const weights = {
    positive: of('positive'),
    null: of('null'),
    negative: of('negative'),
    mixed: of('mixed'),
    unclear: of('unclear'),
  };
  const definite = judged.filter(({ verdict }) => isDefinite(verdict.direction));
  const summed = directionOf(weights, sumOf(definite));
  const direction = temper(summed.direction, claims);
  return {
    direction,
    agreement: summed.share,
    weights,
    unjudged: sumOf(rows.filter(({ verdict }) => isOpen(verdict))),
    carriers: carriersOf(direction, definite),
    inPart: new Set(definite.filter(({ verdict }) => verdict.part).map(({ source }) => source.sourceId)),
    judged: judged.length,
    tempered: direction !== summed.direction,
    programOnly: definite.length > 0 && definite.every(({ verdict }) => verdict.basis === 'program'),
  };
};
