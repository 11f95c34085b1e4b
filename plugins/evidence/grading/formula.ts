import type { BiasFamily, BiasSignal, StudyKind } from './study-kind.ts';

/**
 * Version of the quality score's constants. This file holds all constants of the grader; the methodology page and
 * `/api/methodology` print the same tables. They are the editors' own weighting of the tier definitions (see README), not a
 * published instrument. A change of any figure requires a new version name.
 */
export const FORMULA_VERSION = 'grade-1.1';

/** Highest number of points for each part; the sum is 100. */
export const MAX_POINTS = { design: 45, size: 20, bias: 20, directness: 15 } as const;

/** Points for each design, and the label of the design for use in a sentence. */
export const DESIGN_POINTS: Readonly<Record<StudyKind, { readonly points: number; readonly label: string }>> = {
  meta_analysis: { points: 45, label: 'Meta-analysis' },
  systematic_review: { points: 40, label: 'Systematic review' },
  guideline: { points: 38, label: 'Guideline or consensus statement' },
  rct: { points: 36, label: 'Randomised controlled trial' },
  cohort: { points: 24, label: 'Cohort study' },
  case_control: { points: 16, label: 'Case-control study' },
  non_randomised_trial: { points: 16, label: 'Trial without stated randomisation' },
  cross_sectional: { points: 12, label: 'Cross-sectional study' },
  registered_trial: { points: 12, label: 'Registered trial without results in this base' },
  unclear_design: { points: 8, label: 'Design not recognised' },
  case_report: { points: 5, label: 'Case report or series' },
  expert_opinion: { points: 4, label: 'Narrative review, editorial or opinion' },
  animal: { points: 4, label: 'Animal study' },
  in_vitro: { points: 2, label: 'Laboratory study in cells or molecules' },
  protocol: { points: 2, label: 'Protocol of a study, without results' },
  notice: { points: 0, label: 'Notice, such as a correction or retraction' },
};

export type SizeScale = 'trial' | 'pooled' | 'observational' | 'none';

/** Points by number of people, highest step first: a record gets the points of the first step that it reaches. */
export const SIZE_STEPS: Readonly<
  Record<SizeScale, { readonly steps: readonly (readonly [number, number])[]; readonly unknown: number }>
> = {
  trial: {
    steps: [
      [1000, 20],
      [400, 17],
      [200, 14],
      [100, 11],
      [60, 8],
      [40, 6],
      [20, 3],
      [1, 1],
    ],
    unknown: 3,
  },
  pooled: {
    steps: [
      [5000, 20],
      [1000, 16],
      [300, 11],
      [100, 7],
      [1, 3],
    ],
    unknown: 5,
  },
  observational: {
    steps: [
      [10000, 20],
      [2000, 16],
      [500, 11],
      [100, 6],
      [1, 2],
    ],
    unknown: 2,
  },
  none: { steps: [], unknown: 0 },
};

/** The size scale of each design. The size does not count for designs that are not listed. */
export const SIZE_SCALE: Readonly<Partial<Record<StudyKind, SizeScale>>> = {
  rct: 'trial',
  non_randomised_trial: 'trial',
  registered_trial: 'trial',
  unclear_design: 'trial',
  meta_analysis: 'pooled',
  systematic_review: 'pooled',
  cohort: 'observational',
  case_control: 'observational',
  cross_sectional: 'observational',
};

interface SignalPoints {
  readonly signal: BiasSignal;
  readonly points: number;
  readonly label: string;
}

/**
 * Points for safeguards against bias that the text states, by family of designs. The score counts at most 20 points of a family.
 */
export const BIAS_POINTS: Readonly<Record<BiasFamily, readonly SignalPoints[]>> = {
  trial: [
    { signal: 'randomised', points: 6, label: 'randomised' },
    { signal: 'double_blind', points: 5, label: 'double-blind' },
    { signal: 'single_blind', points: 2, label: 'single-blind' },
    { signal: 'placebo', points: 3, label: 'placebo or sham control' },
    { signal: 'preregistered', points: 3, label: 'registered' },
    { signal: 'allocation', points: 3, label: 'allocation concealed or analysed by intention to treat' },
  ],
  review: [
    { signal: 'randomised_trials_only', points: 7, label: 'rests on randomised trials' },
    { signal: 'bias_assessed', points: 6, label: 'assessed the quality of its studies' },
    { signal: 'several_databases', points: 4, label: 'searched several databases' },
    { signal: 'preregistered', points: 3, label: 'registered' },
  ],
  observational: [
    { signal: 'prospective', points: 4, label: 'prospective' },
    { signal: 'adjusted', points: 5, label: 'adjusted for other causes' },
    { signal: 'preregistered', points: 1, label: 'registered' },
  ],
  guideline: [{ signal: 'systematic_basis', points: 8, label: 'rests on a systematic look at the evidence' }],
  none: [],
};

/** Points for how closely the study matches a reader's question. */
export const DIRECTNESS_POINTS = {
  human: { points: 10, label: 'studied in people' },
  clinicalOutcome: { points: 5, label: 'measured something a person feels, does or suffers' },
  unknownSpecies: { points: 4, label: 'not clear who was studied' },
} as const;

export type Tier = 'A' | 'B' | 'C' | 'D';

/** Tiers, best first; a score belongs to the first tier whose threshold it reaches. */
export const TIERS: readonly {
  readonly tier: Tier;
  readonly from: number;
  readonly label: string;
  readonly meaning: string;
}[] = [
  {
    tier: 'A',
    from: 75,
    label: 'Strong',
    meaning: 'meta-analyses, systematic reviews, high-quality randomised trials',
  },
  { tier: 'B', from: 55, label: 'Moderate', meaning: 'well-designed randomised trials, large observational studies' },
  { tier: 'C', from: 30, label: 'Limited', meaning: 'smaller studies, cross-sectional, case-control' },
  { tier: 'D', from: 0, label: 'Preliminary', meaning: 'case reports, expert opinion, laboratory and animal studies' },
];

/** Sample sizes that the caps refer to, in people. */
export const CAP_SIZES = { smallTrial: 40, moderateTrial: 100, smallPool: 100, smallCohort: 500 } as const;

/** Returns the highest score, in steps of 0.1, at which a record stays below the next better tier. */
export const ceilingOf = (tier: Tier): number => {
  const index = TIERS.findIndex((entry) => entry.tier === tier);
  const above = TIERS[index - 1];
  return above === undefined ? 100 : Math.round((above.from - 0.1) * 10) / 10;
};

export const tierOf = (score: number): Tier => TIERS.find(({ from }) => score >= from)?.tier ?? 'D';
