import type { Funding, SourceRecord, Species } from '../source-record.ts';
import { CAP_SIZES, ceilingOf, type Tier } from './formula.ts';
import type { SampleSize } from './sample-size.ts';
import type { StudyDesign } from './study-design.ts';
import type { BiasSignal, StudyKind } from './study-kind.ts';

/** The data of a record that the caps test. */
export interface Findings {
  readonly record: SourceRecord;
  readonly design: StudyDesign;
  readonly size: SampleSize;
  readonly species: Species;
  readonly funding: Funding;
  readonly signals: ReadonlySet<BiasSignal>;
}

/** An upper limit on score and tier, regardless of the sum of the parts. The `reason` is shown to readers. */
export interface Cap {
  readonly id: string;
  readonly tier: Tier;
  /** Highest possible score, 0 to 100. */
  readonly ceiling: number;
  readonly reason: string;
  readonly applies: (findings: Findings) => boolean;
}

const RETRACTED_CEILING = 5;

const cap = (id: string, tier: Tier, reason: string, applies: Cap['applies']): Cap => ({
  id,
  tier,
  ceiling: ceilingOf(tier),
  reason,
  applies,
});

const is =
  (...kinds: StudyKind[]): Cap['applies'] =>
  ({ design }) =>
    kinds.includes(design.kind);

const smallerThan =
  (kind: StudyKind, people: number): Cap['applies'] =>
  ({ design, size }) =>
    design.kind === kind && size.n !== null && size.n < people;

const POOLED: readonly StudyKind[] = ['meta_analysis', 'systematic_review'];

/** All caps. Every cap that applies is listed in the breakdown; the lowest one decides. */
export const CAPS: readonly Cap[] = [
  {
    id: 'retracted',
    tier: 'D',
    ceiling: RETRACTED_CEILING,
    reason: 'The article was retracted, so nothing can rest on it.',
    applies: ({ record }) => record.retractionStatus === 'retracted',
  },
  cap('notice', 'D', 'This is a notice about an article and holds no results of its own.', is('notice')),
  cap('protocol', 'D', 'A protocol describes a plan and has no results.', is('protocol')),
  cap(
    'animal',
    'D',
    'The study was done in animals, so it is preliminary for people.',
    ({ species, design }) => species === 'animal' || design.kind === 'animal',
  ),
  cap(
    'in-vitro',
    'D',
    'The study was done in cells or molecules, so it is preliminary for people.',
    ({ species, design }) => species === 'in_vitro' || design.kind === 'in_vitro',
  ),
  cap('case-report', 'D', 'A case report describes single people without a comparison.', is('case_report')),
  cap(
    'opinion',
    'D',
    'A narrative review, editorial or opinion does not weigh all the evidence by a fixed method.',
    is('expert_opinion'),
  ),
  cap(
    'withdrawn-trial',
    'D',
    'The registered trial enrolled nobody.',
    ({ record, design, size }) =>
      design.kind === 'registered_trial' && (size.n === 0 || /withdrawn/i.test(record.trialStatus)),
  ),
  cap(
    'registered-trial',
    'C',
    'A register entry says what was planned, and this base holds no results for it.',
    is('registered_trial'),
  ),
  cap(
    'concern',
    'C',
    'The journal has published an expression of concern about the article.',
    ({ record }) => record.retractionStatus === 'concern',
  ),
  cap(
    'not-randomised',
    'C',
    'Randomisation is not stated, and without it other causes may explain the result.',
    is('non_randomised_trial'),
  ),
  cap('unclear-design', 'C', 'The design could not be recognised from the record.', is('unclear_design')),
  cap('cross-sectional', 'C', 'A cross-sectional study cannot tell cause from effect.', is('cross_sectional')),
  cap(
    'case-control',
    'C',
    'A case-control study looks back and is open to selection and recall errors.',
    is('case_control'),
  ),
  cap(
    'small-trial',
    'C',
    `A single trial with fewer than ${CAP_SIZES.smallTrial} people is easily wrong by chance.`,
    smallerThan('rct', CAP_SIZES.smallTrial),
  ),
  cap(
    'small-cohort',
    'C',
    `A cohort of fewer than ${CAP_SIZES.smallCohort} people is small for an observational study.`,
    smallerThan('cohort', CAP_SIZES.smallCohort),
  ),
  cap(
    'moderate-trial',
    'B',
    `A single trial with fewer than ${CAP_SIZES.moderateTrial} people cannot be strong evidence alone.`,
    smallerThan('rct', CAP_SIZES.moderateTrial),
  ),
  cap(
    'unknown-size',
    'B',
    'The number of people in the trial could not be read, so it cannot count as strong evidence.',
    ({ design, size }) => design.kind === 'rct' && size.n === null,
  ),
  cap(
    'not-double-blind',
    'B',
    'The trial does not state that it was double-blind.',
    ({ design, signals }) => design.kind === 'rct' && !signals.has('double_blind'),
  ),
  cap(
    'small-pool',
    'B',
    `Fewer than ${CAP_SIZES.smallPool} people were pooled.`,
    ({ design, size }) => POOLED.includes(design.kind) && size.n !== null && size.n < CAP_SIZES.smallPool,
  ),
  cap(
    'no-trials-pooled',
    'B',
    'The review does not state that it rests on randomised trials.',
    ({ design, signals }) => POOLED.includes(design.kind) && !signals.has('randomised_trials_only'),
  ),
  cap('observational', 'B', 'An observational study shows an association, which need not be an effect.', is('cohort')),
  cap('guideline', 'B', 'A guideline passes on evidence that is graded here study by study.', is('guideline')),
  cap('industry-funding', 'B', 'Industry alone paid for the study.', ({ funding }) => funding === 'industry'),
  cap('preprint', 'B', 'A preprint has not been reviewed by other researchers.', ({ record }) => isPreprint(record)),
];

const PREPRINT_SERVER =
  /^(?:bio|med)rxiv\b|^research square\b|^ssrn\b|^preprints\b|^preprints\.org\b|^arxiv\b|^authorea\b/i;

/** Returns whether a record is a preprint, judged by its publication type or its preprint server. */
export const isPreprint = (record: SourceRecord): boolean =>
  record.publicationTypes.some((type) => /^preprint$/i.test(type)) || PREPRINT_SERVER.test(record.journal);
