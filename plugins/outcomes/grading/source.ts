/** What the grader reads of a source and of a supplement's entry. */
import type { SourceRow, StatedEffect, Tier } from '#plugins/evidence/index.ts';
import type { Certainty, Measure } from './method.ts';

/** A size of an effect that an editor entered from what the source states; `direction` is seen from the supplement. */
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
  /** Whether a program has read the abstract, so that what it measured is known. */
  readonly hasAbstract: boolean;
  /** A review whose text speaks of observational studies and of no trial. */
  readonly observational: boolean;
  readonly effectSizes: readonly EffectSize[];
  /** How certain a review calls its own evidence on its main outcome; "" when not entered. */
  readonly certaintyStated: Certainty | '';
  /** Why it is no answer on what the supplement does: only forms or doses of it were compared, say; "" when it is one. */
  readonly compares: string;
  /** A review that pools other substances too, and does not say how many people took this one. */
  readonly wider: boolean;
}

/** What the supplement's entry says on the outcome. `shaken`: a source of it was retracted. */
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

/** Sources name the supplement that they are mainly about first; a size of an effect is of that one. */
export const isMainly = ({ supplements }: Pick<OutcomeSource, 'supplements'>, supplement: string): boolean =>
  supplements[0] === supplement;

const POOLED = new Set(['meta_analysis', 'systematic_review']);
export const isPooled = ({ evidenceLevel }: Pick<OutcomeSource, 'evidenceLevel'>): boolean => POOLED.has(evidenceLevel);
export const isRegistered = ({ sourceClass }: Pick<OutcomeSource, 'sourceClass'>): boolean =>
  sourceClass === 'clinical_trial';
export const isInPeople = ({ species }: Pick<OutcomeSource, 'species'>): boolean => species === 'human';
export const stands = ({ retractionStatus }: Pick<OutcomeSource, 'retractionStatus'>): boolean =>
  retractionStatus !== 'retracted';

/** The design that the grade starts from. */
export const designOf = (source: Pick<OutcomeSource, 'evidenceLevel' | 'observational'>): string =>
  isPooled(source) && source.observational ? 'observational_review' : source.evidenceLevel;

/** Number of studies of a review, from "1,208 people in 12 studies" or "12 studies"; null when not stated. */
export const studiesOf = ({ sampleSize }: Pick<OutcomeSource, 'sampleSize'>): number | null => {
  const found = /([\d,]+) stud(?:y|ies)/.exec(sampleSize)?.[1];
  return found ? Number(found.replaceAll(',', '')) : null;
};
