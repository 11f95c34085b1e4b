/** Routes GET /api/findings and GET /api/findings/{finding_id}. */
import { Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import { defineRoute } from '#core/plugin.ts';
import {
  checkPage,
  echoOf,
  linkHeader,
  pageOf,
  supplementFilter,
  vocabularyPlugin,
} from '#plugins/vocabulary/index.ts';
import type { FindingServices } from './book.ts';
import { FindingRecord, FindingsQuery, FindingsReply } from './schemas.ts';
import { toRecord } from './view.ts';
import type { Finding } from './vocabulary.ts';

interface Filter {
  readonly topic?: string;
  readonly vertical?: string;
  readonly condition?: string;
  readonly people?: string;
  readonly source?: string;
  readonly design?: string;
  readonly certainty?: string;
  readonly direction?: string;
  readonly importance?: string;
  readonly use?: string;
}

const EQUAL = ['topic', 'vertical', 'people', 'design', 'certainty', 'direction', 'importance', 'use'] as const;

const matches = (finding: Finding, filter: Filter, supplement: string | null): boolean =>
  (supplement === null || finding.supplements.includes(supplement)) &&
  EQUAL.every((field) => filter[field] === undefined || finding[field] === filter[field]) &&
  (filter.source === undefined || finding.source === filter.source.trim().toLowerCase()) &&
  (filter.condition === undefined || finding.condition === (filter.condition === 'none' ? '' : filter.condition));

export const findingsRoute = defineRoute<FindingServices, { query: typeof FindingsQuery }>({
  id: 'findings.list',
  method: 'GET',
  path: '/api/findings',
  summary: 'Results of reviews and trials: who, compared with what, how large, how certain',
  description:
    'One finding is one result on one outcome from one source, with its figures and the certainty that the authors gave. Words are ours. A finding holds for its own population. No findings means that nobody here has entered one, not that something is safe or does not work. The whole list can be exported as the dataset `findings`.',
  tag: 'Outcomes',
  access: 'limited',
  request: { query: FindingsQuery },
  replies: [{ status: 200, mediaType: 'application/json', description: 'A page of findings', schema: FindingsReply }],
  links: { 'findings.one': { finding_id: '/findings/0/id' }, 'outcomes.one': { vertical: '/findings/0/vertical' } },
  raises: ['validation_failed'],
  handle: async ({ services, use, config }, { query }) => {
    checkPage(query);
    const supplement = await supplementFilter(use(vocabularyPlugin), query.supplement);
    const { all } = await services.book();
    const found = all.filter((finding) => matches(finding, query, supplement.slug));
    const { shown, members } = pageOf(found, query);
    const baseUrl = config.text('BASE_URL');
    return {
      headers: { Link: linkHeader(`${baseUrl}/api/findings`, query, found.length) },
      body: { findings: shown.map(toRecord), ...members, resolved: echoOf(supplement, baseUrl) },
    };
  },
});

const FindingParams = Type.Object({
  finding_id: Type.String({ maxLength: 260, description: 'Percent-encoded, as `id` has it: `pmid:27589952#1a`.' }),
});

export const findingRoute = defineRoute<FindingServices, { params: typeof FindingParams }>({
  id: 'findings.one',
  method: 'GET',
  path: '/api/findings/{finding_id}',
  summary: 'One finding by its id',
  tag: 'Outcomes',
  access: 'limited',
  request: { params: FindingParams },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The finding', schema: FindingRecord }],
  raises: ['not_found', 'validation_failed'],
  handle: async ({ services }, { params }) => {
    const { all } = await services.book();
    const found = all.find(({ id }) => id === params.finding_id);
    if (!found) throw notFound('Finding', params.finding_id, []);
    return { body: toRecord(found) };
  },
});
