/**
 * Constants of the grading of outcomes. The grader uses no other figures, and `/api/methodology/outcomes` and the methodology
 * page print these tables. The method follows GRADE (start from the design, then downgrade) but uses its own limits, so its
 * results are not GRADE ratings. Any change of a figure requires a new version name.
 */
export const METHOD_VERSION = 'outcome-2.3';

/** Levels of certainty, highest first. */
export const CERTAINTIES = ['high', 'moderate', 'low', 'very_low'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export const MAGNITUDES = ['large', 'moderate', 'small', 'none', 'not_stated'] as const;
export type MagnitudeLevel = (typeof MAGNITUDES)[number];

/** Meaning of each level of certainty, in words for readers. */
export const CERTAINTY_MEANINGS: Readonly<Record<Certainty, string>> = {
  high: 'further studies are unlikely to change the direction',
  moderate: 'the direction is probably right, and may change',
  low: 'the direction may well change with the next good study',
  very_low: 'hardly anything can be said',
};

/** Starting certainty, by the best design among the sources that support the direction. */
export const STARTS: readonly {
  readonly certainty: Certainty;
  readonly levels: readonly string[];
  readonly label: string;
}[] = [
  {
    certainty: 'high',
    levels: ['rct', 'meta_analysis', 'systematic_review'],
    label: 'randomised trials, and reviews of them',
  },
  {
    certainty: 'low',
    levels: ['observational_review', 'cohort', 'case_control', 'cross_sectional', 'guideline', 'other'],
    label: 'observational studies and reviews of them, trials without randomisation, guidelines',
  },
  { certainty: 'very_low', levels: ['case_report', 'expert_opinion'], label: 'case reports and opinion' },
];

/** Thresholds of the rules; each is used in one place of the code. */
export const LIMITS = {
  /** Minimum share of the judged weight that a direction needs to become the overall direction. */
  lead: 2 / 3,
  /** Minimum share of weight at which the sources count as agreeing. */
  agree: 0.8,
  /** Minimum share of findings against the supplement at which no other direction can be reported. */
  harm: 0.25,
  /** Below this number of people, the evidence is imprecise. */
  people: 400,
  /** Below this number of people, the evidence is very imprecise. */
  fewPeople: 50,
  /** Minimum number of studies at which a review that does not state its number of people counts as large enough. */
  pooledStudies: 10,
  /** Minimum number of people at which a single study of tier A may reach moderate certainty. */
  largeStudy: 1_000,
  /** Weight of a review relative to a single study of its tier, because it summarises several studies. */
  pooledWeight: 3,
  /** Share of a mixed finding that counts towards the direction; the rest counts as no difference. */
  mixedShare: 0.5,
} as const;

/** Levels of certainty that each rule subtracts, with the explanation for readers. */
export const DOWNGRADES = {
  bias: {
    steps: 1,
    label: 'No source of tier A carries the direction: safeguards against bias are missing or not stated.',
  },
  bias_serious: { steps: 2, label: 'Only sources of tier D carry the direction.' },
  inconsistency: { steps: 1, label: 'The sources do not all point the same way.' },
  inconsistency_serious: {
    steps: 2,
    label: 'The sources contradict each other: no direction has two thirds of the weight.',
  },
  mixed_results: { steps: 1, label: 'The results differ between what was measured or who was studied.' },
  indirect_combined: {
    steps: 1,
    label: 'It was only tested together with, against, or pooled with other supplements.',
  },
  indirect_other: { steps: 2, label: 'The sources are mainly about another supplement.' },
  indirect_part: {
    steps: 1,
    label: 'The finding is a part of what the sources report, and differs from their main result.',
  },
  indirect_surrogate: { steps: 1, label: 'Only laboratory values were measured, nothing that a person feels.' },
  imprecision: { steps: 1, label: `Fewer than ${LIMITS.people} people were studied, or their number is not known.` },
  imprecision_serious: { steps: 2, label: `Fewer than ${LIMITS.fewPeople} people were studied.` },
  imprecise_interval: { steps: 1, label: 'The interval around the effect includes no effect.' },
  unjudged: { steps: 1, label: 'More than half of the weight has not been judged on this outcome by an editor.' },
} as const satisfies Record<string, { readonly steps: number; readonly label: string }>;
export type DowngradeCode = keyof typeof DOWNGRADES;

/** Highest certainty that each cap allows, whatever the downgrades add up to; the lowest cap decides. */
export const CEILINGS = {
  industry_only: { ceiling: 'moderate', label: 'Industry alone paid for every study that carries the direction.' },
  one_review: { ceiling: 'moderate', label: 'It rests on one review, which no second source here confirms.' },
  one_weak_review: {
    ceiling: 'low',
    label: 'It rests on one review below tier A, which no second source here confirms.',
  },
  one_large_study: { ceiling: 'moderate', label: 'It rests on one study, large but not repeated here.' },
  one_study: { ceiling: 'low', label: 'It rests on one study that nobody repeated here.' },
  special_group: {
    ceiling: 'low',
    label: 'The direction rests on infants, children, pregnancy or breastfeeding alone; for others it is indirect.',
  },
  review_rating: { ceiling: 'low', label: 'The strongest review rates its own evidence this low.' },
  mixed_direction: { ceiling: 'low', label: 'A mixed result leaves open which way it points.' },
  one_strong: { ceiling: 'moderate', label: 'Fewer than two sources of tier A carry the direction.' },
  safety: {
    ceiling: 'low',
    label: 'Trials are seldom large or long enough to find harm, so safety is never graded higher than low here.',
  },
  program_only: {
    ceiling: 'low',
    label: 'Only a program has read the sources that carry the direction.',
  },
  searched: { ceiling: 'very_low', label: 'Editors searched and found no sound study of this question.' },
  not_judged: { ceiling: 'very_low', label: 'No editor has judged which way the sources point on this outcome.' },
  unclear_direction: { ceiling: 'very_low', label: 'What was judged does not tell which way it points.' },
  not_in_people: { ceiling: 'very_low', label: 'It was studied in animals or cells only.' },
  only_listed: {
    ceiling: 'very_low',
    label: 'Papers on it are listed by their titles, and nobody here has read them yet.',
  },
  only_registered: { ceiling: 'very_low', label: 'Only register entries without results are held.' },
  all_retracted: { ceiling: 'very_low', label: 'Everything gathered here was retracted.' },
} as const satisfies Record<string, { readonly ceiling: Certainty; readonly label: string }>;
export type CapCode = keyof typeof CEILINGS;

/** Thresholds of the rules for findings. */
export const FINDING_LIMITS = {
  /** Below this number of people, a figure is imprecise. */
  people: 400,
  /** Below this number of people, a figure is very imprecise. */
  fewPeople: 100,
  /** Minimum number of trials at which a review that does not state its number of people is assumed to include enough of them. */
  manyTrials: 10,
  /** Minimum number of people at which a single trial may be rated above low. */
  largeTrial: 1_000,
  /** Minimum number of people at which a trial with a different direction makes the evidence inconsistent. */
  contradictingTrial: 300,
  /** Minimum I², in per cent, at which the trials count as inconsistent. */
  i2: 75,
  /**
   * Number of confirming reviews, statements or large trials by others at which only a high risk of bias still lowers the
   * certainty.
   */
  confirming: 2,
  /** Below this mean number of people per trial, the trials are small. */
  smallTrial: 80,
  /** Minimum standardised mean difference of a large effect. */
  largeSmd: 0.8,
  /** An interval of a ratio that extends below `wideLow` and above `wideHigh` is compatible with a useful effect. */
  wideLow: 0.75,
  wideHigh: 1.25,
  /** A ratio between these two, with an interval that includes no effect, means little or no difference. */
  littleLow: 0.8,
  littleHigh: 1.25,
  /** Equivalent of `wideLow` and `wideHigh` for a standardised mean difference, as an absolute value. */
  wideSmd: 0.3,
  /**
   * Number of years for which an older review is preferred to a newer one, if it includes at least `larger` times as many people.
   */
  preferredYears: 6,
  larger: 1.5,
} as const;

/** Levels of certainty that each rule on findings subtracts, with the explanation for readers. */
export const FINDING_REASONS = {
  bias_high: { steps: 2, text: 'Most trials have a high risk of bias.' },
  bias_some: { steps: 1, text: 'The trials have some risk of bias.' },
  bias_unknown: {
    steps: 1,
    text: 'The risk of bias of the trials is not stated, and no other review confirms the result.',
  },
  inconsistent_findings: { steps: 1, text: 'Other reviews or large trials in the same people point elsewhere.' },
  inconsistent_trials: { steps: 1, text: 'The trials disagree with each other (I² of 75 % or more).' },
  surrogate: { steps: 1, text: 'A measurement stands for the outcome that people care about.' },
  few_people: { steps: 1, text: 'Fewer than 400 people are behind the figure.' },
  few_people_serious: { steps: 2, text: 'Fewer than 100 people are behind the figure.' },
  people_unknown: { steps: 1, text: 'The number of people behind the result is not stated.' },
  interval_includes_nothing: { steps: 1, text: 'The interval around the effect includes no effect.' },
  interval_wide: { steps: 1, text: 'The interval leaves room for a useful effect and for harm.' },
  small_large: { steps: 1, text: 'Many small trials found a large effect, which larger trials seldom confirm.' },
  doubtful: { steps: 1, text: 'The effect is larger than others found, and nobody has confirmed it.' },
  single_trial: { steps: 0, text: 'It rests on one trial of fewer than 1,000 people, so it is low at most.' },
  single_small_trial: {
    steps: 0,
    text: 'It rests on one trial of fewer than 400 people that no other confirms, so it is very low.',
  },
  unclear_result: { steps: 0, text: 'The result leaves the direction open, so it is low at most.' },
  only_combined: { steps: 0, text: 'It was only tested together with other supplements, which did not help either.' },
  authority: { steps: 0, text: 'A public authority states it, and no review here rates the question.' },
  contested: {
    steps: 0,
    text: 'A public authority says that it makes no difference and nobody rated the findings that say otherwise: mixed, and low at most.',
  },
  leans_benefit: {
    steps: 0,
    text: 'The review points to a benefit and calls it very uncertain: it may help, and nobody can tell, so the direction is unclear.',
  },
  leans_null: {
    steps: 0,
    text: 'The review points to little or no difference and calls it very uncertain, so the direction is unclear.',
  },
  very_low_benefit: {
    steps: 0,
    text: 'What was studied points to a benefit; at very low certainty that is no answer, so the direction is unclear.',
  },
  very_low_null: {
    steps: 0,
    text: 'What was studied found no difference; at very low certainty that is no answer, so the direction is unclear.',
  },
  unrated: {
    steps: 0,
    text: 'No review rated the certainty and fewer than two others confirm the result, so it is moderate at most.',
  },
  later_trial: { steps: 0, text: 'A later and larger trial decides the direction.' },
  later_trial_disagrees: { steps: 1, text: 'A later large trial disagrees with the review.' },
  later_trial_agrees: { steps: -1, text: 'A later large trial with a low risk of bias agrees with the review.' },
  outcomes_differ: { steps: 0, text: 'The outcomes that matter do not all point the same way.' },
} as const satisfies Record<string, { readonly steps: number; readonly text: string }>;
export type FindingReasonCode = keyof typeof FINDING_REASONS;

/** Lower bounds of a large, moderate and small effect; an effect below the last is negligible. */
export const SIZE_LEVELS = {
  standardised: { large: 0.8, moderate: 0.5, small: 0.2 },
  /** For a ratio r below 1, the bounds apply to 1/r. */
  ratio: { large: 2, moderate: 1.5, small: 1.1 },
} as const;

/** Highest magnitude that a single study can have, and only if it includes at least `LIMITS.people` people. */
export const ONE_STUDY_LEVEL: MagnitudeLevel = 'moderate';

/** Reasons why the reported magnitude is lower than the figure suggests. */
export const SIZE_LIMITS = {
  one_trial: `One trial only: a figure that nobody repeated is called ${ONE_STUDY_LEVEL} at most, and not called anything from fewer than ${LIMITS.people} people.`,
  one_study: `One study only: a figure that nobody repeated is called ${ONE_STUDY_LEVEL} at most, and not called anything from fewer than ${LIMITS.people} people.`,
  special_group:
    'Measured only in infants, in children, in pregnancy or while breastfeeding: the figure is shown with whom it is from, and is no size for others.',
  too_few: 'No difference was found in one study, or among too few people to rule one out: that is not called “none”.',
} as const;
export type SizeLimit = keyof typeof SIZE_LIMITS;

/**
 * Scale and name of each measure. A measure of scale `none` has no common scale, so its figure is shown but its magnitude is not
 * named.
 */
export const MEASURES = {
  SMD: { scale: 'standardised', words: 'standardised difference' },
  RR: { scale: 'ratio', words: 'risk ratio' },
  OR: { scale: 'ratio', words: 'odds ratio' },
  HR: { scale: 'ratio', words: 'hazard ratio' },
  MD: { scale: 'none', words: 'difference' },
  percent: { scale: 'none', words: 'difference in per cent' },
} as const;
export type Measure = keyof typeof MEASURES;

/** Topic for the amount of the supplement that reaches the body. */
export const OWN_LEVEL_TOPIC = 'nutrient-status';

/** Outcomes that are laboratory values or measurements themselves; their meaning for health is not graded. */
export const MEASUREMENT_TOPICS: readonly string[] = [
  'blood-pressure',
  'cholesterol',
  'triglycerides',
  'blood-glucose',
  'endothelial-function',
  'inflammation',
  'oxidative-stress',
  'immunity',
  'gut-microbiome',
  OWN_LEVEL_TOPIC,
  'bone-density',
];

export const SAFETY_TOPIC = 'safety';

/** Outcomes that a comparison of forms or doses can answer: blood levels and harms. */
export const COMPARABLE_TOPICS: readonly string[] = [OWN_LEVEL_TOPIC, SAFETY_TOPIC];
