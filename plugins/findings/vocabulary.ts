/** Values that a finding may use for people, measures, designs and so on, shared by the schema, the importers and the docs. */

/** Populations by sex, age or life stage. Illness is a separate field. */
export const PEOPLE = [
  'adults',
  'older-adults',
  'women',
  'men',
  'postmenopausal-women',
  'athletes',
  'all-ages',
  'adolescents',
  'children',
  'infants',
  'newborns',
  'preterm-infants',
  'pregnant-women',
  'breastfeeding-women',
] as const;
export type People = (typeof PEOPLE)[number];

/**
 * `main` findings are graded; a `subgroup` is a part, dose or time point of another; an `unmapped` finding requires an editor.
 */
export const USES = ['main', 'subgroup', 'unmapped'] as const;
export type Use = (typeof USES)[number];

/** `rate` is a rate ratio; `percent` a difference in per cent; `RD` a risk difference; `other` is named in `unit`. */
export const FINDING_MEASURES = ['RR', 'OR', 'HR', 'rate', 'MD', 'SMD', 'percent', 'RD', 'other'] as const;
export type FindingMeasure = (typeof FINDING_MEASURES)[number];

/** Levels of GRADE certainty, highest first. */
export const FINDING_CERTAINTIES = ['high', 'moderate', 'low', 'very_low'] as const;
export type FindingCertainty = (typeof FINDING_CERTAINTIES)[number];

/** Meaning of the result for the person who takes the supplement. */
export const FINDING_DIRECTIONS = ['better', 'worse', 'no_difference', 'unclear'] as const;
export type FindingDirection = (typeof FINDING_DIRECTIONS)[number];

/** Importance of the outcome to people; a `surrogate` is a measurement that substitutes for an outcome. */
export const IMPORTANCES = ['critical', 'important', 'surrogate', 'harm'] as const;
export type Importance = (typeof IMPORTANCES)[number];

/** `authority` is the page of a public authority: it states harms, no effect or missing evidence, but never a benefit. */
export const FINDING_DESIGNS = [
  'meta-analysis',
  'network-meta-analysis',
  'systematic-review',
  'umbrella-review',
  'rct',
  'cohort',
  'case-reports',
  'guideline',
  'position-stand',
  'authority',
] as const;
export type FindingDesign = (typeof FINDING_DESIGNS)[number];

/** Risk of bias of the trials, as the authors judge it; "" when they do not state it. */
export const BIASES = ['low', 'some', 'high'] as const;
export type Bias = (typeof BIASES)[number];

/** One result on one outcome from one source. Figures are the authors'; words are ours. */
export interface Finding {
  /** Source and row, as in `pmid:123#2`. */
  readonly id: string;
  /** `pmid:…`, `doi:…`, or the URL of an authority's page. */
  readonly source: string;
  readonly title: string;
  readonly year: number | null;
  readonly journal: string;
  readonly firstAuthor: string;
  readonly design: FindingDesign;
  readonly use: Use;
  /** Slugs; several supplements were given together. */
  readonly supplements: readonly string[];
  readonly topic: string;
  /** `supplement-topic`; "" for a combination, which does not answer the question for any one component. */
  readonly vertical: string;
  readonly people: People;
  /** Slug of the participants' illness, `other:…` for one without a page, "" for none. */
  readonly condition: string;
  readonly population: string;
  readonly comparator: string;
  readonly dose: string;
  readonly followUp: string;
  readonly outcome: string;
  /** Whether a higher or a lower figure is better for the person; "" when neither applies. */
  readonly betterWhen: 'higher' | 'lower' | '';
  readonly measure: FindingMeasure | '';
  readonly estimate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: string;
  /** Risk per 1,000 people, or a mean in `unit`. */
  readonly riskWithout: number | null;
  readonly riskWith: number | null;
  readonly participants: number | null;
  /** Minimum number of participants, when the exact number is not confirmed; otherwise null. */
  readonly participantsAtLeast: number | null;
  readonly studies: number | null;
  /** Certainty as the authors rate it; "" when they do not. */
  readonly certainty: FindingCertainty | '';
  readonly bias: Bias | '';
  /** I², in per cent. */
  readonly i2: number | null;
  readonly direction: FindingDirection;
  readonly importance: Importance;
  /** One sentence in our own words. */
  readonly summary: string;
  /** True when the effect is much larger than large trials found, or when nobody has confirmed the figures. */
  readonly doubtful: boolean;
}
