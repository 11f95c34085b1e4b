/** Computes the figures behind a grade. */
import { type Group, isOnlyListed, TIERS, type Tier } from '#plugins/evidence/index.ts';
import { groupsApart } from './groups-apart.ts';
import { countPeople, type People, peopleInWords, pooledStudies } from './people.ts';
import { designOf, isInPeople, isPooled, isRegistered, type OutcomeSource, stands } from './source.ts';
import type { VerdictQuestion } from './verdict.ts';
import type { Weighing } from './weigh.ts';

/** Returns the sources that can support a direction: studies in people with stored results that are not retracted. */
export const countedOf = (sources: readonly OutcomeSource[]): readonly OutcomeSource[] =>
  sources.filter((source) => stands(source) && isInPeople(source) && !isRegistered(source) && !isOnlyListed(source));

/** A registered trial that is not known to have ended. */
export interface OpenTrial {
  readonly nct_id: string;
  readonly title: string;
  /** Status in the register, such as `RECRUITING`; "" when our record has none. */
  readonly status: string;
  /** Year in which the trial starts. */
  readonly year: number | null;
  /** Null when our record does not say. */
  readonly randomised: boolean | null;
  /** Planned or actual number. */
  readonly people: number | null;
}

const UNDER_WAY = ['NOT_YET_RECRUITING', 'RECRUITING', 'ENROLLING_BY_INVITATION', 'ACTIVE_NOT_RECRUITING'];
/** Maximum number of trials listed for one question; the newest are selected. */
const MOST_TRIALS = 100;

const isRandomised = (types: readonly string[]): boolean | null => {
  if (types.includes('Randomized')) return true;
  return types.includes('Clinical Trial') ? null : false;
};

/**
 * Returns trials that are planned or running, and those without a status in their record; excludes completed, terminated and
 * suspended ones.
 */
const openTrials = (sources: readonly OutcomeSource[]): readonly OpenTrial[] =>
  sources
    .filter((source) => stands(source) && isRegistered(source) && source.nctId !== '')
    .map(({ nctId, title, trialStatus, year, publicationTypes, sampleSizeN }) => ({
      nct_id: nctId,
      title,
      status: trialStatus.split(' ').find((word) => /^[A-Z_]+$/.test(word)) ?? '',
      year,
      randomised: isRandomised(publicationTypes),
      people: sampleSizeN,
    }))
    .filter(({ status }) => status === '' || UNDER_WAY.includes(status))
    .sort((a, b) => (b.year ?? 0) - (a.year ?? 0) || (a.nct_id < b.nct_id ? -1 : 1))
    .slice(0, MOST_TRIALS);

/** Observational designs, prospective or retrospective, in which no treatment is given. */
const FOLLOWING = new Set(['cohort', 'case_control', 'observational_review']);

export interface OutcomeFigures {
  /** Number of valid sources of every kind. */
  readonly sources: number;
  /** Number of those in people and with results, on which the grade rests. */
  readonly counted: number;
  /** Number of those whose result on this outcome an editor judged. */
  readonly judged: number;
  readonly people: People & { readonly text: string };
  /** Number of studies in the largest review, or of single studies; null when unknown. */
  readonly studies: number | null;
  readonly registered: number;
  readonly not_in_people: number;
  /** Number of papers of which only the title is stored. */
  readonly only_listed: number;
  readonly retracted: number;
  readonly best_tier: Tier | null;
  readonly newest_year: number | null;
  readonly randomised_trials: number;
  /** Number of reviews, except those that pool observational studies only. */
  readonly reviews: number;
  /** Number of cohorts, case-control studies and reviews of observational studies. */
  readonly observational: number;
  /** Number of people in the largest randomised trial of known size. */
  readonly largest_trial: number | null;
  /** Number of counted sources that state who was studied. */
  readonly with_population: number;
  /** Groups such as infants, when every counted source that states its population studied only such groups; otherwise empty. */
  readonly only_groups: readonly Group[];
  readonly open_trials: readonly OpenTrial[];
  /** Weight of the sources by direction; each source weighs according to its tier. */
  readonly weights: Weighing['weights'];
  readonly unjudged_weight: number;
  /** Share of the leading direction in the judged weight, 0 to 1. */
  readonly agreement: number;
}

/**
 * Returns the special groups studied, considering only sources that state their population; empty when any of these studied other
 * people.
 */
export const onlyGroups = (sources: readonly OutcomeSource[], topic: string): readonly Group[] => {
  const said = sources.filter(({ population }) => population !== '');
  const groups = said.map(({ population }) => groupsApart(topic, population));
  return groups.every(({ length }) => length > 0) ? [...new Set(groups.flat())] : [];
};

export const figuresOf = (
  question: VerdictQuestion,
  sources: readonly OutcomeSource[],
  weighing: Weighing,
): OutcomeFigures => {
  const standing = sources.filter(stands);
  const counted = countedOf(sources);
  const listed = standing.filter(isOnlyListed).length;
  const people = countPeople(counted, question);
  const pooled = counted.flatMap((source) => (isPooled(source) ? [pooledStudies(source) ?? 0] : []));
  const studies = pooled.length ? Math.max(...pooled) || null : counted.length;
  const tiers = new Set(standing.map(({ qualityTier }) => qualityTier));
  const years = counted.flatMap(({ year }) => (year === null ? [] : [year]));
  const trials = counted.filter(({ evidenceLevel }) => evidenceLevel === 'rct');
  const sizes = trials.flatMap(({ sampleSizeN: n }) => (n === null ? [] : [n]));
  return {
    sources: standing.length,
    counted: counted.length,
    judged: weighing.judged,
    // The number of people in listed papers is unknown.
    people: { ...people, text: counted.length || !listed ? peopleInWords(people, counted.length) : 'not known' },
    studies,
    registered: standing.filter(isRegistered).length,
    not_in_people: standing.filter((source) => !isInPeople(source) && !isRegistered(source) && !isOnlyListed(source))
      .length,
    only_listed: listed,
    retracted: sources.length - standing.length,
    best_tier: TIERS.find((tier) => tiers.has(tier)) ?? null,
    newest_year: years.length ? Math.max(...years) : null,
    randomised_trials: trials.length,
    reviews: counted.filter((source) => isPooled(source) && !source.observational).length,
    observational: counted.filter((source) => FOLLOWING.has(designOf(source))).length,
    largest_trial: sizes.length ? Math.max(...sizes) : null,
    with_population: counted.filter(({ population }) => population !== '').length,
    only_groups: onlyGroups(counted, question.topic),
    open_trials: openTrials(sources),
    weights: weighing.weights,
    unjudged_weight: weighing.unjudged,
    agreement: Math.round(weighing.agreement * 1000) / 1000,
  };
};
