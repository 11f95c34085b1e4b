import { invalid } from '#core/http/validate.ts';
import { defineRoute, type Route } from '#core/plugin.ts';
import { checkYears } from './check-years.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { formats } from './formats/index.ts';
import { METHODOLOGY } from './methodology.ts';
import { SOURCE_FORMATS, type SourceFormat, SourcesPage, SourcesRequest } from './schemas.ts';
import { RETRIEVAL_VERSION } from './search.ts';
import { searchRoutes } from './search-routes.ts';
import type { EvidenceServices } from './services.ts';
import { countSources, listSources, type SourceFilter } from './source-list.ts';
import { type SourceRow, toRecord } from './source-view.ts';

/** Maximum product of page number and page size, so that the offset stays within range. */
const MAX_OFFSET = 1_000_000;

/** Returns whether a parameter has its default value, so that links can omit it. */
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
  links: {
    'evidence.source': { source_id: '/sources/0/source_id' },
    'evidence.similar': { source_id: '/sources/0/source_id' },
  },
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

export const evidenceRoutes = [...searchRoutes, sources, methodology] as readonly Route<EvidenceServices>[];
