import { definePlugin } from '#core/plugin.ts';
import { catalogPlugin } from '#plugins/catalog/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { disclaimerPage } from './disclaimer.ts';
import { homePage } from './home.ts';
import { methodologyPage } from './methodology.ts';

/** Pages that belong to no one feature: the front page and the policies. */
export const pagesPlugin = definePlugin({
  name: 'pages',
  summary: 'Front page, methodology, disclaimer',
  dependencies: [vocabularyPlugin, evidencePlugin, interactionsPlugin, productsPlugin, catalogPlugin],
  pages: [homePage, methodologyPage, disclaimerPage],
  start: () => ({}),
});
