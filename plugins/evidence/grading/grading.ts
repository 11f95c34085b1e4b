import type { EffectDirection, EvidenceLevel, Funding, Species } from '../source-record.ts';

/** The result of grading one record; `breakdown` explains the score part by part. */
export interface Grading {
  readonly evidenceLevel: EvidenceLevel;
  /** Class of the source: pubmed_article, systematic_review, clinical_trial, guideline, preprint … (conventions, section 3). */
  readonly sourceClass: string;
  /** Number of people (animals for animal studies) randomised or analysed; null when the text does not state it. */
  readonly sampleSizeN: number | null;
  /** Sample size as shown to a reader: "64", "1,208 in 12 studies", "354 (planned)"; "" when unknown. */
  readonly sampleSize: string;
  readonly population: string;
  readonly species: Species;
  readonly direction: EffectDirection;
  readonly funding: Funding;
  /** Score from 0 to 100 with one decimal. */
  readonly qualityScore: number;
  readonly qualityTier: 'A' | 'B' | 'C' | 'D';
  readonly breakdown: readonly ScorePart[];
  /** Version of the formula, as in `grade-1.0`; it changes with any constant. */
  readonly formulaVersion: string;
}

export interface ScorePart {
  readonly part: 'design' | 'size' | 'bias' | 'directness' | 'cap';
  readonly points: number;
  readonly max: number;
  readonly reason: string;
}
