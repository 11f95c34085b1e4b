/** Invented sources for grading outcomes; the default is a good trial in people. */
import type { OutcomeClaim, OutcomeSource } from '#plugins/outcomes/grading/source.ts';

let made = 0;

export const trial = (fields: Partial<OutcomeSource> = {}): OutcomeSource => {
  made += 1;
  const pmid = String(99_100_000 + made);
  return {
    sourceId: `pmid-${pmid}`,
    pmid,
    doi: '',
    nctId: '',
    title: `Trial ${made}.`,
    year: 2020,
    qualityTier: 'B',
    qualityScore: 70,
    evidenceLevel: 'rct',
    sourceClass: 'pubmed_article',
    species: 'human',
    population: 'adults',
    retractionStatus: 'none',
    sampleSize: '500',
    sampleSizeN: 500,
    effectDirection: 'positive',
    funding: 'public',
    breakdown: [],
    read: 'abstract',
    supplements: ['zinc'],
    topics: ['colds'],
    trialStatus: '',
    publicationTypes: [],
    hasAbstract: true,
    basis: {},
    findings: [],
    observational: false,
    effectSizes: [],
    certaintyStated: '',
    compares: '',
    wider: false,
    ...fields,
  };
};

export const review = (fields: Partial<OutcomeSource> = {}): OutcomeSource =>
  trial({
    evidenceLevel: 'meta_analysis',
    sourceClass: 'systematic_review',
    sampleSize: '2,000 people in 20 studies',
    sampleSizeN: 2_000,
    qualityTier: 'A',
    qualityScore: 85,
    ...fields,
  });

export const registered = (fields: Partial<OutcomeSource> = {}): OutcomeSource =>
  trial({
    sourceClass: 'clinical_trial',
    evidenceLevel: 'other',
    nctId: 'NCT99000001',
    trialStatus: 'RECRUITING (planned)',
    publicationTypes: ['Clinical Trial', 'Randomized'],
    sampleSizeN: 300,
    read: '',
    ...fields,
  });

export const claim = (direction: string, ...sources: readonly OutcomeSource[]): OutcomeClaim => ({
  direction,
  refs: sources.map(({ pmid }) => `pmid:${pmid}`),
  shaken: false,
});
