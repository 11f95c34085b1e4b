import { definePlugin } from '#core/plugin.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { findingsPlugin } from '#plugins/findings/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { bestPage } from './best-page.ts';
import { conditionPage } from './condition-page.ts';
import { conditionsPage } from './conditions-page.ts';
import { supplementPage, supplementV2Page } from './supplement-page.ts';
import { supplementsPage } from './supplements-page.ts';

/** Pages on supplements and conditions: the directories and one page each. */
export const catalogPlugin = definePlugin({
  name: 'catalog',
  summary: 'Supplement and condition pages',
  dependencies: [
    vocabularyPlugin,
    evidencePlugin,
    findingsPlugin,
    outcomesPlugin,
    interactionsPlugin,
    biomarkersPlugin,
    productsPlugin,
  ],
  pages: [supplementsPage, supplementPage, supplementV2Page, bestPage, conditionsPage, conditionPage],
  start: () => ({}),
});

export { CATEGORY_WORDS, CONDITION_CATEGORY_WORDS } from './catalog-labels.ts';
export { type Numbering, numberCitations } from './citations.ts';
