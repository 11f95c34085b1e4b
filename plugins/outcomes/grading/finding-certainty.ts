/**
 * Rates the certainty of a finding whose authors did not rate it, by one explicit rule for each of GRADE's five reasons. Pure
 * functions.
 */
import type { Finding } from '#plugins/findings/index.ts';
import type { OutcomeReason } from './assessment.ts';
import { CERTAINTIES, type Certainty, FINDING_LIMITS, FINDING_REASONS, type FindingReasonCode } from './method.ts';

/** Returns the number of people behind a figure, or the stated minimum number of participants; null when neither is stated. */
export const peopleBehind = ({ participants, participantsAtLeast }: Finding): number | null =>
  participants ?? participantsAtLeast;

const RATIOS: readonly string[] = ['RR', 'OR', 'HR', 'rate'];
export const isRatio = ({ measure }: Pick<Finding, 'measure'>): boolean => RATIOS.includes(measure);

const START: Readonly<Record<Finding['design'], Certainty>> = {
  'meta-analysis': 'high',
  'network-meta-analysis': 'high',
  'systematic-review': 'high',
  'umbrella-review': 'high',
  rct: 'high',
  guideline: 'high',
  'position-stand': 'high',
  authority: 'high',
  cohort: 'low',
  'case-reports': 'very_low',
};

export const isReview = ({ design }: Pick<Finding, 'design'>): boolean =>
  design.endsWith('analysis') || design.endsWith('review');
export const isConsensus = ({ design }: Pick<Finding, 'design'>): boolean =>
  design === 'guideline' || design === 'position-stand';
const isDefinite = ({ direction }: Pick<Finding, 'direction'>): boolean => direction !== 'unclear';

/** Returns whether the interval includes no effect; null without an interval. */
export const includesNothing = (finding: Finding): boolean | null => {
  if (finding.low === null || finding.high === null) return null;
  const nothing = isRatio(finding) ? 1 : 0;
  return finding.low <= nothing && finding.high >= nothing;
};

/** Returns whether the interval of a "no difference" result is compatible with an effect that people would care about. */
const isWide = (finding: Finding): boolean => {
  const { low, high } = finding;
  if (low === null || high === null) return false;
  if (isRatio(finding)) return low < FINDING_LIMITS.wideLow && high > FINDING_LIMITS.wideHigh;
  return finding.measure === 'SMD' && low < -FINDING_LIMITS.wideSmd && high > FINDING_LIMITS.wideSmd;
};

/**
 * Returns whether a result may be reported as "no difference": its authors rated it low or better, or, when nobody rated it, it
 * includes 1,000 people and its interval does not reach both a useful effect and harm. An unrated absence of harm never
 * qualifies.
 */
const isSoundNull = (finding: Finding): boolean => {
  if (finding.certainty !== '') return finding.certainty !== 'very_low';
  return (finding.participants ?? 0) >= FINDING_LIMITS.largeTrial && !isWide(finding) && finding.importance !== 'harm';
};

/**
 * Returns whether an unclear result is what GRADE words as "little or no difference": its interval includes no effect, and the
 * estimate is too small to matter (for a ratio) or the certainty is moderate or high (for a difference).
 */
const isLittleOrNone = (finding: Finding): boolean => {
  const { direction, certainty, estimate, participants } = finding;
  if (direction !== 'unclear' || estimate === null || !includesNothing(finding)) return false;
  if (participants !== null && participants < FINDING_LIMITS.people && isRatio(finding)) return false;
  if (isRatio(finding))
    return isSoundNull(finding) && estimate > FINDING_LIMITS.littleLow && estimate < FINDING_LIMITS.littleHigh;
  return certainty === 'moderate' || certainty === 'high';
};

/**
 * Returns the direction of an estimate that its authors left unclear only because its certainty is very low: its interval
 * excludes no effect. The low certainty prevents a benefit from being published, but not a harm.
 */
