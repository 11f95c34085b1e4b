import { definePlugin } from '#core/plugin.ts';
import { catalogPlugin } from '#plugins/catalog/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { benchmarkPage } from './benchmark.ts';
import { disclaimerPage } from './disclaimer.ts';
import { homePage } from './home.ts';
import { methodologyPage } from './methodology.ts';
import { type PageServices, startPages } from './services.ts';

/** Pages that belong to no one feature: the front page and the policies. */
export const pagesPlugin = definePlugin<PageServices>({
  name: 'pages',
  summary: 'Front page, methodology, measured figures, disclaimer',
  dependencies: [vocabularyPlugin, evidencePlugin, outcomesPlugin, interactionsPlugin, productsPlugin, catalogPlugin],
  pages: [homePage, methodologyPage, benchmarkPage, disclaimerPage],
  start: startPages,
});
