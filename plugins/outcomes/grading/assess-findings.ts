/**
 * Assesses one question (supplement, outcome, population) from its findings: the newest sound review that rates certainty
 * decides, and later large trials adjust its result. Without such a review, the rules of finding-certainty.ts apply. Pure
 * functions.
 */
import type { DirectionCode } from '#plugins/evidence/index.ts';
import { type Finding, isCombined } from '#plugins/findings/index.ts';
import type { Assessment, OutcomeLine, OutcomeReason } from './assessment.ts';
import {
  certaintyOfFinding,
  isConsensus,
  isReview,
  lowered,
  lowerOf,
  peopleBehind,
  type RatedFinding,
  settled,
} from './finding-certainty.ts';
import { magnitudeOfFinding } from './finding-magnitude.ts';
import {
  CERTAINTIES,
  type Certainty,
  FINDING_LIMITS,
  FINDING_REASONS,
  type FindingReasonCode,
  SAFETY_TOPIC,
} from './method.ts';
import { poolFindings } from './pool-findings.ts';
import type { Population } from './population.ts';

/** Maps the direction of a finding to a direction code, seen from the supplement. */
export const DIRECTIONS: Readonly<Record<Finding['direction'], DirectionCode>> = {
  better: 'positive',
  no_difference: 'null',
  worse: 'negative',
  unclear: 'unclear',
};

const INACTIVE = /^(placebo|nothing|usual-care|placebo-or-nothing|no supplement|)$/;
/**
 * Returns whether the comparator is active: a comparison with another treatment or dose does not show the effect of the
 * supplement itself.
 */
const isCompared = ({ comparator }: Finding): boolean => !INACTIVE.test(comparator);

const rankOf = (certainty: Certainty): number => CERTAINTIES.indexOf(certainty);
const IMPORTANCE = ['critical', 'important', 'surrogate', 'harm'];
const remark = (code: FindingReasonCode): OutcomeReason => ({ code, ...FINDING_REASONS[code] });

interface Rated {
  readonly finding: Finding;
  readonly rating: RatedFinding;
}

/**
 * Orders findings for the choice of the lead: outcomes that people care about come before surrogates, and findings that are
 * unclear with very low certainty come after definite ones; then by importance, by certainty and by the authors' own order.
 */
const compareLeads = (a: Rated, b: Rated): number => {
  const turn = ({ finding, rating }: Rated): number => {
    if (finding.importance === 'surrogate') return 2;
    return Number(finding.direction === 'unclear' && rating.certainty === 'very_low');
  };
  return (
    turn(a) - turn(b) ||
    IMPORTANCE.indexOf(a.finding.importance) - IMPORTANCE.indexOf(b.finding.importance) ||
    Number(a.finding.direction === 'unclear') - Number(b.finding.direction === 'unclear') ||
    rankOf(a.rating.certainty) - rankOf(b.rating.certainty)
  );
};

/** The findings of one source on the question. */
interface Study {
  readonly source: string;
  readonly year: number;
  readonly people: number;
  /** Number of studies that the source pools; 0 when it is not stated. */
  readonly studies: number;
  readonly isRated: boolean;
  readonly isReview: boolean;
  readonly findings: readonly Finding[];
}

const toStudies = (findings: readonly Finding[]): readonly Study[] =>
  [...Map.groupBy(findings, ({ source }) => source)].map(([source, mine]) => ({
    source,
    year: Math.max(...mine.map(({ year }) => year ?? 0)),
    people: Math.max(...mine.map((finding) => peopleBehind(finding) ?? 0)),
    studies: Math.max(...mine.map(({ studies }) => studies ?? 0)),
    isRated: mine.some((finding) => finding.certainty !== '' && !finding.doubtful && !IS_AUTHORITY(finding)),
    isReview: mine.some((finding) => isReview(finding) || isConsensus(finding)),
    findings: mine,
  }));

const newestFirst = (a: Study, b: Study): number =>
  b.year - a.year || b.people - a.people || (a.source < b.source ? -1 : 1);

/** Returns the newest study, unless an older one within `preferredYears` includes at least `larger` times as many people. */
const newestSound = (studies: readonly Study[]): Study | null => {
  const [newest, ...older] = studies.toSorted(newestFirst);
  if (!newest) return null;
  const larger = older.find(
    ({ year, people }) =>
      newest.year - year <= FINDING_LIMITS.preferredYears &&
      newest.people > 0 &&
      people >= newest.people * FINDING_LIMITS.larger,
  );
  return larger ?? newest;
};

