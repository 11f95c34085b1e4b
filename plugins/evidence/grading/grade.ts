import type { SourceRecord } from '../source-record.ts';
import { findBiasSignals, hasClinicalOutcome } from './bias-signals.ts';
import { isPreprint } from './caps.ts';
import { readDirection } from './effect-direction.ts';
import { FORMULA_VERSION } from './formula.ts';
import { readFunding } from './funding.ts';
import type { Grading } from './grading.ts';
import { readPopulation } from './population.ts';
import { readText } from './record-text.ts';
import { describeSampleSize, readSampleSize } from './sample-size.ts';
import { score } from './score.ts';
import { detectSpecies } from './species.ts';
import { detectDesign, type StudyDesign } from './study-design.ts';

const sourceClassOf = (record: SourceRecord, design: StudyDesign): string => {
  if (record.origin === 'ctgov') return 'clinical_trial';
  if (isPreprint(record)) return 'preprint';
  if (design.kind === 'guideline') return 'guideline';
  return design.kind === 'meta_analysis' || design.kind === 'systematic_review'
    ? 'systematic_review'
    : 'pubmed_article';
};

/**
 * Grades one record: what kind of study it is, in whom, how large, which way it points, and how far it can be trusted
 * (0 to 100 and a tier), with every step in `breakdown`. Pure and linear in the text; never throws.
 */
export const grade = (record: SourceRecord): Grading => {
  const text = readText(record);
  const species = detectSpecies(record, text);
  const design = detectDesign(record, text, species);
  const size = readSampleSize(record, text, design, species);
  const funding = readFunding(record);
  const signals = findBiasSignals(record, text, design.kind);
  const scored = score({ record, design, size, species, funding, signals }, hasClinicalOutcome(text));
  return {
    evidenceLevel: design.level,
    sourceClass: sourceClassOf(record, design),
    sampleSizeN: size.n,
    sampleSize: describeSampleSize(size),
    population: readPopulation(record, text, { species, counted: size.phrase }),
    species,
    direction: readDirection(record, text, design),
    funding,
    qualityScore: scored.points,
    qualityTier: scored.tier,
    breakdown: scored.breakdown,
    formulaVersion: FORMULA_VERSION,
  };
};
