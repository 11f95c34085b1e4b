/** The numbers behind a grade. */
import { TIERS, type Tier } from '#plugins/evidence/index.ts';
import { isInPeople, isPooled, isRegistered, type OutcomeSource, stands, studiesOf } from './source.ts';
import type { Weighing } from './weigh.ts';

export interface People {
  /** Null when no size is known. */
  readonly count: number | null;
  /** More may stand behind it: some size is not known, or reviews and trials overlap. */
  readonly at_least: boolean;
}

/** Added up over studies; where reviews pool them, the larger of the largest review and the sum of the other studies. */
export const countPeople = (sources: readonly OutcomeSource[]): People => {
  const sizes = (rows: readonly OutcomeSource[]) => rows.flatMap(({ sampleSizeN: n }) => (n === null ? [] : [n]));
  const pooled = sizes(sources.filter(isPooled));
  const single = sizes(sources.filter((source) => !isPooled(source)));
  if (!pooled.length && !single.length) return { count: null, at_least: false };
  const sum = single.reduce((total, size) => total + size, 0);
  const known = pooled.length + single.length;
  return {
    count: Math.max(0, ...pooled, sum),
    at_least: known < sources.length || (sources.some(isPooled) && sources.length > 1),
  };
};

const figures = new Intl.NumberFormat('en-GB');

/** "1,208", "at least 1,208", "not stated" or "none". */
const peopleInWords = ({ count, at_least }: People, sources: number): string => {
  if (!sources) return 'none';
  if (count === null) return 'not stated';
  return `${at_least ? 'at least ' : ''}${figures.format(count)}`;
};

/** Sources that a direction can rest on: in people, with results, not retracted. */
export const countedOf = (sources: readonly OutcomeSource[]): readonly OutcomeSource[] =>
  sources.filter((source) => stands(source) && isInPeople(source) && !isRegistered(source));

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
  readonly retracted: number;
  readonly best_tier: Tier | null;
  readonly newest_year: number | null;
  readonly randomised_trials: number;
  /** Reviews that do not pool observational studies only. */
  readonly reviews: number;
  /** People in the largest randomised trial of known size. */
  readonly largest_trial: number | null;
  /** Counted sources that say who was studied. */
  readonly with_population: number;
  readonly open_trials: readonly OpenTrial[];
  /** Weight of the sources by direction, each source by its tier. */
  readonly weights: Weighing['weights'];
  readonly unjudged_weight: number;
  /** Share of the leading direction in the judged weight, 0 to 1. */
  readonly agreement: number;
}

export const figuresOf = (sources: readonly OutcomeSource[], weighing: Weighing): OutcomeFigures => {
  const standing = sources.filter(stands);
  const counted = countedOf(sources);
  const people = countPeople(counted);
  const pooled = counted.flatMap((source) => (isPooled(source) ? [studiesOf(source) ?? 0] : []));
  const studies = pooled.length ? Math.max(...pooled) || null : counted.length;
  const tiers = new Set(standing.map(({ qualityTier }) => qualityTier));
  const years = counted.flatMap(({ year }) => (year === null ? [] : [year]));
  const trials = counted.filter(({ evidenceLevel }) => evidenceLevel === 'rct');
  const sizes = trials.flatMap(({ sampleSizeN: n }) => (n === null ? [] : [n]));
  return {
    sources: standing.length,
    counted: counted.length,
    judged: weighing.judged,
    people: { ...people, text: peopleInWords(people, counted.length) },
    studies,
    registered: standing.filter(isRegistered).length,
    not_in_people: standing.filter((source) => !isInPeople(source) && !isRegistered(source)).length,
    retracted: sources.length - standing.length,
    best_tier: TIERS.find((tier) => tiers.has(tier)) ?? null,
    newest_year: years.length ? Math.max(...years) : null,
    randomised_trials: trials.length,
    reviews: counted.filter((source) => isPooled(source) && !source.observational).length,
    largest_trial: sizes.length ? Math.max(...sizes) : null,
    with_population: counted.filter(({ population }) => population !== '').length,
    open_trials: openTrials(sources),
    weights: weighing.weights,
    unjudged_weight: weighing.unjudged,
    agreement: Math.round(weighing.agreement * 1000) / 1000,
  };
};
