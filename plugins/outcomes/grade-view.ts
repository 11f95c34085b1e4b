/** Grades and their changes in words, for pages. */
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  dayInWords,
  directionView,
  type GradeView,
  groupsInWords,
  type QuestionGrades,
} from '#plugins/evidence/index.ts';
import type { GradeChange } from './changes.ts';
import { gapsOf } from './gaps.ts';
import type { OpenTrial } from './grading/figures.ts';
import type { Magnitude } from './grading/magnitude.ts';
import { CERTAINTY_MEANINGS, type Certainty, type MagnitudeLevel, MEASURES, type SizeLimit } from './grading/method.ts';
import { figureInWords } from './grading/stated-sizes.ts';
import type { OutcomeGrade } from './read-grades.ts';
import type { OutcomeServices } from './services.ts';
import { whatWouldChange } from './what-would-change.ts';

export const CERTAINTY_WORDS: Readonly<Record<Certainty, string>> = {
  high: 'High',
  moderate: 'Moderate',
  low: 'Low',
  very_low: 'Very low',
};

const SIZE_WORDS: Readonly<Record<MagnitudeLevel, string>> = {
  large: 'Large',
  moderate: 'Moderate',
  small: 'Small',
  none: 'None or trivial',
  // A figure may be stated all the same; what is missing is a name for it.
  not_stated: 'Not rated',
};

const LIMIT_WORDS: Readonly<Record<SizeLimit, (magnitude: Magnitude) => string>> = {
  one_trial: () => 'one trial only',
  one_study: () => 'one study only',
  special_group: ({ effect }) => `measured only in ${groupsInWords(effect?.groups ?? [])}`,
  too_few: () => 'no difference found, but in one study or few people',
};

const isUnscaled = ({ effect }: Magnitude): boolean => effect !== null && MEASURES[effect.measure].scale === 'none';

/** "Difference 1.08 kg, not rated as small or large": a figure in a unit of its own is shown instead of a level. */
const unscaledInWords = ({ effect }: Magnitude): string => {
  const figure = effect ? figureInWords(effect) : '';
  return `${figure.charAt(0).toUpperCase()}${figure.slice(1)}, not rated as small or large`;
};

const notRated = (magnitude: Magnitude, direction: string): string => {
  const { limits } = magnitude;
  if (direction === 'mixed') return `${SIZE_WORDS.not_stated}: the results differ`;
  if (!limits.length) return isUnscaled(magnitude) ? unscaledInWords(magnitude) : SIZE_WORDS.not_stated;
  const reasons = limits.map((limit) => LIMIT_WORDS[limit](magnitude));
  // What found no difference is not held up by its unit.
  if (isUnscaled(magnitude) && !limits.includes('too_few')) reasons.push('its unit has no scale of small and large');
  return `${SIZE_WORDS.not_stated}: ${reasons.join('; ')}`;
};

/**
 * "Small", "Moderate, one trial only", "Not rated: measured only in infants". A page prints the figure itself beside it, so
 * this never says that none is stated.
 */
export const sizeInWords = (magnitude: Magnitude, direction: string): string => {
  const { level, limits } = magnitude;
  if (level === 'not_stated') return notRated(magnitude, direction);
  const why = limits.map((limit) => LIMIT_WORDS[limit](magnitude)).join('; ');
  return why ? `${SIZE_WORDS[level]}, ${why}` : SIZE_WORDS[level];
};

/** Each reason once: a cap may say what a downgrade said. */
const reasonsOf = ({ reasons, caps }: OutcomeGrade): string[] => [
  ...new Set([...reasons.map(({ text }) => text), ...caps.map(({ reason }) => reason)]),
];

/** The register's words for a trial that may still bring a result. */
const STATUS_WORDS: Readonly<Record<string, string>> = {
  NOT_YET_RECRUITING: 'not yet recruiting',
  RECRUITING: 'recruiting',
  ENROLLING_BY_INVITATION: 'enrolling by invitation',
  ACTIVE_NOT_RECRUITING: 'under way, no longer recruiting',
};

const figures = new Intl.NumberFormat('en-GB');

/** "recruiting, 120 people, starts 2025". */
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

/** A page has no clock: how old a study is counts from the year in which the grade was made. */
const yearOf = ({ graded_at: at }: OutcomeGrade): number => Number(at.slice(0, 4));

const changeView = (grade: OutcomeGrade): Pick<GradeView, 'lacking' | 'trials' | 'moreTrials'> => {
  const { lacking, trials } = whatWouldChange(grade, yearOf(grade));
  return { lacking: [...lacking], ...trialsView(trials) };
};

export const gradeView = (grade: OutcomeGrade): GradeView => ({
  level: grade.certainty,
  word: CERTAINTY_WORDS[grade.certainty],
  meaning: CERTAINTY_MEANINGS[grade.certainty],
  direction: directionView(grade.direction),
  size: sizeInWords(grade.magnitude, grade.direction),
  sizeBasis: grade.magnitude.basis,
  people: grade.people,
  reasons: reasonsOf(grade),
  ...changeView(grade),
});

const wordOf = (words: Readonly<Record<string, string>>, code: string): string => words[code] ?? code;
const inBrief = ({ certainty, direction, magnitude }: GradeChange['old']): string =>
  `certainty ${wordOf(CERTAINTY_WORDS, certainty).toLowerCase()}, direction ${directionView(direction).word.toLowerCase()}, size ${wordOf(SIZE_WORDS, magnitude).toLowerCase()}`;

/** "From certainty low, … to certainty very low, …. Retracted: …" */
export const changeInWords = ({ old, new: now, reason }: GradeChange): string =>
  now ? `From ${inBrief(old)} to ${inBrief(now)}. ${reason}` : `No longer graded; it was ${inBrief(old)}. ${reason}`;

const SHOWN_CHANGES = 8;
const DIGESTS = 'select vertical, digest from outcome_grade';

/** What the page of a question shows of its grade. */
export const questionGrades = ({ ofVertical, history, level }: OutcomeServices): QuestionGrades => ({
  level,
  of: async (em, vertical) => {
    const grade = await ofVertical(vertical, em);
    if (!grade) return null;
    const changes = (await history(vertical, em)).slice(0, SHOWN_CHANGES);
    return {
      grade: gradeView(grade),
      history: changes.map((change) => ({ day: dayInWords(change.at), text: changeInWords(change) })),
      gaps: gapsOf({ topic: grade.topic_slug, figures: grade.figures }, yearOf(grade)).map(({ text }) => text),
    };
  },
  digests: async (em: EntityManager) => {
    const rows = (await em.execute(DIGESTS)) as unknown as readonly { vertical: string; digest: string }[];
    return new Map(rows.map(({ vertical, digest }) => [vertical, digest]));
  },
});
