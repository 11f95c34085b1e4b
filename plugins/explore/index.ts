import { definePlugin } from '#core/plugin.ts';
import { articlesPlugin } from '#plugins/articles/index.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { boxRoute } from './box-route.ts';
import { graphAssetRoute, graphDataRoute } from './graph-route.ts';
import { entitiesPage, graphPage } from './pages.ts';
import { searchMockupPage } from './search/search-mockup.ts';
import { searchPage } from './search/search-page.ts';
import { warmSearch } from './search/warm-search.ts';
import { type ExploreServices, startExploring } from './services.ts';
import { suggestRoute } from './suggest-route.ts';

/** Registers search, suggestions, the entity directory and the graph, which cover all kinds of things. */
export const explorePlugin = definePlugin<ExploreServices>({
  name: 'explore',
  summary: 'Search and suggest over all kinds, and the graph',
  dependencies: [
    vocabularyPlugin,
    evidencePlugin,
    interactionsPlugin,
    productsPlugin,
    outcomesPlugin,
    articlesPlugin,
    biomarkersPlugin,
  ],
  routes: [suggestRoute, boxRoute, graphDataRoute, graphAssetRoute],
  pages: [searchPage, searchMockupPage, graphPage, entitiesPage],
  start: startExploring,
  warm: warmSearch,
});
