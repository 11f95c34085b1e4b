/**
 * Assesses one question (supplement, outcome, population) from its findings: the newest sound review that rates certainty
 * decides, later large trials move it, and without such a review the rules of finding-certainty.ts do. Pure.
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

/** The direction of a finding, seen from the supplement. */
export const DIRECTIONS: Readonly<Record<Finding['direction'], DirectionCode>> = {
  better: 'positive',
  no_difference: 'null',
  worse: 'negative',
  unclear: 'unclear',
};

const INACTIVE = /^(placebo|nothing|usual-care|placebo-or-nothing|no supplement|)$/;
/** Compared with another treatment or dose, a supplement says nothing on what it does by itself. */
const isCompared = ({ comparator }: Finding): boolean => !INACTIVE.test(comparator);

const rankOf = (certainty: Certainty): number => CERTAINTIES.indexOf(certainty);
const IMPORTANCE = ['critical', 'important', 'surrogate', 'harm'];
const remark = (code: FindingReasonCode): OutcomeReason => ({ code, ...FINDING_REASONS[code] });

interface Rated {
  readonly finding: Finding;
  readonly rating: RatedFinding;
}

/**
 * What people care about comes before measurements that stand for it, even where it says nothing ("very uncertain"); then by
 * importance, certainty and the authors' own order.
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
  /** How many studies it pools; 0 where that is not stated. */
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

/** The newest, unless an older one of the last years holds far more people. */
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

/** Whether a study only measured what stands for the outcome that people care about. */
const isStandIn = ({ findings }: Study): boolean => findings.every(({ importance }) => importance === 'surrogate');

/**
 * Without a rated review: the newest guideline or position statement that points somewhere; else reviews and large trials before
 * small ones, those that point somewhere first, what people care about before measurements that stand for it, and among them the one with most
 * people; where their number is equal or unknown,
 * the surest, then the one of most studies. A single trial leaves the lead to a guideline that is newer and finds the evidence insufficient, as its panel has
 * weighed that trial.
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
  /** Ids of sources in the corpus by reference (`pmid:…`, `doi:…`). */
  readonly sourceIds: ReadonlyMap<string, string>;
}

const rate = (finding: Finding, all: readonly Finding[], { isMeasurement }: FindingQuestion): Rated => ({
  finding,
  rating:
    finding.certainty && !finding.doubtful
      ? { certainty: finding.certainty, reasons: [] }
      : certaintyOfFinding(finding, all, isMeasurement),
});

/** Direction of a study on the question: that of its lead, or the majority among equals; mixed when equals contradict. */
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
  // The rest of the answer, its size above all, belongs to a finding that points the same way.
  const carrier = rated.find(({ finding }) => DIRECTIONS[finding.direction] === direction) ?? lead;
  return {
    lead: carrier,
    direction,
    certainty: carrier.rating.certainty,
    reasons: [...carrier.rating.reasons, ...(differ ? [remark('outcomes_differ')] : [])],
  };
};

const isDefinite = (direction: DirectionCode): boolean => direction !== 'unclear' && direction !== 'mixed';

/** What one later study makes of the answer so far. */
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

/** Later trials of 1,000 people or more, and later reviews with more people, each may move what a rated review says. */
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

/** The surest of the pages of authorities that point somewhere; one that misses evidence where none does. */
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
 * Whether an authority's word leads rather than what studies add up to: where there are none, where it tells of harm and the
 * question is safety, and where no review rates the question above very low and the authority is surer.
 */
const isLedByAuthority = (word: Moved, found: Moved | null, isRatedByReview: boolean, isSafety: boolean): boolean => {
  if (!found) return true;
  const isSurer = rankOf(word.certainty) < rankOf(found.certainty);
  if (isSafety) return word.direction === 'negative' && (isSurer || found.direction !== 'negative');
  return !isRatedByReview && isDefinite(word.direction) && isSurer;
};

/** What findings that nobody rated come to where an authority says that there is no difference: neither is the surer word. */
const contestedBy = (word: Moved | null, found: Moved): Moved =>
  word?.direction === 'null' && found.direction === 'positive'
    ? {
        ...found,
        direction: 'mixed',
        certainty: lowerOf(found.certainty, 'low'),
        reasons: [...found.reasons, remark('contested')],
      }
    : found;

/** A trial that saw no harm is no proof of safety: on safety only harm and mixed results point anywhere. */
const onSafety = ({ direction, certainty }: Moved): Pick<Moved, 'direction' | 'certainty'> =>
  direction === 'negative' || direction === 'mixed'
    ? { direction, certainty }
    : { direction: 'unclear', certainty: lowerOf(certainty, 'low') };

/** A statement without a figure takes its size from the largest finding that points the same way. */
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

/** Returns null when the findings compare it with other treatments only, or tell of harm only. */
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
  // What helped together says nothing of a part; what did not help together is the best that is known of it.
  if (isOnlyCombined && combined.some(({ direction }) => direction === 'better')) return null;
  const alone = isOnlyCombined ? combined : answering.filter((finding) => !isCombined(finding));
  const isSafety = question.topic === SAFETY_TOPIC;
  const harms = alone.filter(({ importance }) => importance === 'harm');
  const graded = isSafety ? alone : alone.filter(({ importance }) => importance !== 'harm');
  // A topic such as cancer may hold nothing but harm: then the harm is the answer.
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