const leaning = (finding: Finding): Finding['direction'] => {
  const { direction, certainty, estimate, betterWhen } = finding;
  if (direction !== 'unclear' || certainty !== 'very_low' || estimate === null || !betterWhen) return direction;
  if (includesNothing(finding) !== false) return direction;
  const isHigher = estimate > (isRatio(finding) ? 1 : 0);
  return isHigher === (betterWhen === 'higher') ? 'better' : 'worse';
};

/** Returns the finding with the direction that the rules derive from its figures. */
export const settled = (finding: Finding): Finding => {
  const direction = isLittleOrNone(finding) ? 'no_difference' : leaning(finding);
  return direction === finding.direction ? finding : { ...finding, direction };
};

const isLargeEffect = ({ measure, estimate }: Finding): boolean => {
  if (estimate === null) return false;
  if (measure === 'SMD') return Math.abs(estimate) >= FINDING_LIMITS.largeSmd;
  return isRatio({ measure }) && (estimate >= 2 || estimate <= 0.5);
};

/**
 * Returns whether a finding is a valid confirmation: a rated review, a consensus or a large trial. Several meta-analyses of the
 * same small trials agree with each other without adding evidence.
 */
const isSoundConfirmation = (one: Finding): boolean =>
  (isReview(one) && one.certainty !== '' && one.certainty !== 'very_low') ||
  isConsensus(one) ||
  (one.design === 'rct' && (peopleBehind(one) ?? 0) >= FINDING_LIMITS.largeTrial);

/** Counts the reviews, statements and large trials from other sources that have the same direction. */
const confirmations = (finding: Finding, others: readonly Finding[]): number =>
  new Set(
    others
      .filter((one) => one.source !== finding.source && one.direction === finding.direction && isSoundConfirmation(one))
      .map(({ source }) => source),
  ).size;

const contradictions = (finding: Finding, others: readonly Finding[]): number =>
  new Set(
    others
      .filter(
        (one) =>
          one.source !== finding.source &&
          isDefinite(one) &&
          one.direction !== finding.direction &&
          one.importance !== 'surrogate' &&
          (isReview(one) || (peopleBehind(one) ?? 0) >= FINDING_LIMITS.contradictingTrial),
      )
      .map(({ source }) => source),
  ).size;

const biasReason = (finding: Finding, confirmed: number): FindingReasonCode | null => {
  if (isConsensus(finding) || !START[finding.design].startsWith('h')) return null;
  if (finding.bias === 'high') return 'bias_high';
  if (finding.bias === 'low') return null;
  if (confirmed >= FINDING_LIMITS.confirming) return null;
  // Placebo-controlled trials of this size are blinded, registered and monitored.
  const isLargeTrial = finding.design === 'rct' && (peopleBehind(finding) ?? 0) >= FINDING_LIMITS.largeTrial;
  if (isLargeTrial && finding.comparator === 'placebo' && finding.bias === '') return null;
  return finding.bias === 'some' ? 'bias_some' : 'bias_unknown';
};

const inconsistencyReason = (finding: Finding, contradicted: number): FindingReasonCode | null => {
  if (contradicted > 0) return 'inconsistent_findings';
  return (finding.i2 ?? 0) >= FINDING_LIMITS.i2 ? 'inconsistent_trials' : null;
};

const imprecisionReason = (finding: Finding): FindingReasonCode | null => {
  if (isConsensus(finding)) return null;
  const { direction } = finding;
  const participants = peopleBehind(finding);
  if (participants !== null && participants < FINDING_LIMITS.fewPeople) return 'few_people_serious';
  const points = direction === 'better' || direction === 'worse';
  if (points && includesNothing(finding)) return 'interval_includes_nothing';
  if (direction === 'no_difference' && isWide(finding)) return 'interval_wide';
  const hasManyTrials = (finding.studies ?? 0) >= FINDING_LIMITS.manyTrials;
  // A benefit requires a minimum number of people; an interval alone does not show how many took part.
  const isUncounted = finding.low === null || (isReview(finding) && direction === 'better');
  if (participants === null && isUncounted) return hasManyTrials ? null : 'people_unknown';
  return participants !== null && participants < FINDING_LIMITS.people ? 'few_people' : null;
};

