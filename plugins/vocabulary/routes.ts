/** All routes of the vocabulary; this file defines /api/resolve, which returns the meaning of a name. */
import { defineRoute, type Route } from '#core/plugin.ts';
import { conditionRoute, conditionsRoute } from './condition-routes.ts';
import { resolvedRecord, warningRecord } from './records.ts';
import type { Kind } from './resolver.ts';
import { json } from './route-parts.ts';
import { ResolveAnswer, ResolveRequest } from './route-schemas.ts';
import type { VocabularyServices } from './services.ts';
import { supplementRoute, supplementsRoute } from './supplement-routes.ts';
import { isExplained } from './terms.ts';

const resolve = defineRoute<VocabularyServices, { query: typeof ResolveRequest }>({
  id: 'names.resolve',
  method: 'GET',
  path: '/api/resolve',
  summary: 'What a name means, and how sure that is',
  description:
    'Takes a slug, name, synonym, Latin name, brand, misspelling, UNII, RxCUI, UMLS CUI or MeSH id. `near` has what else it ' +
    'may mean when that is not sure; `warning` stands where the name is of a banned or restricted substance, with a page or not.',
  tag: 'Supplements',
  access: 'limited',
  request: { query: ResolveRequest },
  replies: [
    { status: 200, ...json, description: 'The meaning, or null with the nearest names', schema: ResolveAnswer },
  ],
  raises: ['validation_failed'],
  handle: async ({ services, config }, { query: { name, kind } }) => {
    const kinds = kind ? [kind as Kind] : undefined;
    const baseUrl = config.text('BASE_URL');
    const resolved = await services.resolve(name, kinds);
    const sure = resolved !== null && resolved.match_type !== 'typo';
    const near = sure ? [] : await services.near(name, 6, kinds);
    const { substances } = await services.terms();
    const substance = resolved && resolved.kind !== 'condition' ? substances.get(resolved.slug) : undefined;
    return {
      body: {
        resolved: resolved && resolvedRecord(resolved, baseUrl),
        near: near
          .filter((hit) => hit.slug !== resolved?.slug || hit.kind !== resolved.kind)
          .slice(0, 5)
          .map((hit) => resolvedRecord(hit, baseUrl)),
        warning: substance && !isExplained(substance.kind) ? warningRecord(substance) : null,
      },
    };
  },
});

export const vocabularyRoutes = [
  supplementsRoute,
  supplementRoute,
  conditionsRoute,
  conditionRoute,
  resolve,
] as readonly Route<VocabularyServices>[];