const IS_AUTHORITY = ({ design }: Finding): boolean => design === 'authority';

const IS_TRIAL = ({ findings }: Study): boolean => findings.every(({ design }) => design === 'rct');

/** Returns whether a study measured surrogate outcomes only. */
const isStandIn = ({ findings }: Study): boolean => findings.every(({ importance }) => importance === 'surrogate');

/**
 * Chooses the leading study when no rated review exists. The newest guideline or position statement with a definite direction
 * wins. Otherwise reviews and large trials precede small trials, studies with a definite direction precede the others, and
 * outcomes that people care about precede surrogates; among those, the study with most people wins. When the numbers of people
 * are equal or unknown, the one with the highest certainty wins, then the one that pools most studies. A newer guideline that
 * finds the evidence insufficient overrides a single leading trial, because its panel has already weighed that trial.
 */
const strongest = (given: readonly Study[], certaintyOf: (study: Study) => number): Study | null => {
  const definite = given.filter(({ findings }) => findings.some(({ direction }) => direction !== 'unclear'));
  const studies = definite.length ? definite : given;
  const [consensus] = definite.filter(({ findings }) => findings.every(isConsensus)).toSorted(newestFirst);
  if (consensus) return consensus;
  const byWeight = (a: Study, b: Study): number =>
    Number(isStandIn(a)) - Number(isStandIn(b)) ||
    b.people - a.people ||
    certaintyOf(a) - certaintyOf(b) ||
    b.studies - a.studies ||
    newestFirst(a, b);
  const largeTrials = studies.filter((study) => IS_TRIAL(study) && study.people >= FINDING_LIMITS.largeTrial);
  const reviews = studies.filter(({ isReview: is }) => is);
  const pool = reviews.length || largeTrials.length ? [...reviews, ...largeTrials] : studies;
  const heaviest = pool.toSorted(byWeight)[0] ?? null;
  const [panel] = given.filter(({ findings }) => findings.every(isConsensus)).toSorted(newestFirst);
  return heaviest && panel && IS_TRIAL(heaviest) && panel.year > heaviest.year ? panel : heaviest;
};

export interface FindingQuestion {
  readonly topic: string;
  readonly isMeasurement: boolean;
  /** Source ids in the corpus by reference (`pmid:…`, `doi:…`). */
  readonly sourceIds: ReadonlyMap<string, string>;
}

const rate = (finding: Finding, all: readonly Finding[], { isMeasurement }: FindingQuestion): Rated => ({
  finding,
  rating:
    finding.certainty && !finding.doubtful
      ? { certainty: finding.certainty, reasons: [] }
      : certaintyOfFinding(finding, all, isMeasurement),
});

/**
 * Returns the direction of a study on the question: the direction of its lead finding, or the majority among findings of equal
 * importance and certainty; `mixed` when those contradict each other.
 */
const directionAmong = (rated: readonly Rated[], lead: Rated): DirectionCode => {
  const equals = rated.filter(
    ({ finding, rating }) =>
      finding.importance === lead.finding.importance &&
      rating.certainty === lead.rating.certainty &&
      finding.direction !== 'unclear',
  );
  const count = (direction: Finding['direction']): number =>
    equals.filter(({ finding }) => finding.direction === direction).length;
  if (count('better') && count('worse')) return 'mixed';
  const [first] = (['better', 'no_difference', 'worse'] as const).toSorted((a, b) => count(b) - count(a));
  const mine = lead.finding.direction;
  return DIRECTIONS[first && count(first) > count(mine) ? first : mine];
};

interface Moved {
  readonly lead: Rated;
  readonly direction: DirectionCode;
  readonly certainty: Certainty;
  readonly reasons: readonly OutcomeReason[];
}

const leadOf = (study: Study, all: readonly Finding[], question: FindingQuestion): Moved | null => {
  const rated = study.findings.map((finding) => rate(finding, all, question)).toSorted(compareLeads);
  const [lead] = rated;
  if (!lead) return null;
  const direction = directionAmong(rated, lead);
  const differ = direction === 'mixed' || direction !== DIRECTIONS[lead.finding.direction];
  // The remaining fields of the answer, above all the effect size, must come from a finding with the same direction.
  const carrier = rated.find(({ finding }) => DIRECTIONS[finding.direction] === direction) ?? lead;
  return {
    lead: carrier,
    direction,
    certainty: carrier.rating.certainty,
    reasons: [...carrier.rating.reasons, ...(differ ? [remark('outcomes_differ')] : [])],
  };
};

