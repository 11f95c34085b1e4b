/** Search API: ranked search, one source, and similar sources. */

import { notFound } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import { Permission } from '#core/models/permission.ts';
import { defineRoute, type Route } from '#core/plugin.ts';
import { type Terms, type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { checkYears } from './check-years.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { valuesIn } from './query/conditions.ts';
import { NO_VALUE } from './query/facets.ts';
import type { ResolvedName } from './query/query-reader.ts';
import { fieldPicker } from './record-fields.ts';
import { SearchEnvelope, SearchRequest, SimilarRequest, SourceParams } from './schemas/search.ts';
import { DetailedRecord, type Tier } from './schemas.ts';
import { type EvidenceQuery, RETRIEVAL_VERSION } from './search.ts';
import type { EvidenceServices } from './services.ts';
import { toDetailedRecord } from './source-view.ts';

const FACETS = ['tier', 'source_class', 'evidence_level', 'species', 'year', 'vertical', 'supplement'];

const tierOf = (text: string | undefined): Tier | undefined => text?.toUpperCase() as Tier | undefined;

/**
 * Returns the slugs of the supplements in a filter. Names, synonyms and misspellings are replaced by slugs and listed in
 * `resolved`.
 */
const supplementsOf = async (text: string | undefined, vocabulary: VocabularyServices, { supplements }: Terms) => {
  const slugs: string[] = [];
  const resolved: ResolvedName[] = [];
  for (const value of valuesIn(text)) {
    const sign = value.startsWith('-') ? '-' : '';
    const input = value.slice(sign.length);
    const known = supplements.has(input) || input === NO_VALUE;
    const meant = known ? null : await vocabulary.resolve(input, ['supplement']);
    slugs.push(`${sign}${meant?.slug ?? input}`);
    if (meant)
      resolved.push({
        input,
        id: meant.slug,
        type: 'supplement',
        match_type: meant.match_type,
        confidence: meant.confidence,
      });
  }
  return { slugs, resolved };
};

const filtersOf = (query: SearchRequest): Omit<EvidenceQuery, 'text' | 'limit'> => {
  const minTier = tierOf(query.min_quality_tier);
  return {
    ...(minTier && { minTier }),
    sourceClasses: valuesIn(query.source_class),
    verticals: valuesIn(query.vertical),
    evidenceLevels: valuesIn(query.evidence_level),
    species: valuesIn(query.species),
    topics: valuesIn(query.topic),
    directions: valuesIn(query.effect_direction),
    minSampleSize: query.min_sample_size,
    yearFrom: query.year_from,
    yearTo: query.year_to,
    human: query.human,
    excludeRetracted: query.exclude_retracted,
  };
};

const INDEX_CHANGED = {
  code: 'index_changed',
  message: 'The index changed since this cursor was made; ranks may have moved.',
};

const search = defineRoute<EvidenceServices, { query: typeof SearchRequest }>({
  id: 'evidence.search',
  method: 'GET',
  path: '/v1/evidence/search',
  summary: 'Search the evidence',
  description:
    'Hybrid lexical and semantic search with the reasons for each rank; long queries, short ones with signs of a typo ' +
    'and questions on a supplement with a medicine are reranked. Unknown words are searched as what they most likely ' +
    'mean, and the answer says so. Retracted sources are left out unless asked for.',
  tag: 'Evidence',
  access: 'key',
  scope: 'search',
  request: { query: SearchRequest },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'Ranked evidence records', schema: SearchEnvelope },
  ],
  links: {
    'evidence.source': { source_id: '/results/0/source_id' },
    'evidence.similar': { source_id: '/results/0/source_id' },
  },
  raises: ['validation_failed'],
  handle: async ({ services, use, signal }, { query }) => {
    const startedAt = performance.now();
    checkYears(query);
    const text = query.q.trim();
    if (!text) throw invalid('query', 'q', 'String should have at least 1 character', query.q);
    const pick = fieldPicker(query.fields, query.explain);
    const { version } = services.index.state();
    const [at, madeFor] = query.cursor ? decodeCursor(query.cursor) : [0, version];
    const offset = Math.floor(at);
    const vocabulary = use(vocabularyPlugin);
    const supplements = await supplementsOf(query.supplement, vocabulary, await vocabulary.terms());
    const answer = await services.search({
      ...filtersOf(query),
      text,
      limit: query.top_k,
      offset,
      supplements: supplements.slugs,
      correct: query.correct,
      permission: Permission.ofPerson(query.model_consent),
      facets: FACETS,
      signal,
    });
    const { corrected } = answer;
    const more = answer.records.length === query.top_k && offset + query.top_k < answer.total;
    return {
      body: {
        query: query.q,
        corrected: corrected && {
          query: corrected.query,
          words: corrected.words.map(({ from, to }) => ({ from, to })),
        },
        retrieval_version: RETRIEVAL_VERSION,
        index_version: version,
        results: answer.records.map(pick),
        total_returned: answer.records.length,
        total_estimate: answer.total,
        coverage: answer.coverage,
        latency_ms: Math.round(performance.now() - startedAt),
        reranker_used: answer.rerankerUsed,
        next_cursor: more ? encodeCursor([offset + query.top_k, version]) : null,
        resolved: [...answer.resolved, ...supplements.resolved],
        facets: answer.facets,
        warnings: [...(madeFor === version ? [] : [INDEX_CHANGED]), ...answer.warnings],
      },
    };
  },
});