const publicationReason = (finding: Finding): FindingReasonCode | null => {
  if (finding.doubtful) return 'doubtful';
  const { participants, studies } = finding;
  if (!isReview(finding) || participants === null || studies === null || studies < 3) return null;
  return participants / studies < FINDING_LIMITS.smallTrial && isLargeEffect(finding) ? 'small_large' : null;
};

const rank = (certainty: Certainty): number => CERTAINTIES.indexOf(certainty);
export const lowered = (certainty: Certainty, steps: number): Certainty =>
  CERTAINTIES[Math.max(0, Math.min(rank(certainty) + steps, CERTAINTIES.length - 1))] as Certainty;
export const lowerOf = (a: Certainty, b: Certainty): Certainty => (rank(a) > rank(b) ? a : b);

/** Returns whether any other source, of whatever size, has the same direction. */
const isRepeatedBy = (others: readonly Finding[], { source, direction }: Finding): boolean =>
  others.some((one) => one.source !== source && one.direction === direction);

/**
 * Returns the highest certainty that an unrated finding can have: only this project has judged it, and a small trial may not have
 * been replicated.
 */
const ceiling = (
  finding: Finding,
  confirmed: number,
  isRepeated: boolean,
): { readonly top: Certainty; readonly code: FindingReasonCode | null } => {
  const people = peopleBehind(finding) ?? 0;
  if (finding.design === 'rct' && people < FINDING_LIMITS.people && !isRepeated)
    return { top: 'very_low', code: 'single_small_trial' };
  if (finding.design === 'rct' && people < FINDING_LIMITS.largeTrial) return { top: 'low', code: 'single_trial' };
  if (finding.direction === 'unclear') return { top: 'low', code: 'unclear_result' };
  if (confirmed >= (isConsensus(finding) ? 1 : FINDING_LIMITS.confirming)) return { top: 'high', code: null };
  return { top: 'moderate', code: 'unrated' };
};

export interface RatedFinding {
  readonly certainty: Certainty;
  readonly reasons: readonly OutcomeReason[];
}

const reason = (code: FindingReasonCode): OutcomeReason => ({ code, ...FINDING_REASONS[code] });

/**
 * Returns the certainty of an unrated finding. `others` are findings on the same question; `isMeasurement` is true when the
 * outcome is itself a measurement, so that a blood value answers it directly.
 */
export const certaintyOfFinding = (
  finding: Finding,
  others: readonly Finding[],
  isMeasurement: boolean,
): RatedFinding => {
  const start = START[finding.design];
  const confirmed = confirmations(finding, others);
  const codes = [
    biasReason(finding, confirmed),
    inconsistencyReason(finding, contradictions(finding, others)),
    finding.importance === 'surrogate' && !isMeasurement ? ('surrogate' as const) : null,
    imprecisionReason(finding),
    publicationReason(finding),
  ].filter((code) => code !== null);
  const reasons = codes.map(reason);
  const steps = reasons.reduce((sum, one) => sum + one.steps, 0);
  const { top, code } = ceiling(finding, confirmed, isRepeatedBy(others, finding));
  const certainty = lowerOf(lowered(start, steps), top);
  return {
    certainty,
    reasons: [
      {
        code: `start_${start}`,
        steps: 0,
        text: `It starts ${start.replace('_', ' ')}, as ${DESIGN_WORDS[finding.design]} do.`,
      },
      ...reasons,
      ...(code && lowered(start, steps) !== certainty ? [reason(code)] : []),
    ],
  };
};

const DESIGN_WORDS: Readonly<Record<Finding['design'], string>> = {
  'meta-analysis': 'reviews of randomised trials',
  'network-meta-analysis': 'reviews of randomised trials',
  'systematic-review': 'reviews of randomised trials',
  'umbrella-review': 'reviews of randomised trials',
  rct: 'randomised trials',
  guideline: 'guidelines',
  'position-stand': 'position statements of professional societies',
  authority: 'statements of public authorities',
  cohort: 'observational studies',
  'case-reports': 'case reports',
};
