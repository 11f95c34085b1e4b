/** The numbers behind a grade. */
import { type Group, isOnlyListed, TIERS, type Tier } from '#plugins/evidence/index.ts';
import { groupsApart } from './groups-apart.ts';
import { countPeople, type People, peopleInWords, pooledStudies } from './people.ts';
import { designOf, isInPeople, isPooled, isRegistered, type OutcomeSource, stands } from './source.ts';
import type { VerdictQuestion } from './verdict.ts';
import type { Weighing } from './weigh.ts';

/** Sources that a direction can rest on: in people, with results that are stored, not retracted. */
export const countedOf = (sources: readonly OutcomeSource[]): readonly OutcomeSource[] =>
  sources.filter((source) => stands(source) && isInPeople(source) && !isRegistered(source) && !isOnlyListed(source));

/** A trial on a register that is not known to have ended. */
export interface OpenTrial {
  readonly nct_id: string;
  readonly title: string;
  /** The register's word, such as `RECRUITING`; "" where our record has none. */
  readonly status: string;
  /** The year in which it starts. */
  readonly year: number | null;
  /** Null where our record does not say. */
  readonly randomised: boolean | null;
  /** Planned or counted. */
  readonly people: number | null;
}

const UNDER_WAY = ['NOT_YET_RECRUITING', 'RECRUITING', 'ENROLLING_BY_INVITATION', 'ACTIVE_NOT_RECRUITING'];
/** Listed for one question; the newest are kept. */
const MOST_TRIALS = 100;

const isRandomised = (types: readonly string[]): boolean | null => {
  if (types.includes('Randomized')) return true;
  return types.includes('Clinical Trial') ? null : false;
};

/** Trials planned or under way, and those whose record has no status; not what was completed, ended or suspended. */
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

/** Designs that follow people, or look back on them, without giving them anything. */
const FOLLOWING = new Set(['cohort', 'case_control', 'observational_review']);

export interface OutcomeFigures {
  /** Sources that stand, of every kind. */
  readonly sources: number;
  /** Of them in people and with results: what the grade rests on. */
  readonly counted: number;
  /** Of those, judged on this outcome by an editor. */
  readonly judged: number;
  readonly people: People & { readonly text: string };
  /** Studies behind the largest review, or single studies; null when unknown. */
  readonly studies: number | null;
  readonly registered: number;
  readonly not_in_people: number;
  /** Papers of which only the title is stored. */
  readonly only_listed: number;
  readonly retracted: number;
  readonly best_tier: Tier | null;
  readonly newest_year: number | null;
  readonly randomised_trials: number;
  /** Reviews that do not pool observational studies only. */
  readonly reviews: number;
  /** Cohorts, case-control studies, and reviews of observational studies. */
  readonly observational: number;
  /** People in the largest randomised trial of known size. */
  readonly largest_trial: number | null;
  /** Counted sources that say who was studied. */
  readonly with_population: number;
  /** Groups such as infants, when every counted source that says who was studied is of them alone; else none. */
  readonly only_groups: readonly Group[];
  readonly open_trials: readonly OpenTrial[];
  /** Weight of the sources by direction, each source by its tier. */
  readonly weights: Weighing['weights'];
  readonly unjudged_weight: number;
  /** Share of the leading direction in the judged weight, 0 to 1. */
  readonly agreement: number;
}

/** The groups that some sources are all about, of those that say who was studied; none where one is of other people. */
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
    // How many people listed papers are on is not known here.
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
