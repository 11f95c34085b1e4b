import { invalid } from '#core/http/validate.ts';
import { defineRoute, type Route } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { formats } from './formats/index.ts';
import { METHODOLOGY } from './methodology.ts';
import { fieldPicker } from './record-fields.ts';
import {
  SearchEnvelope,
  SearchRequest,
  SOURCE_FORMATS,
  type SourceFormat,
  SourcesPage,
  SourcesRequest,
  type Tier,
} from './schemas.ts';
import { RETRIEVAL_VERSION } from './search.ts';
import type { EvidenceServices } from './services.ts';
import { countSources, listSources, type SourceFilter } from './source-list.ts';
import { emptyRecord } from './source-record.ts';
import { type SourceRow, toRecord } from './source-view.ts';

/** A page times its size must stay countable. */
const MAX_OFFSET = 1_000_000;

/** Years are 0 for "not given", or from 1800. */
const checkYears = ({ year_from, year_to }: { year_from: number; year_to: number }): void => {
  for (const [name, year] of [
    ['year_from', year_from],
    ['year_to', year_to],
  ] as const) {
    if (year && year < 1800) throw invalid('query', name, 'Input should be 0 or greater than or equal to 1800', year);
  }
  if (year_from && year_to && year_from > year_to)
    throw invalid('query', 'year_from', 'year_from should not be after year_to', year_from);
};

const search = defineRoute<EvidenceServices, { query: typeof SearchRequest }>({
  id: 'evidence.search',
  method: 'GET',
  path: '/v1/evidence/search',
  summary: 'Search the evidence',
  description:
    'Hybrid lexical and semantic search with the reasons for each rank. Retracted sources are left out unless asked for.',
  tag: 'Evidence',
  access: 'key',
  request: { query: SearchRequest },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'Ranked evidence records', schema: SearchEnvelope },
  ],
  raises: ['validation_failed'],
  handle: async ({ services, use }, { query }) => {
    const startedAt = performance.now();
    checkYears(query);
    const text = query.q.trim();
    if (!text) throw invalid('query', 'q', 'String should have at least 1 character', query.q);
    const pick = fieldPicker(query.fields);
    const { version, semantic } = services.index.state();
    const warnings: { code: string; message: string }[] = [];
    let offset = 0;
    if (query.cursor) {
      const [at, madeFor] = decodeCursor(query.cursor);
      offset = Math.floor(at);
      if (madeFor !== version)
        warnings.push({
          code: 'index_changed',
          message: 'The index changed since this cursor was made; ranks may have moved.',
        });
    }
    if (semantic === 'none')
      warnings.push({
        code: 'lexical_only',
        message: 'The semantic leg is not trained yet; results come from words alone.',
      });
    const answer = await services.search({
      text,
      limit: query.top_k,
      offset,
      minTier: query.min_quality_tier?.toUpperCase() as Tier | undefined,
      sourceClass: query.source_class,
      vertical: query.vertical,
      yearFrom: query.year_from,
      yearTo: query.year_to,
      human: query.human,
      excludeRetracted: query.exclude_retracted,
      facets: ['tier', 'source_class', 'evidence_level', 'species'],
    });
    const more = answer.records.length === query.top_k && offset + query.top_k < answer.total;
    const terms = await use(vocabularyPlugin).terms();
    const named = services.graderOf(terms).matcher.match({ ...emptyRecord('content'), title: text });
    return {
      headers: { 'Cache-Control': 'private, no-store' },
      body: {
        query: query.q,
        retrieval_version: RETRIEVAL_VERSION,
        index_version: version,
        results: answer.records.map(pick),
        total_returned: answer.records.length,
        total_estimate: answer.total,
        latency_ms: Math.round(performance.now() - startedAt),
        reranker_used: false,
        next_cursor: more ? encodeCursor([offset + query.top_k, version]) : null,
        resolved: named.supplements.map(({ slug }) => ({
          input: text,
          id: slug,
          type: 'supplement',
          match_type: 'name',
        })),
        facets: answer.facets,
        warnings,
      },
    };
  },
});

/** What a caller need not repeat in an address. */
const isDefault = (name: string, value: unknown): boolean =>
  (SourcesRequest.properties as Record<string, { default?: unknown }>)[name]?.default === value;

