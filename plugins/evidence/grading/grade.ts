import type { SourceRecord } from '../source-record.ts';
import { isPreprint } from './caps.ts';
import { FORMULA_VERSION } from './formula.ts';
import type { Grading } from './grading.ts';
import { type Reading, readingOf } from './reading.ts';
import { describeSampleSize } from './sample-size.ts';
import { score } from './score.ts';
import type { StudyDesign } from './study-design.ts';

const sourceClassOf = (record: SourceRecord, design: StudyDesign): string => {
  if (design.kind === 'registered_trial') return 'clinical_trial';
  if (isPreprint(record)) return 'preprint';
  if (design.kind === 'guideline') return 'guideline';
  return design.kind === 'meta_analysis' || design.kind === 'systematic_review'
    ? 'systematic_review'
    : 'pubmed_article';
};

/**
 * Grades one record: design, species and population, sample size, direction of the effect, and quality (0 to 100 and a tier),
 * with every step in `breakdown`. Pure, and linear in the length of the text; never throws.
 */
export const grade = (record: SourceRecord, reading: Reading = readingOf(record)): Grading => {
  const { design, size, species, funding, signals } = reading;
  const findings = { record, design, size, species, funding, signals: new Set(signals) };
  const scored = score(findings, reading.clinicalOutcome);
  return {
    evidenceLevel: design.level,
    sourceClass: sourceClassOf(record, design),
    sampleSizeN: size.n,
    sampleSize: describeSampleSize(size),
    population: reading.population,
    species,
    direction: reading.direction,
    funding,
    qualityScore: scored.points,
    qualityTier: scored.tier,
    breakdown: scored.breakdown,
    formulaVersion: FORMULA_VERSION,
  };
};
