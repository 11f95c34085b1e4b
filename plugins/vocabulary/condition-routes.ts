/** Routes of /api/conditions: conditions as data. */
import { defineRoute } from '#core/plugin.ts';
import { linkHeader, pageOf } from './paging.ts';
import { conditionRecord, conditionSummary } from './records.ts';
import { elsewhere, json, matching, moved } from './route-parts.ts';
import { ConditionRecord, ConditionsPage, ConditionsRequest, SlugPath } from './route-schemas.ts';
import type { VocabularyServices } from './services.ts';

export const conditionsRoute = defineRoute<VocabularyServices, { query: typeof ConditionsRequest }>({
  id: 'conditions.list',
  method: 'GET',
  path: '/api/conditions',
  summary: 'List conditions with names, ids and topics',
  description: 'By name, or by match where `q` is given: a name, its beginning or a part, a synonym, a misspelling.',
  tag: 'Conditions',
  access: 'limited',
  request: { query: ConditionsRequest },
  replies: [{ status: 200, ...json, description: 'One page of conditions', schema: ConditionsPage }],
  links: { 'conditions.read': { slug: '/conditions/0/slug' } },
  raises: ['validation_failed'],
  handle: async (context, { query }) => {
    const { category, q } = query;
    const baseUrl = context.config.text('BASE_URL');
    const terms = await context.services.terms();
    const { found, resolved } = await matching(context, terms.conditions, { q, kind: 'condition' });
    const rows = found.filter((row) => !category || row.category === category);
    const { shown, members } = pageOf(rows, query);
    return {
      headers: { Link: linkHeader(`${baseUrl}/api/conditions`, query, rows.length) },
      body: { conditions: shown.map((row) => conditionSummary(row, terms, baseUrl)), ...members, resolved },
    };
  },
});

export const conditionRoute = defineRoute<VocabularyServices, { params: typeof SlugPath }>({
  id: 'conditions.read',
  method: 'GET',
  path: '/api/conditions/{slug}',
  summary: 'One condition: names, ids, topics, questions for a doctor, signs that need help at once',
  description: 'Another name of a condition answers 301 to its slug.',
  tag: 'Conditions',
  access: 'limited',
  request: { params: SlugPath },
  replies: [{ status: 200, ...json, description: 'The condition', schema: ConditionRecord }, moved],
  raises: ['not_found'],
  handle: async (context, { params: { slug } }) => {
    const terms = await context.services.terms();
    const row = terms.conditions.get(slug);
    if (!row) return elsewhere(context, { kind: 'condition', slug });
    return { body: conditionRecord(row, terms, context.config.text('BASE_URL')) };
  },
});