const linkHeader = (
  baseUrl: string,
  query: Readonly<Record<string, unknown>>,
  page: number,
  lastPage: number,
): string => {
  const given = Object.entries(query).filter(
    ([name, value]) => value !== undefined && name !== 'cursor' && name !== 'page' && !isDefault(name, value),
  );
  const address = (to: number): string => {
    const params = new URLSearchParams([
      ...given.map(([name, value]): [string, string] => [name, String(value)]),
      ['page', String(to)],
    ]);
    return `<${baseUrl}/api/sources?${params}>`;
  };
  const links = [`${address(1)}; rel="first"`, `${address(lastPage)}; rel="last"`];
  if (page > 1) links.push(`${address(Math.min(page - 1, lastPage))}; rel="prev"`);
  if (page < lastPage) links.push(`${address(page + 1)}; rel="next"`);
  return links.join(', ');
};

const bibliographic = (rows: readonly SourceRow[], format: Exclude<SourceFormat, 'json'>, indexVersion: string) => {
  const writer = formats[format];
  const context = { indexVersion };
  const body = [writer.head(context), ...rows.map((row, at) => writer.row(row, context, at)), writer.tail()].join('');
  return {
    type: `${writer.mediaType}; charset=utf-8`,
    body,
    headers: { 'Content-Disposition': `attachment; filename="sources.${writer.extension}"` },
  };
};

const sources = defineRoute<EvidenceServices, { query: typeof SourcesRequest }>({
  id: 'sources.list',
  method: 'GET',
  path: '/api/sources',
  summary: 'List sources by filter, strongest first',
  tag: 'Evidence',
  access: 'limited',
  request: { query: SourcesRequest },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'One page of sources', schema: SourcesPage },
    ...SOURCE_FORMATS.filter((name) => name !== 'json').map((name) => ({
      status: 200,
      mediaType: formats[name].mediaType.split(';')[0] ?? '',
      description: `The page as ${name} (format=${name})`,
    })),
  ],
  raises: ['validation_failed'],
  handle: async ({ services, db, config }, { query }) => {
    checkYears(query);
    const { page, page_size } = query;
    if (page * page_size > MAX_OFFSET)
      throw invalid('query', 'page', `page times page_size should be at most ${MAX_OFFSET}`, page);
    const filter: SourceFilter = {
      vertical: query.vertical,
      sourceClass: query.source_class,
      evidenceLevel: query.evidence_level,
      minScore: query.min_score,
      yearFrom: query.year_from,
      yearTo: query.year_to,
      excludeRetracted: query.exclude_retracted,
    };
    const place = query.cursor ? decodeCursor(query.cursor) : null;
    const after = place ? { score: place[0], sourceId: place[1] } : undefined;
    const [total, rows] = await db.read(async (em) => [
      await countSources(em, filter),
      await listSources(em, filter, { limit: page_size + 1, offset: (page - 1) * page_size, after }),
    ]);
    const shown = rows.slice(0, page_size);
    const last = shown.at(-1);
    const hasNext = rows.length > page_size;
    const lastPage = Math.max(1, Math.ceil(total / page_size));
    const Link = linkHeader(config.text('BASE_URL'), query, page, lastPage);
    if (query.format !== 'json') {
      const file = bibliographic(shown, query.format as Exclude<SourceFormat, 'json'>, services.index.state().version);
      return { ...file, headers: { ...file.headers, Link } };
    }
    return {
      headers: { Link },
      body: {
        sources: shown.map(toRecord),
        page,
        page_size,
        total,
        total_pages: Math.ceil(total / page_size),
        has_next: hasNext,
        next_cursor: hasNext && last ? encodeCursor([last.qualityScore, last.sourceId]) : null,
      },
    };
  },
});

const methodology = defineRoute<EvidenceServices, Record<string, never>>({
  id: 'methodology',
  method: 'GET',
  path: '/api/methodology',
  summary: 'The grading formula as data',
  description: 'Every constant that a grade is made of, with the version that each record names.',
  tag: 'Evidence',
  access: 'public',
  request: {},
  replies: [
    { status: 200, mediaType: 'application/json', description: 'Formula, caps, tiers, retrieval', schema: METHODOLOGY },
  ],
  raises: [],
  handle: async ({ services }) => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { ...services.formula, retrieval_version: RETRIEVAL_VERSION, index_version: services.index.state().version },
  }),
});

export const evidenceRoutes = [search, sources, methodology] as readonly Route<EvidenceServices>[];
