/** Converts stored sources to the representation of the API. */
import type { Bases } from './grading/basis.ts';
import type { ScorePart } from './grading/grading.ts';
import { passagesOf, type ReadDetails } from './reading/details.ts';
import type { DetailedRecord, EvidenceRecord, ReadRecord } from './schemas.ts';
import type { TopicFinding } from './source-record.ts';

/** A row of evidence_source as the ORM returns it. */
export interface SourceRow {
  readonly sourceId: string;
  readonly pmid: string;
  readonly doi: string;
  readonly pmcid: string;
  readonly nctId: string;
  readonly title: string;
  readonly abstract: string;
  readonly summary: string;
  readonly authors: readonly string[];
  readonly journal: string;
  readonly year: number | null;
  readonly volume: string;
  readonly issue: string;
  readonly pages: string;
  readonly language: string;
  readonly publicationTypes: readonly string[];
  readonly meshTerms: readonly string[];
  readonly keywords: readonly string[];
  readonly license: string;
  readonly openAccessUrl: string;
  readonly retractionStatus: 'none' | 'corrected' | 'concern' | 'retracted';
  readonly sourceClass: string;
  readonly evidenceLevel: string;
  readonly qualityScore: number;
  readonly qualityTier: 'A' | 'B' | 'C' | 'D';
  readonly sampleSize: string;
  readonly sampleSizeN: number | null;
  readonly population: string;
  readonly species: string;
  readonly effectDirection: string;
  readonly funding: string;
  readonly breakdown: readonly ScorePart[];
  readonly trialStatus: string;
  readonly supplements: readonly string[];
  readonly topics: readonly string[];
  readonly verticals: readonly string[];
  readonly read: string;
  readonly indexWords: string;
  readonly readFrom: 'abstract' | 'title';
  readonly supersededBy: string;
  readonly findings: readonly TopicFinding[];
  readonly details: ReadDetails | null;
  /** Empty for sources graded by an earlier version of the program, until they are graded again. */
  readonly basis: Partial<Bases>;
  readonly revision: number;
  readonly updatedAt: Date;
  readonly removedAt: Date | null;
}

/**
 * Returns whether only the title of a paper is known: no editor has read it, and its abstract is not stored. Its results are
 * unknown, so it cannot support an answer or a grade. A registered trial is never one of these, because its record states what it
 * will measure.
 */
export const isOnlyListed = ({
  read,
  hasAbstract,
  sourceClass,
}: Pick<SourceRow, 'read' | 'sourceClass'> & { readonly hasAbstract: boolean }): boolean =>
  read === '' && !hasAbstract && sourceClass !== 'clinical_trial';

/**
 * Maximum length of an excerpt of an abstract, and of its quoted sentences together, in words, without a licence that allows
 * more.
 */
const EXTRACT_WORDS = 49;

const mayBeQuoted = ({ license, sourceClass }: Pick<SourceRow, 'license' | 'sourceClass'>): boolean =>
  /^(CC BY( \d|$)|CC0|public domain)/i.test(license) || sourceClass === 'clinical_trial';

/** Returns whether an editor judged the direction, rather than a program alone. */
export const directionIsJudged = ({ read, basis }: Pick<SourceRow, 'read' | 'basis'>): boolean =>
  read !== '' || basis.effect_direction?.by === 'editor';

/** Returns our own summary; otherwise the abstract when its licence allows that, or its first words. */
export const abstractOrSummary = (row: SourceRow): string => {
  if (row.summary || !row.abstract) return row.summary;
  if (mayBeQuoted(row)) return row.abstract;
  const words = row.abstract.split(' ');
  return words.length <= EXTRACT_WORDS ? row.abstract : `${words.slice(0, EXTRACT_WORDS).join(' ')} …`;
};

/**
 * Returns the URL of the source at PubMed, otherwise at the DOI resolver, otherwise at the trial registry; "" without an
 * identifier.
 */
export const addressOf = ({ pmid, doi, nctId }: Pick<SourceRow, 'pmid' | 'doi' | 'nctId'>): string => {
  if (pmid) return `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`;
  if (doi) return `https://doi.org/${encodeURI(doi)}`;
  return nctId ? `https://clinicaltrials.gov/study/${nctId}` : '';
};

export const toRecord = (row: SourceRow): EvidenceRecord => ({
  source_id: row.sourceId,
  pmid: row.pmid,
  doi: row.doi,
  nct_id: row.nctId,
  title: row.title,
  abstract_or_summary: abstractOrSummary(row),
  quality_score: row.qualityScore,
  quality_tier: row.qualityTier,
  evidence_level: row.evidenceLevel,
  source_class: row.sourceClass,
  year: row.year,
  vertical: row.verticals[0] ?? '',
  verticals: [...row.verticals],
  sample_size: row.sampleSize,
  sample_size_n: row.sampleSizeN,
  population: row.population,
  species: row.species,
  effect_direction: row.effectDirection,
  effect_direction_basis: directionIsJudged(row) ? 'editor' : 'program',
  basis: row.basis,
  findings: row.findings.map((finding) => ({ ...finding })),
  superseded_by: row.supersededBy,
  read_from: row.readFrom,
  funding: row.funding,
  retraction_status: row.retractionStatus,
  url: addressOf(row),
  authors: [...row.authors],
  journal: row.journal,
  publication_types: [...row.publicationTypes],
  open_access_url: row.openAccessUrl,
  license: row.license,
  quality_breakdown: row.breakdown.map((part) => ({ ...part })),
  updated_at: row.updatedAt.toISOString(),
});

/** Converts a row to a record with the details that a program read in its abstract. */
export const toReadRecord = (row: SourceRow): ReadRecord => ({ ...toRecord(row), details: row.details });

/** Converts a row to a record with those details and the sentences that state them. */
export const toDetailedRecord = (row: SourceRow): DetailedRecord => ({
  ...toReadRecord(row),
  passages: row.details
    ? passagesOf(row.details, row.abstract, mayBeQuoted(row) ? Number.POSITIVE_INFINITY : EXTRACT_WORDS)
    : {},
});