const isDefinite = (direction: DirectionCode): boolean => direction !== 'unclear' && direction !== 'mixed';

/** Applies one later study to the current answer: it confirms, weakens or replaces the answer. */
const moveByOne = (now: Moved, next: Moved, { isLarger }: { readonly isLarger: boolean }): Moved => {
  const withRemark = (moved: Moved, code: FindingReasonCode): Moved => ({
    ...moved,
    reasons: [...moved.reasons, remark(code)],
  });
  if (!isDefinite(next.direction) || next.lead.finding.importance !== now.lead.finding.importance) return now;
  if (!isDefinite(now.direction)) return withRemark(next, 'later_trial');
  if (next.direction === now.direction) {
    const confirms = next.lead.finding.bias === 'low' && rankOf(now.certainty) >= rankOf('low');
    return confirms ? withRemark({ ...now, certainty: lowered(now.certainty, -1) }, 'later_trial_agrees') : now;
  }
  return isLarger
    ? withRemark(next, 'later_trial')
    : withRemark({ ...now, certainty: lowered(now.certainty, 1) }, 'later_trial_disagrees');
};

/**
 * Applies later studies to the result of a rated review: trials of 1,000 people or more, and reviews that include more people
 * than it did.
 */
const moveByLater = (
  anchor: Study,
  start: Moved,
  studies: readonly Study[],
  question: FindingQuestion,
  all: readonly Finding[],
): Moved => {
  const later = studies
    .filter(
      (study) =>
        study.source !== anchor.source &&
        study.year > anchor.year &&
        study.people >= FINDING_LIMITS.largeTrial &&
        (IS_TRIAL(study) || study.people > anchor.people),
    )
    .toSorted((a, b) => a.year - b.year);
  let now = start;
  for (const study of later) {
    const next = leadOf(study, all, question);
    if (next) now = moveByOne(now, next, { isLarger: study.people >= anchor.people });
  }
  return now;
};

const toLine = ({ finding, rating }: Rated): OutcomeLine => ({
  finding: finding.id,
  outcome: finding.outcome,
  direction: DIRECTIONS[finding.direction],
  certainty: rating.certainty,
  importance: finding.importance,
});

/** Returns the statement of an authority with the highest certainty, or null when there is none. */
const firstWord = (
  statements: readonly Finding[],
  all: readonly Finding[],
  question: FindingQuestion,
): Moved | null => {
  const [surest] = toStudies(statements)
    .flatMap((study) => leadOf(study, all, question) ?? [])
    .toSorted((a, b) => rankOf(a.certainty) - rankOf(b.certainty));
  return surest ? { ...surest, reasons: [remark('authority')] } : null;
};

/**
 * Returns whether the statement of an authority takes precedence over the studies: when there are no studies; on safety, when it
 * reports harm and either has higher certainty or the studies do not report harm; and otherwise when no review rates the question
 * above very low and the statement is definite and has higher certainty.
 */
const isLedByAuthority = (word: Moved, found: Moved | null, isRatedByReview: boolean, isSafety: boolean): boolean => {
  if (!found) return true;
  const isSurer = rankOf(word.certainty) < rankOf(found.certainty);
  if (isSafety) return word.direction === 'negative' && (isSurer || found.direction !== 'negative');
  return !isRatedByReview && isDefinite(word.direction) && isSurer;
};

/**
 * Combines unrated positive findings with an authority that reports no difference: the direction becomes mixed and the certainty
 * low at most, because neither is more reliable than the other.
 */
const contestedBy = (word: Moved | null, found: Moved): Moved =>
  word?.direction === 'null' && found.direction === 'positive'
    ? {
        ...found,
        direction: 'mixed',
        certainty: lowerOf(found.certainty, 'low'),
        reasons: [...found.reasons, remark('contested')],
      }
    : found;

/**
 * Restricts a safety result to harm and mixed results: a trial that observed no harm does not prove safety, so any other
 * direction becomes unclear.
 */
