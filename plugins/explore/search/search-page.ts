/** Defines /search: one search box over all kinds, which are shown as tabs. */
import { type Context, definePage } from '#core/plugin.ts';
import type { ExploreServices } from '../services.ts';
import { searchAll } from './search.ts';
import { SearchQuery, SearchView } from './search-view.ts';

const EMPTY: SearchView = {
  query: '',
  chosen: '',
  tabs: [],
  resolved: [],
  corrected: null,
  check: null,
  best: null,
  isEmergency: false,
  questions: [],
  sections: [],
  total: 0,
  warnings: [],
  isAway: false,
  near: [],
};

export const searchPage = definePage({
  id: 'explore.search',
  path: '/search',
  summary: 'Search over supplements, conditions, interactions, products and sources',
  template: 'explore/search',
  query: SearchQuery,
  view: SearchView,
  scope: 'public',
  sitemap: null,
  revision: 3,
  load: async (context: Context<ExploreServices>, { query }) => {
    const q = query.q.trim();
    const view = q ? await searchAll(context, { ...query, q }) : { ...EMPTY, chosen: query.type_filter };
    return {
      head: {
        title: q ? `Search for “${q.slice(0, 80)}”` : 'Search',
        description:
          'One search over supplements, conditions, interactions with medicines, products and graded sources, with the reason for each hit.',
        noindex: q !== '',
      },
      view,
    };
  },
});
