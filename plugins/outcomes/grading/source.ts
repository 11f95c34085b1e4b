/** Defines the input of the grader: fields of a source and claims of a supplement's entry. */
import type { SourceRow, StatedEffect, Tier } from '#plugins/evidence/index.ts';
import type { Certainty, Measure } from './method.ts';

/** An effect size that the source states, as an editor entered it; `direction` is seen from the supplement. */
export interface EffectSize extends Omit<StatedEffect, 'measure'> {
  readonly measure: Measure;
}

export interface OutcomeSource
  extends Pick<
    SourceRow,
    | 'sourceId'
    | 'pmid'
    | 'doi'
    | 'nctId'
    | 'title'
    | 'year'
    | 'qualityTier'
    | 'qualityScore'
    | 'evidenceLevel'
    | 'sourceClass'
    | 'species'
    | 'population'
    | 'retractionStatus'
    | 'sampleSize'
    | 'sampleSizeN'
    | 'effectDirection'
    | 'funding'
    | 'breakdown'
    | 'read'
    | 'basis'
    | 'supplements'
    | 'topics'
    | 'trialStatus'
    | 'publicationTypes'
    | 'findings'
  > {
  readonly qualityTier: Tier;
  /** Whether a program has read the abstract, so that the measured outcomes are known. */
  readonly hasAbstract: boolean;
  /** True for a review whose text mentions observational studies but no trials. */
  readonly observational: boolean;
  readonly effectSizes: readonly EffectSize[];
  /** Certainty that a review states for its main outcome; "" when not entered. */
  readonly certaintyStated: Certainty | '';
  /**
   * Reason why the source does not show the effect of the supplement, such as a comparison of forms or doses only; "" when it
   * does.
   */
  readonly compares: string;
  /** True for a review that also pools other substances and does not state how many people took this one. */
  readonly wider: boolean;
}

/** A claim of the supplement's entry on the outcome. `shaken` means that one of its sources was retracted. */
export interface OutcomeClaim {
  readonly direction: string;
  readonly refs: readonly string[];
  readonly shaken: boolean;
}

export const refsOf = ({ pmid, doi, nctId }: Pick<OutcomeSource, 'pmid' | 'doi' | 'nctId'>): readonly string[] => [
  ...(pmid ? [`pmid:${pmid}`] : []),
  ...(doi ? [`doi:${doi}`] : []),
  ...(nctId ? [`nct:${nctId}`] : []),
];

/** Returns whether a source is mainly about a supplement. Sources list that one first, and their effect sizes refer to it. */
export const isMainly = ({ supplements }: Pick<OutcomeSource, 'supplements'>, supplement: string): boolean =>
  supplements[0] === supplement;

const POOLED = new Set(['meta_analysis', 'systematic_review']);
export const isPooled = ({ evidenceLevel }: Pick<OutcomeSource, 'evidenceLevel'>): boolean => POOLED.has(evidenceLevel);
export const isRegistered = ({ sourceClass }: Pick<OutcomeSource, 'sourceClass'>): boolean =>
  sourceClass === 'clinical_trial';
export const isInPeople = ({ species }: Pick<OutcomeSource, 'species'>): boolean => species === 'human';
export const stands = ({ retractionStatus }: Pick<OutcomeSource, 'retractionStatus'>): boolean =>
  retractionStatus !== 'retracted';

/** Returns the design that determines the starting certainty. */
export const designOf = (source: Pick<OutcomeSource, 'evidenceLevel' | 'observational'>): string =>
  isPooled(source) && source.observational ? 'observational_review' : source.evidenceLevel;

/** Returns the number of studies of a review, from "1,208 people in 12 studies" or "12 studies"; null when not stated. */
export const studiesOf = ({ sampleSize }: Pick<OutcomeSource, 'sampleSize'>): number | null => {
  const found = /([\d,]+) stud(?:y|ies)/.exec(sampleSize)?.[1];
  return found ? Number(found.replaceAll(',', '')) : null;
};