const onSafety = ({ direction, certainty }: Moved): Pick<Moved, 'direction' | 'certainty'> =>
  direction === 'negative' || direction === 'mixed'
    ? { direction, certainty }
    : { direction: 'unclear', certainty: lowerOf(certainty, 'low') };

/**
 * Returns the finding itself when it has an estimate, otherwise the largest finding with an estimate, the same direction and the
 * same importance.
 */
const withFigure = (lead: Finding, all: readonly Finding[]): Finding => {
  if (lead.estimate !== null) return lead;
  const [largest] = all
    .filter(
      ({ estimate, direction, importance }) =>
        estimate !== null && direction === lead.direction && importance === lead.importance,
    )
    .toSorted((a, b) => (peopleBehind(b) ?? 0) - (peopleBehind(a) ?? 0));
  return largest ?? lead;
};

/**
 * Returns null when every finding compares the supplement with other treatments, or when only combinations were studied and one
 * of them showed a benefit.
 */
export const assessFindings = (
  population: Population,
  given: readonly Finding[],
  question: FindingQuestion,
): Assessment | null => {
  const findings = given.map(settled);
  const compared = findings.filter(isCompared);
  const answering = findings.filter((finding) => !isCompared(finding));
  const isOnlyCombined = answering.every(isCombined);
  const combined = answering.filter(isCombined);
  // A benefit of a combination does not show the effect of one component; a combination without benefit is the best available
  // evidence on it.
  if (isOnlyCombined && combined.some(({ direction }) => direction === 'better')) return null;
  const alone = isOnlyCombined ? combined : answering.filter((finding) => !isCombined(finding));
  const isSafety = question.topic === SAFETY_TOPIC;
  const harms = alone.filter(({ importance }) => importance === 'harm');
  const graded = isSafety ? alone : alone.filter(({ importance }) => importance !== 'harm');
  // A topic such as cancer may have findings of harm only; the answer is then the harm.
  const all = graded.length ? graded : harms;
  const statements = all.filter(IS_AUTHORITY);
  const studied = all.filter((finding) => !IS_AUTHORITY(finding));
  const studies = toStudies(studied);
  const rated = newestSound(studies.filter(({ isRated }) => isRated));
  const isPooledElsewhere = studies.some(({ isReview: is }) => is);
  const pooled = isPooledElsewhere ? [] : toStudies(poolFindings(studied));
  const certaintyOf = (study: Study): number => rankOf(leadOf(study, all, question)?.certainty ?? 'very_low');
  const anchor = rated ?? pooled[0] ?? strongest(studies, certaintyOf);
  const start = anchor && leadOf(anchor, all, question);
  const found = start && rated ? moveByLater(rated, start, studies, question, all) : start;
  const word = firstWord(statements, all, question);
  const isRatedByReview = rated !== null && found?.certainty !== 'very_low';
  const isAuthority = word !== null && isLedByAuthority(word, found, isRatedByReview, isSafety);
  const end = isAuthority ? word : found && contestedBy(isRatedByReview || isSafety ? null : word, found);
  if (!end) return null;
  const { finding } = end.lead;
  const { direction, certainty } = isSafety ? onSafety(end) : end;
  const measured = withFigure(finding, all);
  return {
    population,
    basis: isAuthority ? 'authority' : finding.certainty ? 'review' : 'findings',
    direction,
    certainty,
    magnitude: magnitudeOfFinding(measured, direction, question.sourceIds.get(measured.source) ?? ''),
    summary: finding.summary,
    lead: finding.id,
    people: finding.participants,
    studies: finding.studies,
    outcomes: all
      .map((one) => rate(one, all, question))
      .toSorted(
        (a, b) => Number(b.finding.id === finding.id) - Number(a.finding.id === finding.id) || compareLeads(a, b),
      )
      .map(toLine),
    harms: isSafety ? [] : harms.map(({ id }) => id),
    compared: compared.map(({ id }) => id),
    combined: isOnlyCombined ? [] : combined.map(({ id }) => id),
    reasons: [
      ...(isOnlyCombined ? [remark('only_combined')] : []),
      ...(finding.certainty && !isAuthority
        ? [{ code: 'rated_by_review', steps: 0, text: 'The certainty is the one that the authors of the review gave.' }]
        : []),
      ...end.reasons,
    ],
    caps: [],
  };
};
