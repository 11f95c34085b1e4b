/** Combines all records of one source: fields by precedence, then the grade and the verticals. */
import { createHash } from 'node:crypto';
import { basesOf, mainFinding } from './grading/basis.ts';
import { grade } from './grading/grade.ts';
import type { Grading } from './grading/grading.ts';
import { type Reading, readingOf } from './grading/reading.ts';
import type { VocabularyMatcher } from './matching/matcher.ts';
import type { ReadDetails } from './reading/details.ts';
import type { EffectDirection, Origin, RetractionStatus, SourceRecord, TopicFinding } from './source-record.ts';

/** Origins by precedence: an editor's statements, PubMed's record, the full text, then exports with fewer fields. */
const PRECEDENCE: readonly Origin[] = ['content', 'pubmed', 'jats', 'nbib', 'ris', 'ctgov', 'corpus', 'correction'];
const SEVERITY: readonly RetractionStatus[] = ['none', 'corrected', 'concern', 'retracted'];

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === undefined || (Array.isArray(value) && !value.length);

/** Returns the most severe status that any record or list states. */
export const worstStatus = (statuses: readonly RetractionStatus[]): RetractionStatus =>
  SEVERITY[Math.max(0, ...statuses.map((status) => SEVERITY.indexOf(status)))] ?? 'none';

/** Merges findings: those of editors from all records, and for other topics those of the first record that a program read. */
const mergeFindings = (ordered: readonly SourceRecord[]): TopicFinding[] | undefined => {
  const read = ordered.flatMap(({ findings }) => (findings === undefined ? [] : [findings]));
  const [first] = read;
  if (first === undefined) return undefined;
  const byEditors = read.flat().filter(({ by }) => by === 'editor');
  const judged = new Set(byEditors.map(({ topic }) => topic));
  return [...byEditors, ...first.filter(({ by, topic }) => by === 'program' && !judged.has(topic))];
};

/** Merges records; each field comes from the first record by precedence that has it. */
export const mergeRecords = (records: readonly SourceRecord[]): SourceRecord => {
  const ordered = records.toSorted((a, b) => PRECEDENCE.indexOf(a.origin) - PRECEDENCE.indexOf(b.origin));
  const [first] = ordered;
  if (!first) throw new Error('A source without records has no projection');
  const merged: Record<string, unknown> = { ...first };
  for (const record of ordered.slice(1)) {
    for (const [field, value] of Object.entries(record))
      if (isEmpty(merged[field]) && !isEmpty(value)) merged[field] = value;
  }
  const types = [...new Set(ordered.flatMap((record) => record.publicationTypes))];
  const retractionStatus = worstStatus(ordered.map((record) => record.retractionStatus));
  const findings = mergeFindings(ordered);
  return {
    ...(merged as unknown as SourceRecord),
    publicationTypes: types,
    retractionStatus,
    ...(findings && { findings }),
  };
};

export interface Projected {
  readonly sourceId: string;
  readonly fields: ReturnType<typeof fieldsOf>;
  readonly verticals: readonly { vertical: string; supplementSlug: string; topicSlug: string }[];
  readonly digest: string;
}

/** Maximum of the database column; registries contain implausibly large numbers of people. */
const MOST_PEOPLE = 2_147_483_647;

/**
 * Returns the direction that an editor stated, otherwise the direction read on the main topic. When a program read the abstract
 * and found nothing clear, the direction is `unclear`; the rules for whole abstracts apply only when no topic was read.
 */
const directionOf = (
  record: SourceRecord,
  grading: Grading,
  matched: ReturnType<VocabularyMatcher['match']>,
): EffectDirection => {
  const named = record.corrected?.direction ?? record.stated?.direction;
  if (named !== undefined) return named;
  if (record.findings === undefined) return grading.direction;
  return mainFinding(record.findings, matched)?.direction ?? 'unclear';
};

/** Returns the text from which the derived values were read. */
const readFromOf = (record: SourceRecord): 'abstract' | 'title' =>
  record.abstract !== '' ? 'abstract' : (record.packed?.from ?? 'title');

/**
 * Returns the details, without harms unless the study was in people: the absence of harm in cells or animals says nothing about
 * the safety in people.
 */
const detailsOf = ({ details }: SourceRecord, { species }: Grading): ReadDetails | null =>
  details === undefined || species === 'human' ? (details ?? null) : { ...details, harms: [] };

const fieldsOf = (
  record: SourceRecord,
  { reading, grading }: { readonly reading: Reading; readonly grading: Grading },
  matched: ReturnType<VocabularyMatcher['match']>,
  origins: readonly Origin[],
) => ({
  pmid: record.pmid,
  doi: record.doi,
  pmcid: record.pmcid,
  nctId: record.nctId,
  title: record.title,
  abstract: record.abstract,
  summary: record.stated?.summary ?? '',
  authors: record.authors,
  journal: record.journal,
  year: record.year,
  volume: record.volume,
  issue: record.issue,
  pages: record.pages,
  language: record.language,
  publicationTypes: record.publicationTypes,
  meshTerms: record.meshTerms,
  keywords: record.keywords,
  license: record.license,
  openAccessUrl: record.openAccessUrl,
  retractionStatus: record.retractionStatus,
  sourceClass: grading.sourceClass,
  evidenceLevel: grading.evidenceLevel,
  qualityScore: grading.qualityScore,
  qualityTier: grading.qualityTier,
  sampleSize: grading.sampleSize,
  sampleSizeN: grading.sampleSizeN !== null && grading.sampleSizeN <= MOST_PEOPLE ? grading.sampleSizeN : null,
  population: grading.population,
  species: grading.species,
  effectDirection: directionOf(record, grading, matched),
  funding: grading.funding,
  breakdown: grading.breakdown,
  trialStatus: record.trialStatus,
  trialPhase: record.trialPhase,
  supplements: matched.supplements.map(({ slug }) => slug),
  topics: matched.topics.map(({ slug }) => slug),
  verticals: matched.verticals,
  read: record.stated?.read ?? '',
  effectSizes: record.stated?.effectSizes ?? [],
  certaintyStated: record.stated?.certaintyStated ?? '',
  compares: record.stated?.compares ?? '',
  wider: record.stated?.wider ?? false,
  indexWords: record.abstract === '' ? (record.packed?.words ?? '') : '',
  readFrom: readFromOf(record),
  supersededBy: record.supersededBy ?? '',
  findings: record.findings ?? [],
  details: detailsOf(record, grading),
  basis: basesOf(record, reading, matched),
  origins,
});

/** Projects one source. Equal inputs give equal digests. */
export const project = (
  sourceId: string,
  records: readonly SourceRecord[],
  listed: readonly RetractionStatus[],
  matcher: VocabularyMatcher,
): Projected => {
  const merged = mergeRecords(records);
  const record = { ...merged, retractionStatus: worstStatus([merged.retractionStatus, ...listed]) };
  const matched = matcher.match(record);
  const origins = [...new Set(records.map(({ origin }) => origin))].sort();
  const reading = readingOf(record);
  const fields = fieldsOf(record, { reading, grading: grade(record, reading) }, matched, origins);
  const verticals = matched.supplements.flatMap((supplement) =>
    matched.topics.map((topic) => ({
      vertical: `${supplement.slug}-${topic.slug}`,
      supplementSlug: supplement.slug,
      topicSlug: topic.slug,
    })),
  );
  const kept = verticals.filter(({ vertical }) => matched.verticals.includes(vertical));
  const digest = createHash('sha256')
    .update(JSON.stringify([fields, kept]))
    .digest('hex')
    .slice(0, 32);
  return { sourceId, fields, verticals: kept, digest };
};
