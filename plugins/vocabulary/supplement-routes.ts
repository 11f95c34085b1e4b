/** Routes of /api/supplements: supplements as data. */
import { defineRoute } from '#core/plugin.ts';
import { linkHeader, pageOf } from './paging.ts';
import { supplementRecord, supplementSummary } from './records.ts';
import { elsewhere, json, matching, moved } from './route-parts.ts';
import { SlugPath, SupplementRecord, SupplementsPage, SupplementsRequest } from './route-schemas.ts';
import type { VocabularyServices } from './services.ts';

export const supplementsRoute = defineRoute<VocabularyServices, { query: typeof SupplementsRequest }>({
  id: 'supplements.list',
  method: 'GET',
  path: '/api/supplements',
  summary: 'List supplements with names, ids and reference intakes',
  description: 'By name, or by match where `q` is given: a name, its beginning or a part, a synonym, a misspelling.',
  tag: 'Supplements',
  access: 'limited',
  request: { query: SupplementsRequest },
  replies: [{ status: 200, ...json, description: 'One page of supplements', schema: SupplementsPage }],
  links: {
    'supplements.read': { slug: '/supplements/0/slug' },
    'products.market': { supplement_slug: '/supplements/0/slug' },
  },
  raises: ['validation_failed'],
  handle: async (context, { query }) => {
    const { category, tradition, q } = query;
    const baseUrl = context.config.text('BASE_URL');
    const terms = await context.services.terms();
    const { found, resolved } = await matching(context, terms.supplements, { q, kind: 'supplement' });
    const rows = found.filter(
      (row) => (!category || row.category === category) && (!tradition || row.traditions.includes(tradition)),
    );
    const { shown, members } = pageOf(rows, query);
    return {
      headers: { Link: linkHeader(`${baseUrl}/api/supplements`, query, rows.length) },
      body: { supplements: shown.map((row) => supplementSummary(row, terms, baseUrl)), ...members, resolved },
    };
  },
});

export const supplementRoute = defineRoute<VocabularyServices, { params: typeof SlugPath }>({
  id: 'supplements.read',
  method: 'GET',
  path: '/api/supplements/{slug}',
  summary: 'One supplement: names, ids, forms, doses as studied, safety, reference intake',
  description:
    'Another name of a supplement answers 301 to its slug. A substance without a page answers 404 with `warning`.',
  tag: 'Supplements',
  access: 'limited',
  request: { params: SlugPath },
  replies: [{ status: 200, ...json, description: 'The supplement', schema: SupplementRecord }, moved],
  links: {
    'products.market': { supplement_slug: '/slug' },
    'products.list': { supplement: '/slug' },
    'interactions.list': { supplement: '/slug' },
    'outcomes.list': { supplement: '/slug' },
  },
  raises: ['not_found'],
  handle: async (context, { params: { slug } }) => {
    const terms = await context.services.terms();
    const row = terms.supplements.get(slug);
    if (!row) return elsewhere(context, { kind: 'supplement', slug });
    return { body: supplementRecord(row, terms, context.config.text('BASE_URL')) };
  },
});
