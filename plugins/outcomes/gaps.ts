/** What is missing on a question, from the figures of its grade, and which registered trials would fill it. Pure. */
import type { OpenTrial, OutcomeFigures } from './grading/figures.ts';
import { LIMITS } from './grading/method.ts';

export const GAP_REASONS = ['no_rct', 'small_n', 'old', 'conflicting', 'no_population', 'only_registered'] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** A trial below this size cannot fill a gap of small trials. */
export const SMALL_TRIAL = 100;
export const OLD_YEARS = 10;

/** A record without a status is taken for a trial under way this long after its start. */
export const OPEN_YEARS = 5;

const mayRun = ({ status, year }: OpenTrial, thisYear: number): boolean =>
  status !== '' || (year !== null && thisYear - year <= OPEN_YEARS);

export interface Gap {
  readonly reason: GapReason;
  readonly text: string;
  /** The numbers behind the reason, by name. */
  readonly numbers: Readonly<Record<string, number | null>>;
  readonly trials: readonly OpenTrial[];
}

const figures = new Intl.NumberFormat('en-GB');

type Found = Omit<Gap, 'reason' | 'trials'> | null;

const noTrial = ({ sources, counted, randomised_trials, reviews }: OutcomeFigures): Found =>
  sources && !randomised_trials && !reviews
    ? {
        text: 'No randomised trial with results and no review of trials is in this base.',
        numbers: { randomised_trials, reviews, sources_in_people: counted },
      }
    : null;

const smallTrials = ({ randomised_trials, reviews, largest_trial, people }: OutcomeFigures): Found =>
  randomised_trials && !reviews && largest_trial !== null && largest_trial < SMALL_TRIAL
    ? {
        text: `The trials are small: the largest of known size had ${figures.format(largest_trial)} people.`,
        numbers: { randomised_trials, largest_trial, people: people.count, limit: SMALL_TRIAL },
      }
    : null;

const oldStudies = ({ newest_year }: OutcomeFigures, thisYear: number): Found =>
  newest_year !== null && thisYear - newest_year > OLD_YEARS
    ? {
        text: `The newest study in people is from ${newest_year}.`,
        numbers: { newest_year, years: thisYear - newest_year, limit: OLD_YEARS },
      }
    : null;

const conflict = ({ agreement, judged, weights }: OutcomeFigures): Found => {
  const { positive, null: none, negative, mixed } = weights;
  if (judged < 2 || !(positive + none + negative + mixed) || agreement >= LIMITS.lead) return null;
  return {
    text: 'The sources disagree: no direction has two thirds of their weight.',
    numbers: { agreement, judged, positive, null: none, negative, mixed },
  };
};

const noPopulation = ({ counted, not_in_people, with_population }: OutcomeFigures): Found => {
  const numbers = { sources_in_people: counted, not_in_people, with_population };
  if (!counted && not_in_people) return { text: 'No study with results is known to be in people.', numbers };
  return counted && !with_population ? { text: 'No study in people says who was studied.', numbers } : null;
};

const onlyRegistered = ({ sources, registered }: OutcomeFigures): Found =>
  sources && sources === registered
    ? { text: 'Trials are registered, and no result is in this base.', numbers: { registered } }
    : null;

const FILLS: Readonly<Record<GapReason, (trial: OpenTrial) => boolean>> = {
  no_rct: ({ randomised }) => randomised !== false,
  small_n: ({ randomised, people }) => randomised !== false && (people ?? 0) >= SMALL_TRIAL,
  old: () => true,
  conflicting: ({ randomised, people }) => randomised !== false && (people ?? 0) >= SMALL_TRIAL,
  no_population: () => true,
  only_registered: () => true,
};

/** Gaps of one question in the order of GAP_REASONS. */
export const gapsOf = (of: OutcomeFigures, thisYear: number): readonly Gap[] => {
  const found: Readonly<Record<GapReason, Found>> = {
    no_rct: noTrial(of),
    small_n: smallTrials(of),
    old: oldStudies(of, thisYear),
    conflicting: conflict(of),
    no_population: noPopulation(of),
    only_registered: onlyRegistered(of),
  };
  const ongoing = of.open_trials.filter((trial) => mayRun(trial, thisYear));
  return GAP_REASONS.flatMap((reason) => {
    const gap = found[reason];
    return gap ? [{ reason, ...gap, trials: ongoing.filter(FILLS[reason]) }] : [];
  });
};
