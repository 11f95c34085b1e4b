/** The words that a finding may use for people, measures, designs and so on; the schema, the importers and the docs share them. */

/** Who was studied: sex, age or state of life. Illness is a field of its own. */
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

/** `main` findings are graded; a `subgroup` is a part, dose or time point of another; `unmapped` waits for an editor. */
export const USES = ['main', 'subgroup', 'unmapped'] as const;
export type Use = (typeof USES)[number];

/** `rate` is a ratio of rates; `percent` a difference in per cent; `RD` a difference of risks; `other` is named in `unit`. */
export const FINDING_MEASURES = ['RR', 'OR', 'HR', 'rate', 'MD', 'SMD', 'percent', 'RD', 'other'] as const;
export type FindingMeasure = (typeof FINDING_MEASURES)[number];

/** GRADE certainty, best first. */
export const FINDING_CERTAINTIES = ['high', 'moderate', 'low', 'very_low'] as const;
export type FindingCertainty = (typeof FINDING_CERTAINTIES)[number];

/** What the result means for the person who takes the supplement. */
export const FINDING_DIRECTIONS = ['better', 'worse', 'no_difference', 'unclear'] as const;
export type FindingDirection = (typeof FINDING_DIRECTIONS)[number];

/** How much the outcome matters to people; `surrogate` is a measurement that stands for an outcome. */
export const IMPORTANCES = ['critical', 'important', 'surrogate', 'harm'] as const;
export type Importance = (typeof IMPORTANCES)[number];

/** `authority` is the page of a public authority: it states harms, no effect or missing evidence, and never a benefit. */
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

/** Risk of bias of the trials as the authors judge it; "" where they do not say. */
export const BIASES = ['low', 'some', 'high'] as const;
export type Bias = (typeof BIASES)[number];

/** A finding: one result on one outcome from one source. Figures are the authors'; words are ours. */
export interface Finding {
  /** `pmid:123#2`: source and row. */
  readonly id: string;
  /** `pmid:…`, `doi:…`, or the address of an authority's page. */
  readonly source: string;
  readonly title: string;
  readonly year: number | null;
  readonly journal: string;
  readonly firstAuthor: string;
  readonly design: FindingDesign;
  readonly use: Use;
  /** Slugs; several were given together. */
  readonly supplements: readonly string[];
  readonly topic: string;
  /** `supplement-topic`; "" for a combination, which is no answer on any one of its parts. */
  readonly vertical: string;
  readonly people: People;
  /** Slug of the illness that the people have, `other:…` for one without a page here, "" for none. */
  readonly condition: string;
  readonly population: string;
  readonly comparator: string;
  readonly dose: string;
  readonly followUp: string;
  readonly outcome: string;
  /** Whether a higher or a lower figure is better for the person; "" where that makes no sense. */
  readonly betterWhen: 'higher' | 'lower' | '';
  readonly measure: FindingMeasure | '';
  readonly estimate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: string;
  /** Per 1,000 people, or a mean in `unit`. */
  readonly riskWithout: number | null;
  readonly riskWith: number | null;
  readonly participants: number | null;
  /** At least so many people, where the exact number is not confirmed; null otherwise. */
  readonly participantsAtLeast: number | null;
  readonly studies: number | null;
  /** As the authors rate it; "" where they do not. */
  readonly certainty: FindingCertainty | '';
  readonly bias: Bias | '';
  /** I², in per cent. */
  readonly i2: number | null;
  readonly direction: FindingDirection;
  readonly importance: Importance;
  /** One sentence of our own. */
  readonly summary: string;
  /** The figures are much larger than large trials found, or nobody has confirmed them. */
  readonly doubtful: boolean;
}
