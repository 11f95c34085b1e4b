import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';

/** What is sold: labels, brands, market figures, recalls. */
export const productsPlugin = definePlugin({
  name: 'products',
  summary: 'Products, brands and market figures from labels',
  dependencies: [vocabularyPlugin, evidencePlugin, interactionsPlugin],
  start: () => ({}),
});
