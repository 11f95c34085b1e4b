import { definePlugin } from '#core/plugin.ts';
import { catalogPlugin } from '#plugins/catalog/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { findingsPlugin } from '#plugins/findings/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { benchmarkPage } from './benchmark.ts';
import { changesPage } from './discovery/changes-page.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { homePage } from './home.ts';
import { methodologyPage } from './methodology.ts';
import { retailerPage } from './retailer.ts';
import { type PageServices, startPages } from './services.ts';
import { documentContent } from './texts/document-content.ts';
import { documentPage, documentsPage } from './texts/document-page.ts';
import { PageText } from './texts/entities.ts';
import { policyContent } from './texts/policy-content.ts';
import { policyPages } from './texts/policy-page.ts';

/** Registers the pages that belong to no single feature, such as the front page and the policies. */
export const pagesPlugin = definePlugin<PageServices>({
  name: 'pages',
  summary: 'Front page, methodology, measured figures, policies',
  dependencies: [
    vocabularyPlugin,
    evidencePlugin,
    outcomesPlugin,
    findingsPlugin,
    interactionsPlugin,
    productsPlugin,
    catalogPlugin,
  ],
  entities: [PageText],
  routes: discoveryRoutes,
  pages: [
    homePage,
    methodologyPage,
    benchmarkPage,
    changesPage,
    ...policyPages,
    documentsPage,
    documentPage,
    retailerPage,
  ],
  content: [policyContent, documentContent],
  start: startPages,
});
