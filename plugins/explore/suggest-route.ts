/** Defines GET /api/suggest. */
import { invalid } from '#core/http/validate.ts';
import { defineRoute } from '#core/plugin.ts';
import { listed } from './graph-route.ts';
import { SuggestQuery, SuggestReply } from './schemas.ts';
import type { ExploreServices } from './services.ts';
import { SUGGEST_KINDS } from './suggest.ts';

/**
 * Parses a comma-separated list of kinds.
 * @throws AppError 422 with the valid kinds when one is unknown.
 */
export const kindsOf = (text: string): readonly string[] => {
  const kinds = listed(text);
  const wrong = kinds.find((name) => !(SUGGEST_KINDS as readonly string[]).includes(name));
  if (wrong !== undefined) throw invalid('query', 'kind', `Input should be of ${SUGGEST_KINDS.join(', ')}`, wrong);
  return kinds;
};

export const suggestRoute = defineRoute<ExploreServices, { query: typeof SuggestQuery }>({
  id: 'suggest',
  method: 'GET',
  path: '/api/suggest',
  summary: 'Complete a name over all kinds of things',
  description:
    'Names that begin with `q`, then those that contain it, kinds in turn; where there are none, the nearest names, as `typo`. A `substance` is a warning: banned, restricted, or no supplement.',
  tag: 'Search',
  access: 'limited',
  request: { query: SuggestQuery },
  replies: [{ status: 200, mediaType: 'application/json', description: 'Names, best first', schema: SuggestReply }],
  raises: ['validation_failed'],
  handle: async ({ services }, { query }) => ({
    body: { query: query.q, items: await services.suggest(query.q, query.limit, kindsOf(query.kind)) },
  }),
});
