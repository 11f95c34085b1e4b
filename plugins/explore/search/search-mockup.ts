/** Defines /v2/mockup/search: an experimental layout of /search, with kinds and source filters beside the hits. */
import { Type } from 'typebox';
import { type Context, definePage } from '#core/plugin.ts';
import type { ExploreServices } from '../services.ts';
import { searchPage } from './search-page.ts';
import { SearchView } from './search-view.ts';

export const searchMockupPage = definePage({
  id: 'explore.search-mockup',
  path: '/v2/mockup/search',
  summary: 'Search in a trial layout, with kinds and tiers beside the hits',
  template: 'explore/search-mockup',
  query: Type.Object({ q: Type.String({ maxLength: 500, default: '' }) }),
  view: SearchView,
  scope: 'public',
  sitemap: null,
  revision: 1,
  load: async (context: Context<ExploreServices>, { query }) => {
    const answer = await searchPage.load(context, { params: {}, query: { q: query.q, type_filter: '', page: 1 } });
    if (!('view' in answer)) return answer;
    const { title, description } = answer.head;
    return { head: { title: `${title} (trial layout)`, description, noindex: true }, view: answer.view as SearchView };
  },
});
