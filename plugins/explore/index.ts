import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';

/** Ways in that cross the kinds: suggest, entities, the graph. */
export const explorePlugin = definePlugin({
  name: 'explore',
  summary: 'Suggest over all kinds, and the graph',
  dependencies: [vocabularyPlugin, evidencePlugin, interactionsPlugin, productsPlugin],
  start: () => ({}),
});
