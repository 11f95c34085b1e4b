import { defineEntity, p } from '@mikro-orm/core';
import type { Bases } from './grading/basis.ts';
import type { ScorePart } from './grading/grading.ts';
import type { ReadDetails } from './reading/details.ts';
import type { SourceRecord, StatedEffect, TopicFinding } from './source-record.ts';

/** A graded source: the combination of all its records. `removedAt` is set when it was withdrawn. */
export const Source = defineEntity({
  name: 'Source',
  tableName: 'evidence_source',
  properties: {
    sourceId: p.string().primary(),
    pmid: p.string(),
    doi: p.string(),
    pmcid: p.string(),
    nctId: p.string(),
    title: p.text(),
    abstract: p.text(),
    summary: p.text(),
    authors: p.json<string[]>(),
    journal: p.string(),
    year: p.integer().nullable(),
    volume: p.string(),
    issue: p.string(),
    pages: p.string(),
    language: p.string(),
    publicationTypes: p.json<string[]>(),
    meshTerms: p.json<string[]>(),
    keywords: p.json<string[]>(),
    license: p.string(),
    openAccessUrl: p.string(),
    retractionStatus: p.string(),
    sourceClass: p.string(),
    evidenceLevel: p.string(),
    qualityScore: p.float(),
    qualityTier: p.string(),
    sampleSize: p.string(),
    sampleSizeN: p.integer().nullable(),
    population: p.string(),
    species: p.string(),
    effectDirection: p.string(),
    funding: p.string(),
    breakdown: p.json<ScorePart[]>(),
    trialStatus: p.string(),
    trialPhase: p.string(),
    supplements: p.json<string[]>(),
    topics: p.json<string[]>(),
    verticals: p.json<string[]>(),
    /** Text that an editor read: `full_text`, `abstract`, or "" for none. */
    read: p.string(),
    effectSizes: p.json<StatedEffect[]>(),
    certaintyStated: p.string(),
    compares: p.string(),
    wider: p.boolean(),
    /** Words of an abstract that is not stored, for the search index; "" when the abstract is stored or never existed. */
    indexWords: p.text(),
    /** Text that a program read: `abstract` (stored here, or read when the starter corpus was packed) or `title`. */
    readFrom: p.string(),
    /** Newer version of a review, as `pmid:1` or `doi:10.…`; "" for the newest. */
    supersededBy: p.string(),
    /** Results by topic, as editors and a program read them. */
    findings: p.json<TopicFinding[]>(),
    /** Details that a program read in the abstract, with the sentences that state them; null when nothing was read. */
    details: p.json<ReadDetails | null>().nullable(),
    /** Origin of each derived value. */
    basis: p.json<Partial<Bases>>(),
    origins: p.json<string[]>(),
    /** Digest of all fields above; an equal digest means that there is nothing to write. */
    digest: p.string(),
    /** Version of the formula and vocabulary with which it was graded. */
    projection: p.string(),
    revision: p.bigint('number'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    removedAt: p.datetime().nullable(),
  },
});

/** One record of a source from one origin; a source may have several (PubMed's record, the full text, an editor's entry). */
export const OriginRecord = defineEntity({
  name: 'OriginRecord',
  tableName: 'evidence_record',
  properties: {
    origin: p.string().primary(),
    originKey: p.string().primary(),
    sourceId: p.string(),
    digest: p.string(),
    payload: p.json<SourceRecord>(),
    /** File of content/ from which it came; "" for imports. */
    file: p.string(),
    importedAt: p.datetime(),
  },
});

/** A vertical of a source; filters and pages count these rows. */
export const SourceVertical = defineEntity({
  name: 'SourceVertical',
  tableName: 'evidence_vertical',
  properties: {
    sourceId: p.string().primary(),
    vertical: p.string().primary(),
    supplementSlug: p.string(),
    topicSlug: p.string(),
  },
});

/** A line of a retraction list, stored for records that are imported later. */
export const RetractionNotice = defineEntity({
  name: 'RetractionNotice',
  tableName: 'evidence_retraction',
  properties: {
    /** `pmid:123` or `doi:10.…`. */
    identifier: p.string().primary(),
    status: p.string(),
    reason: p.string(),
  },
});
