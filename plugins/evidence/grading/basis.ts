/** Where each derived value of a source comes from, so that a reader can tell an editor's reading from a program's guess. */
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
  /** How likely a program's value is right, 0 to 1; null where nobody guessed. */
  readonly probability: number | null;
}

export type Bases = Readonly<Record<BasisField, Basis>>;

/**
 * The share of a program's readings that were right, measured against editors and hand-read articles
 * (plugins/evidence/grading/README.md, bench/extraction/README.md); supplements have a probability of their own.
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

/** What was found on the main topic, for the main supplement: an editor's finding first; undefined where nobody read that much. */
export const mainFinding = (
  findings: readonly TopicFinding[],
  { supplements, topics }: Pick<VocabularyMatch, 'supplements' | 'topics'>,
): TopicFinding | undefined => {
  const mine = findings.filter(
    (finding) => finding.supplement === supplements[0]?.slug && finding.topic === topics[0]?.slug && isSure(finding),
  );
  return mine.find(({ by }) => by === 'editor') ?? mine[0];
};

/** A program that read the abstract and found no clear direction abstains, and there is no probability to state. */
const directionBasis = (record: SourceRecord, found: TopicFinding | undefined): Basis => {
  if (found?.by === 'editor') return EDITOR;
  if (record.findings === undefined) return program('effect_direction');
  return { by: 'program', probability: found?.probability ?? null };
};

/** The design that a register or PubMed's indexers state is not read by a program. */
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
