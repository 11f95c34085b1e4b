/**
 * Describes the evidence that would increase the certainty of a grade, derived from the reasons that lower it. Pure functions.
 */
import { groupsInWords } from '#plugins/evidence/index.ts';
import { type Gap, type GapReason, gapsOf, openTrialsOf } from './gaps.ts';
import type { OpenTrial } from './grading/figures.ts';
import { type CapCode, type DowngradeCode, type FindingReasonCode, LIMITS } from './grading/method.ts';
import type { OutcomeGrade } from './read-grades.ts';

type Graded = Pick<OutcomeGrade, 'topic_slug' | 'certainty' | 'figures' | 'caps' | 'reasons'>;
type Words = (of: Graded) => string;

const figures = new Intl.NumberFormat('en-GB');

const peopleSoFar = ({ figures: { people } }: Graded): string =>
  people.count === null ? 'so far their number is not known' : `so far ${people.text}`;

const morePeople: Words = (of) =>
  `Studies that bring the number of people to ${figures.format(LIMITS.people)} or more; ${peopleSoFar(of)}.`;
const sameWay =
  'Studies that agree, or that show why results differ. So far the sources do not all point the same way.';
const secondStudy = 'A second study, by others. So far it rests on one that nobody repeated here.';
const someoneJudges = 'An editor who reads the sources that nobody has judged on this outcome yet.';

const LOWERED: Readonly<Record<DowngradeCode | FindingReasonCode, Words | null>> = {
  bias_high: () => 'Trials with a low risk of bias.',
  bias_some: () => 'Trials with a low risk of bias.',
  bias_unknown: () => 'A review that judges the risk of bias of the trials.',
  inconsistent_findings: () => sameWay,
  inconsistent_trials: () => 'Trials that show why results differ. So far they disagree.',
  surrogate: () => 'Studies that measure what a person feels or lives through, not only measurements.',
  few_people: () => 'Trials with more people: 400 or more in all.',
  few_people_serious: () => 'Trials with more people: 400 or more in all.',
  people_unknown: () => 'A review that states how many people are behind the result.',
  interval_includes_nothing: () => 'A more exact figure: the interval around the effect still includes no effect.',
  interval_wide: () => 'A more exact figure: the interval leaves room for a useful effect and for harm.',
  small_large: () => 'Large trials. So far many small ones found a large effect.',
  doubtful: () => 'A large trial that confirms the effect.',
  single_trial: () => secondStudy,
  single_small_trial: () => secondStudy,
  unclear_result: () => 'Trials that are large enough to tell a benefit from none.',
  only_combined: () => 'Studies that give it alone.',
  authority: () => 'A review of this question that rates its certainty.',
  contested: () => 'A review of this question that rates its certainty.',
  leans_benefit: null,
  leans_null: null,
  very_low_benefit: null,
  very_low_null: null,
  unrated: () => 'A review that rates the certainty, or a second one that confirms the result.',
  later_trial: null,
  later_trial_disagrees: () => sameWay,
  later_trial_agrees: null,
  outcomes_differ: null,
  bias: () => 'A better founded study: with the safeguards against bias that these lack or do not state.',
  bias_serious: () => 'A study of tier C or better. So far only tier D carries the direction.',
  inconsistency: () => sameWay,
  inconsistency_serious: () => sameWay,
  mixed_results: () =>
    'Studies with one main result, named before they begin. These found different things in different measures or people.',
  indirect_combined: () =>
    'Studies that give it alone. So far it was only tested with, against or pooled with other supplements.',
  indirect_other: () => 'Studies of it alone. These are mainly about another supplement.',
  indirect_part: () => 'Studies with this outcome as their main result. So far it is only a part of what they report.',
  indirect_surrogate: () => 'Studies that measure what a person feels or lives through, not only laboratory values.',
  imprecision: morePeople,
  imprecision_serious: morePeople,
  imprecise_interval: () => 'A more exact figure: the interval around the effect still includes no effect.',
  unjudged: () => someoneJudges,
};

