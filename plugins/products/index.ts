import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { labelImporter } from './commands.ts';
import { productEntities } from './entities.ts';
import { type ProductServices, startProducts } from './services.ts';

/** What is sold: labels, brands, market figures, recalls. */
export const productsPlugin = definePlugin<ProductServices>({
  name: 'products',
  summary: 'Products, brands and market figures from labels',
  dependencies: [vocabularyPlugin, evidencePlugin, interactionsPlugin],
  entities: productEntities,
  importers: [labelImporter],
  start: startProducts,
  stop: (services) => services.stop(),
});
