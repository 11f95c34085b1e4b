/**
 * Finds the evidence gaps of a question from the figures of its grade, and the registered trials that would fill them. Pure
 * functions.
 */

import { groupsInWords } from '#plugins/evidence/index.ts';
import type { OpenTrial, OutcomeFigures } from './grading/figures.ts';
import { groupsApart } from './grading/groups-apart.ts';
import { LIMITS } from './grading/method.ts';
import type { OutcomeGrade } from './read-grades.ts';
import { topicKind } from './topic-kinds.ts';

export const GAP_REASONS = ['no_rct', 'small_n', 'old', 'conflicting', 'no_population', 'only_registered'] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** Minimum number of people of a trial that can fill a gap of small trials. */
export const SMALL_TRIAL = 100;
export const OLD_YEARS = 10;

/** Number of years after its start for which a trial without a status is assumed to be running. */
export const OPEN_YEARS = 5;

const mayRun = ({ status, year }: OpenTrial, thisYear: number): boolean =>
  status !== '' || (year !== null && thisYear - year <= OPEN_YEARS);

export interface Gap {
  readonly reason: GapReason;
  readonly text: string;
  /** Figures behind the reason, by name. */
  readonly numbers: Readonly<Record<string, number | null>>;
  readonly trials: readonly OpenTrial[];
}

const figures = new Intl.NumberFormat('en-GB');

type Found = Omit<Gap, 'reason' | 'trials'> | null;

/** Reports missing trials. Observational studies show harm as well as trials do; for benefits, only trials count. */
const noTrial = (
  { sources, counted, randomised_trials, reviews, observational, only_listed }: OutcomeFigures,
  safety: boolean,
): Found => {
  if (!sources || randomised_trials || reviews || (safety && observational)) return null;
  const numbers = { randomised_trials, reviews, sources_in_people: counted, ...(only_listed && { only_listed }) };
  const where = only_listed ? 'has been read for this base' : 'is in this base';
  return safety
    ? {
        text: `No randomised trial, no review and no study that followed people ${where}, so ${only_listed ? 'little is known here of harm' : 'harm was hardly looked for'}.`,
        numbers: { ...numbers, observational },
      }
    : { text: `No randomised trial with results and no review of trials ${where}.`, numbers };
};

const sizesInWords = (trials: number, largest: number, isAll: boolean): string =>
  trials === 1
    ? `The only trial${isAll ? '' : ' that was read here'} is small: it had ${figures.format(largest)} people.`
    : `The trials are small: the largest of known size had ${figures.format(largest)} people.`;

const smallTrials = (of: OutcomeFigures, safety: boolean): Found => {
  const { randomised_trials, reviews, largest_trial, people, observational } = of;
  if (!randomised_trials || reviews || (safety && observational)) return null;
  if (largest_trial === null || largest_trial >= SMALL_TRIAL) return null;
  return {
    text: `${sizesInWords(randomised_trials, largest_trial, !of.only_listed)}${safety ? ' Only harm that many people get shows in so few.' : ''}`,
    numbers: { randomised_trials, largest_trial, people: people.count, limit: SMALL_TRIAL },
  };
};

const oldStudies = ({ newest_year }: OutcomeFigures, thisYear: number): Found =>
  newest_year !== null && thisYear - newest_year > OLD_YEARS
    ? {
        text: `The newest study in people is from ${newest_year}.`,
        numbers: { newest_year, years: thisYear - newest_year, limit: OLD_YEARS },
      }
    : null;

const DISAGREE = 'The sources disagree: no direction has two thirds of their weight.';
const MIXED = 'The studies mostly report mixed results in themselves, so no direction has two thirds of the weight.';

/**
 * Reports conflicting findings. On safety, neither "no difference" nor a favourable result is a verdict, so findings of harm have
 * nothing to conflict with.
 */
const conflict = ({ agreement, judged, weights }: OutcomeFigures, safety: boolean): Found => {
  const { positive, null: none, negative, mixed } = weights;
  if (safety || judged < 2 || !(positive + none + negative + mixed) || agreement >= LIMITS.lead) return null;
  const sides = [positive, none, negative].filter((weight) => weight > 0).length;
  return {
    text: sides > 1 ? DISAGREE : MIXED,
    numbers: { agreement, judged, positive, null: none, negative, mixed },
  };
};

const noPopulation = (of: OutcomeFigures): Found => {
  const { counted, not_in_people, with_population, only_groups, only_listed } = of;
  const numbers = { sources_in_people: counted, not_in_people, with_population };
  if (!counted && not_in_people && !only_listed)
    return { text: 'No study with results is known to be in people.', numbers };
  if (counted && !with_population) return { text: 'No study in people says who was studied.', numbers };
  return only_groups.length
    ? { text: `In this base it was studied only in ${groupsInWords(only_groups)}, and not in other people.`, numbers }
    : null;
};

const onlyRegistered = ({ sources, registered }: OutcomeFigures): Found =>
  sources && sources === registered
    ? { text: 'Trials are registered, and no result is in this base.', numbers: { registered } }
    : null;

interface Asked {
  readonly topic: string;
  readonly figures: OutcomeFigures;
}

/**
 * Returns whether a trial includes other people than the groups already studied; a trial in those groups does not fill the gap.
 */
const isInOthers = ({ title }: OpenTrial, { topic, figures: of }: Asked): boolean =>
  !of.only_groups.length || !groupsApart(topic, title).length;

const FILLS: Readonly<Record<GapReason, (trial: OpenTrial, asked: Asked) => boolean>> = {
  no_rct: ({ randomised }) => randomised !== false,
  small_n: ({ randomised, people }) => randomised !== false && (people ?? 0) >= SMALL_TRIAL,
  old: () => true,
  conflicting: ({ randomised, people }) => randomised !== false && (people ?? 0) >= SMALL_TRIAL,
  no_population: isInOthers,
  only_registered: () => true,
};

/** Returns registered trials on the question that are planned or running, newest first. */
export const openTrialsOf = ({ figures: of }: Asked, thisYear: number): readonly OpenTrial[] =>
  of.open_trials.filter((trial) => mayRun(trial, thisYear));

/** Returns the gaps of one question, in the order of GAP_REASONS. */
export const gapsOf = (asked: Asked, thisYear: number): readonly Gap[] => {
  const of = asked.figures;
  const safety = topicKind(asked.topic) === 'safety';
  const found: Readonly<Record<GapReason, Found>> = {
    no_rct: noTrial(of, safety),
    small_n: smallTrials(of, safety),
    old: oldStudies(of, thisYear),
    conflicting: conflict(of, safety),
    no_population: noPopulation(of),
    only_registered: onlyRegistered(of),
  };
  const ongoing = openTrialsOf(asked, thisYear);
  return GAP_REASONS.flatMap((reason) => {
    const gap = found[reason];
    return gap ? [{ reason, ...gap, trials: ongoing.filter((trial) => FILLS[reason](trial, asked)) }] : [];
  });
};

/**
 * Compares by number of sources (descending), because readers ask most about well-studied questions; questions on levels of the
 * supplement itself come last.
 */
export const byInterest = (a: OutcomeGrade, b: OutcomeGrade): number => {
  const isOwnLevel = ({ topic_slug }: OutcomeGrade): number => Number(topicKind(topic_slug) === 'own_level');
  return isOwnLevel(a) - isOwnLevel(b) || b.source_count - a.source_count || (a.vertical < b.vertical ? -1 : 1);
};