const CAPPED: Readonly<Record<CapCode, Words>> = {
  industry_only: () => 'A study that industry did not pay for. So far industry alone paid.',
  one_review: () => 'A second source that confirms the one review it rests on.',
  one_weak_review: () => 'A review of tier A, or a second source that confirms the one review it rests on.',
  one_large_study: () => secondStudy,
  one_study: () => secondStudy,
  special_group: ({ figures: { only_groups: groups } }) =>
    groups.length
      ? `Studies in other people. So far it was studied in ${groupsInWords(groups)} alone.`
      : 'Studies in other people than infants, children, pregnant or breastfeeding women.',
  review_rating: () => 'Better trials: the strongest review itself calls its evidence this uncertain.',
  mixed_direction: () => 'A result that points one way. So far it is mixed.',
  one_strong: () => 'A second study of tier A.',
  safety: () =>
    'Studies large and long enough to find harm. Trials seldom are, so safety is never graded higher than low here.',
  searched: () => 'A sound study. Editors searched and found none.',
  program_only: () => 'An editor who reads the sources that only a program has read.',
  not_judged: () => someoneJudges,
  unclear_direction: () => 'A study that tells which way it points. Those judged so far do not.',
  not_in_people: () => 'A study in people. So far there are only animals or cells.',
  only_listed: () => 'Somebody here who reads the papers that are listed.',
  only_registered: () => 'Results of the trials that are registered. So far none is held.',
  all_retracted: () => 'New studies. All that was gathered here was retracted.',
};

/** Evidence that is missing when a grade starts low because of its design. */
const STARTED: Readonly<Record<string, string>> = {
  start_low: 'A randomised trial. So far the direction rests on studies without random allocation.',
  start_very_low: 'A study that compares groups. So far the direction rests on case reports or opinion.',
};

const GAPS_SAID: readonly GapReason[] = ['old', 'no_population'];
const GAP_WORDS: Readonly<Partial<Record<GapReason, Words>>> = {
  old: ({ figures: { newest_year: year } }) => `A newer study: the newest in people is from ${year}.`,
  no_population: ({ figures: { only_groups: groups, counted } }) =>
    groups.length
      ? `Studies in other people. So far it was studied in ${groupsInWords(groups)} alone.`
      : counted
        ? 'Studies that say who was studied.'
        : 'A study in people.',
};

/** Caps that leave no sources to start from; the design is then not the reason. */
const NOTHING: readonly string[] = [
  'searched',
  'not_judged',
  'unclear_direction',
  'not_in_people',
  'only_listed',
  'only_registered',
  'all_retracted',
];

/** Reasons that already explain a mixed result. */
const DISAGREEING: readonly string[] = ['inconsistency', 'inconsistency_serious', 'mixed_results'];

const wordsFor = (grade: Graded, gaps: readonly Gap[]): string[] => {
  const codes = grade.caps.map(({ code }) => code);
  const empty = codes.some((code) => NOTHING.includes(code));
  const lacking = grade.reasons.flatMap(({ code }) => {
    if (code in LOWERED) return LOWERED[code as DowngradeCode]?.(grade) ?? [];
    return !empty && STARTED[code] ? [STARTED[code]] : [];
  });
  const disagree = grade.reasons.some(({ code }) => DISAGREEING.includes(code));
  const capped = codes.filter((code) => !(disagree && code === 'mixed_direction')).map((code) => CAPPED[code](grade));
  // A question that was never studied in people cannot also have studies that are too old or in the wrong people.
  const open = gaps.filter(({ reason }) => !empty && GAPS_SAID.includes(reason));
  return [...new Set([...lacking, ...capped, ...open.map(({ reason }) => GAP_WORDS[reason]?.(grade) ?? '')])].filter(
    Boolean,
  );
};

export interface WhatWouldChange {
  /** One sentence per missing item; a high grade may lack nothing. */
  readonly lacking: readonly string[];
  /** Registered trials that may supply it, newest first. */
  readonly trials: readonly OpenTrial[];
}

/**
 * Returns the missing evidence and the trials that may supply it. `thisYear` determines the age of studies and whether a trial
 * without a status may still be running.
 */
export const whatWouldChange = (grade: Graded, thisYear: number): WhatWouldChange => {
  const asked = { topic: grade.topic_slug, figures: grade.figures };
  const lacking = wordsFor(grade, gapsOf(asked, thisYear));
  return { lacking, trials: openTrialsOf(asked, thisYear) };
};