const unknownSource = async (services: EvidenceServices, id: string) =>
  notFound('Source', id, await services.nearSourceIds(id));

const similar = defineRoute<EvidenceServices, { params: typeof SourceParams; query: typeof SimilarRequest }>({
  id: 'evidence.similar',
  method: 'GET',
  path: '/v1/evidence/{source_id}/similar',
  summary: 'Sources like one source',
  description: 'Nearest first by the semantic leg, without the source itself; retracted sources are left out.',
  tag: 'Evidence',
  access: 'key',
  scope: 'search',
  request: { params: SourceParams, query: SimilarRequest },
  replies: [
    {
      status: 200,
      mediaType: 'application/json',
      description: 'The envelope of a search; `query` is the title of the source',
      schema: SearchEnvelope,
    },
  ],
  links: { 'evidence.source': { source_id: '/results/0/source_id' } },
  raises: ['validation_failed', 'not_found'],
  handle: async ({ services }, { params, query }) => {
    const startedAt = performance.now();
    const pick = fieldPicker(query.fields, query.explain);
    const minTier = tierOf(query.min_quality_tier);
    const found = await services.similar(params.source_id, { limit: query.top_k, ...(minTier && { minTier }) });
    if (!found) throw await unknownSource(services, params.source_id);
    const body: SearchEnvelope = {
      query: found.source.title,
      corrected: null,
      retrieval_version: RETRIEVAL_VERSION,
      index_version: services.index.state().version,
      results: found.records.map(pick) as SearchEnvelope['results'],
      total_returned: found.records.length,
      total_estimate: found.records.length,
      coverage: found.records.length > 0 ? 1 : 0,
      latency_ms: Math.round(performance.now() - startedAt),
      reranker_used: false,
      next_cursor: null,
      resolved: [],
      facets: {},
      warnings: [...found.warnings],
    };
    return { body };
  },
});

const one = defineRoute<EvidenceServices, { params: typeof SourceParams }>({
  id: 'evidence.source',
  method: 'GET',
  path: '/v1/evidence/{source_id}',
  summary: 'One evidence record',
  description: 'A retracted source is answered too, with its status.',
  tag: 'Evidence',
  access: 'key',
  request: { params: SourceParams },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The record', schema: DetailedRecord }],
  links: { 'evidence.similar': { source_id: '/source_id' } },
  raises: ['validation_failed', 'not_found'],
  handle: async ({ services }, { params }) => {
    const row = await services.source(params.source_id);
    if (!row) throw await unknownSource(services, params.source_id);
    return { body: toDetailedRecord(row) };
  },
});

export const searchRoutes = [search, one, similar] as readonly Route<EvidenceServices>[];
