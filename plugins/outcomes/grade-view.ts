/** Describes grades and their changes in words, for pages. */
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  dayInWords,
  directionView,
  type GradedQuestion,
  type GradeView,
  type QuestionGrades,
} from '#plugins/evidence/index.ts';
import type { FindingBook } from '#plugins/findings/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { assessmentView, findingsById, toldDirection } from './assessment-view.ts';
import type { GradeChange } from './changes.ts';
import { gapsOf } from './gaps.ts';
import { CERTAINTY_WORDS, SIZE_WORDS, sizeInWords } from './grade-words.ts';
import type { OpenTrial } from './grading/figures.ts';
import { CERTAINTY_MEANINGS } from './grading/method.ts';
import { nameOfPopulation } from './population-name.ts';
import type { OutcomeGrade } from './read-grades.ts';
import type { OutcomeServices } from './services.ts';
import { whatWouldChange } from './what-would-change.ts';

/** Replaces the direction of a question that has not been assessed. */
export const NOT_ASSESSED_DIRECTION = { code: 'unclear', word: 'Not assessed' };

/** Lists each reason once: a cap may repeat the reason of a downgrade. */
const reasonsOf = ({ reasons, caps }: OutcomeGrade): string[] => [
  ...new Set([...reasons.map(({ text }) => text), ...caps.map(({ reason }) => reason)]),
];

/** Words for the register's statuses of trials that may still produce results. */
const STATUS_WORDS: Readonly<Record<string, string>> = {
  NOT_YET_RECRUITING: 'not yet recruiting',
  RECRUITING: 'recruiting',
  ENROLLING_BY_INVITATION: 'enrolling by invitation',
  ACTIVE_NOT_RECRUITING: 'under way, no longer recruiting',
};

const figures = new Intl.NumberFormat('en-GB');

/** Describes a trial, such as "recruiting, 120 people, start 2025". */
const stateOf = ({ status, people, year }: OpenTrial): string =>
  [
    STATUS_WORDS[status] ?? 'status not in our record',
    people === null ? '' : `${figures.format(people)} ${people === 1 ? 'person' : 'people'}`,
    year === null ? '' : `start ${year}`,
  ]
    .filter(Boolean)
    .join(', ');

const SHOWN_TRIALS = 5;

const trialsView = (trials: readonly OpenTrial[]): Pick<GradeView, 'trials' | 'moreTrials'> => ({
  trials: trials.slice(0, SHOWN_TRIALS).map((trial) => ({
    id: trial.nct_id,
    href: `https://clinicaltrials.gov/study/${trial.nct_id}`,
    title: trial.title,
    state: stateOf(trial),
  })),
  moreTrials: Math.max(0, trials.length - SHOWN_TRIALS),
});

/** Returns the year in which the grade was made. Pages use it instead of the current time to compute the age of studies. */
const yearOf = ({ graded_at: at }: OutcomeGrade): number => Number(at.slice(0, 4));

const changeView = (grade: OutcomeGrade): Pick<GradeView, 'lacking' | 'trials' | 'moreTrials'> => {
  const { lacking, trials } = whatWouldChange(grade, yearOf(grade));
  return { lacking: [...lacking], ...trialsView(trials) };
};

/** Builds the view of an unassessed question, which has neither direction nor certainty. */
const notAssessedView = (grade: OutcomeGrade): GradeView => ({
  level: 'not_assessed',
  word: 'Not assessed',
  meaning: grade.caps[0]?.reason ?? 'Nobody has assessed this question here.',
  population: '',
  direction: NOT_ASSESSED_DIRECTION,
  size: SIZE_WORDS.not_stated,
  sizeBasis: '',
  people: grade.people,
  reasons: reasonsOf(grade),
  ...changeView(grade),
});

const gradedView = (grade: OutcomeGrade, terms: Terms): GradeView => ({
  level: grade.certainty,
  word: CERTAINTY_WORDS[grade.certainty],
  meaning: CERTAINTY_MEANINGS[grade.certainty],
  population: grade.assessments[0] ? nameOfPopulation(grade.assessments[0].population, terms) : '',
  direction: toldDirection(grade),
  size: sizeInWords(grade.magnitude, grade.direction),
  sizeBasis: grade.magnitude.basis,
  people: grade.people,
  reasons: reasonsOf(grade),
  ...changeView(grade),
});

export const gradeView = (grade: OutcomeGrade, terms: Terms): GradeView =>
  grade.assessed ? gradedView(grade, terms) : notAssessedView(grade);

const wordOf = (words: Readonly<Record<string, string>>, code: string): string => words[code] ?? code;
const inBrief = ({ certainty, direction, magnitude }: GradeChange['old']): string =>
  `certainty ${wordOf(CERTAINTY_WORDS, certainty).toLowerCase()}, direction ${directionView(direction).word.toLowerCase()}, size ${wordOf(SIZE_WORDS, magnitude).toLowerCase()}`;

/** Describes a change, such as "From certainty low, … to certainty very low, …. Retracted: …". */
export const changeInWords = ({ old, new: now, reason }: GradeChange): string =>
  now ? `From ${inBrief(old)} to ${inBrief(now)}. ${reason}` : `No longer graded; it was ${inBrief(old)}. ${reason}`;

const SHOWN_CHANGES = 8;
const GRADED = `select vertical, supplement_slug as supplement, topic_slug as topic, assessed, digest,
  to_char(graded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "gradedAt" from outcome_grade`;

export interface KnownWords {
  terms(): Promise<Terms>;
  book(): Promise<FindingBook>;
}

/** Builds the service that supplies the grade shown on a question page. */
export const questionGrades = (
  { ofVertical, history, level }: OutcomeServices,
  { terms: readTerms, book: readBook }: KnownWords,
): QuestionGrades => ({
  level,
  of: async (em, vertical) => {
    const grade = await ofVertical(vertical, em);
    if (!grade) return null;
    const changes = (await history(vertical, em)).slice(0, SHOWN_CHANGES);
    const terms = await readTerms();
    const known = { terms, byId: findingsById(await readBook()) };
    return {
      grade: gradeView(grade, terms),
      assessments: grade.assessments.map((assessment) => assessmentView(assessment, known)),
      history: changes.map((change) => ({ day: dayInWords(change.at), text: changeInWords(change) })),
      gaps: gapsOf({ topic: grade.topic_slug, figures: grade.figures }, yearOf(grade)).map(({ text }) => text),
    };
  },
  graded: async (em: EntityManager) => {
    const rows = (await em.execute(GRADED)) as unknown as readonly (GradedQuestion & { vertical: string })[];
    return new Map(rows.map(({ vertical, ...graded }) => [vertical, graded]));
  },
});
