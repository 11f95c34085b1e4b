/** Combines the values that the grader reads in the text of a record before scoring. */
import type { EffectDirection, EvidenceLevel, Funding, SourceRecord, Species } from '../source-record.ts';
import { findBiasSignals, hasClinicalOutcome } from './bias-signals.ts';
import { readDirection } from './effect-direction.ts';
import { readFunding } from './funding.ts';
import { readPopulation } from './population.ts';
import { readText } from './record-text.ts';
import { readSampleSize, type SampleSize } from './sample-size.ts';
import { detectSpecies } from './species.ts';
import { detectDesign, type StudyDesign } from './study-design.ts';
import type { BiasSignal } from './study-kind.ts';

/** Version of the rules that read text; raise it when the reading of a record may change. */
export const READER_VERSION = 'read-1';

export interface Reading {
  readonly design: StudyDesign;
  readonly size: SampleSize;
  readonly species: Species;
  readonly population: string;
  readonly direction: EffectDirection;
  readonly funding: Funding;
  /** Safeguards against bias that the text states, in a fixed order. */
  readonly signals: readonly BiasSignal[];
  /** Whether an outcome is something that a person feels, does or suffers, rather than a laboratory value alone. */
  readonly clinicalOutcome: boolean;
}

/** Reads a record's own text; values stated by an editor take precedence. Linear in the length of the text; never throws. */
export const readRecord = (record: SourceRecord): Reading => {
  const text = readText(record);
  const species = detectSpecies(record, text);
  const design = detectDesign(record, text, species);
  const size = readSampleSize(record, text, design, species);
  return {
    design,
    size,
    species,
    population: readPopulation(record, text, { species, counted: size.phrase }),
    direction: readDirection(record, text, design),
    funding: readFunding(record),
    signals: [...findBiasSignals(record, text, design.kind)].sort(),
    clinicalOutcome: hasClinicalOutcome(text),
  };
};

/**
 * Returns the reading of the stored text, or the packed reading of the starter corpus. A record of the corpus ships without its
 * abstract but with the reading of it from the time of packing, which counts until the abstract itself is stored. An editor's
 * entry takes precedence over it, except for safeguards against bias, which editors do not enter.
 */
const uncorrected = (record: SourceRecord): Reading => {
  const own = readRecord(record);
  const packed = record.abstract === '' ? record.packed?.reading : undefined;
  if (packed === undefined) return own;
  if (record.stated === null) return packed;
  return {
    ...own,
    signals: [...new Set([...own.signals, ...packed.signals])].sort(),
    clinicalOutcome: own.clinicalOutcome || packed.clinicalOutcome,
  };
};

/** Returns the reading that a record is graded by, with an editor's corrections applied. */
export const readingOf = (record: SourceRecord): Reading => {
  const reading = uncorrected(record);
  const { corrected } = record;
  if (corrected === undefined) return reading;
  return {
    ...reading,
    design: corrected.design === undefined ? reading.design : correctedDesign(corrected.design),
    size: corrected.sampleSize === undefined ? reading.size : { ...reading.size, n: corrected.sampleSize },
    species: corrected.species ?? reading.species,
    population: corrected.population ?? reading.population,
    direction: corrected.direction ?? reading.direction,
    funding: corrected.funding ?? reading.funding,
  };
};

const correctedDesign = (level: EvidenceLevel): StudyDesign => ({
  level,
  kind: level === 'other' ? 'unclear_design' : level,
  from: 'an editor’s correction',
});
