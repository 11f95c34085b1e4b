/**
 * Records the origin of each derived value of a source, so that a reader can distinguish an editor's reading from a program's
 * guess.
 */
import type { VocabularyMatch } from '../matching/matcher.ts';
import type { Match } from '../matching/vocabulary.ts';
import { isSure } from '../reading/is-sure.ts';
import type { SourceRecord, TopicFinding } from '../source-record.ts';
import type { Reading } from './reading.ts';

export const BASIS_FIELDS = [
  'design',
  'sample_size',
  'population',
  'species',
  'effect_direction',
  'funding',
  'supplements',
] as const;
export type BasisField = (typeof BASIS_FIELDS)[number];

export interface Basis {
  readonly by: 'editor' | 'program' | 'registry';
  /** Probability that a program's value is right, 0 to 1; null where no program guessed the value or no probability is known. */
  readonly probability: number | null;
}

export type Bases = Readonly<Record<BasisField, Basis>>;

/**
 * Share of a program's readings that were right, measured against editors and hand-read articles
 * (plugins/evidence/grading/README.md, bench/extraction/README.md). Supplements that a model matched have their own
 * probabilities.
 */
const MEASURED: Readonly<Record<BasisField, number>> = {
  design: 0.9,
  sample_size: 0.82,
  population: 0.58,
  species: 0.99,
  effect_direction: 0.57,
  funding: 0.69,
  supplements: 0.9,
};

const EDITOR: Basis = { by: 'editor', probability: null };
const REGISTRY: Basis = { by: 'registry', probability: null };
const program = (field: BasisField, probability = MEASURED[field]): Basis => ({ by: 'program', probability });

/**
 * Returns the finding on the main topic for the main supplement. An editor's finding takes precedence; undefined without a
 * finding that is sure enough.
 */
export const mainFinding = (
  findings: readonly TopicFinding[],
  { supplements, topics }: Pick<VocabularyMatch, 'supplements' | 'topics'>,
): TopicFinding | undefined => {
  const mine = findings.filter(
    (finding) => finding.supplement === supplements[0]?.slug && finding.topic === topics[0]?.slug && isSure(finding),
  );
  return mine.find(({ by }) => by === 'editor') ?? mine[0];
};

/**
 * Returns the basis of the direction. A program that read the abstract without a clear result abstains, so it states no
 * probability.
 */
const directionBasis = (record: SourceRecord, found: TopicFinding | undefined): Basis => {
  if (found?.by === 'editor') return EDITOR;
  if (record.findings === undefined) return program('effect_direction');
  return { by: 'program', probability: found?.probability ?? null };
};

/** Returns the basis of the design. A design that a register or PubMed's indexers state was not read by a program. */
const designBasis = (reading: Reading): Basis =>
  reading.design.kind === 'registered_trial' || reading.design.from === 'the publication type'
    ? REGISTRY
    : program('design');

const supplementsBasis = (record: SourceRecord, supplements: readonly Match[]): Basis => {
  if (record.screened) return EDITOR;
  const chances = supplements.flatMap(({ probability }) => (probability === undefined ? [] : [probability]));
  return program('supplements', chances.length ? Math.min(...chances) : undefined);
};

/** Returns the basis of each derived value of a record. */
export const basesOf = (
  record: SourceRecord,
  reading: Reading,
  matched: Pick<VocabularyMatch, 'supplements' | 'topics'>,
): Bases => {
  const named = { ...record.stated, ...record.corrected };
  const stated = (value: unknown, otherwise: Basis): Basis => (value === undefined ? otherwise : EDITOR);
  const registered = reading.design.kind === 'registered_trial';
  const found = mainFinding(record.findings ?? [], matched);
  return {
    design: stated(named.design, designBasis(reading)),
    sample_size: stated(named.sampleSize, registered ? REGISTRY : program('sample_size')),
    population: stated(named.population, program('population')),
    species: stated(named.species, registered ? REGISTRY : program('species')),
    effect_direction: stated(named.direction, directionBasis(record, found)),
    funding: stated(named.funding, registered ? REGISTRY : program('funding')),
    supplements: stated(named.supplements, supplementsBasis(record, matched.supplements)),
  };
};
