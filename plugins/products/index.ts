import { definePlugin } from '#core/plugin.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { labelImporter, productsCommand } from './commands.ts';
import { productDataset } from './dataset.ts';
import { productEntities } from './entities.ts';
import { imageJobs, imageRoutes } from './images/index.ts';
import { productPages } from './pages/index.ts';
import { recallImporter } from './recall-importing.ts';
import { productRoutes } from './routes.ts';
import { type ProductServices, startProducts } from './services.ts';

/** Registers the plugin for products: labels, brands, market figures, recalls. */
export const productsPlugin = definePlugin<ProductServices>({
  name: 'products',
  summary: 'Products, brands and market figures from labels',
  dependencies: [devicesPlugin, vocabularyPlugin, evidencePlugin, interactionsPlugin, keysPlugin],
  settings: [
    {
      name: 'STARTER_PRODUCTS',
      kind: 'text',
      fallback: 'all',
      meaning: 'Products shipped with the program: all, core (only those of the file of 2026) or none.',
      choices: ['all', 'core', 'none'],
    },
    {
      name: 'VOTERS_KEEP_DAYS',
      kind: 'integer',
      fallback: '400',
      meaning:
        'Days until the record of who voted on, chose or reported a label picture is deleted; the votes still count.',
      from: 1,
      to: 36_500,
    },
  ],
  entities: productEntities,
  routes: [...productRoutes, ...imageRoutes],
  pages: productPages,
  jobs: imageJobs,
  commands: [productsCommand],
  importers: [labelImporter, recallImporter],
  datasets: [productDataset],
  start: startProducts,
  ready: async ({ services, signal }) => {
    await services.starter.begin(signal);
    await services.warm();
  },
  background: (services) => services.starter.goOn(),
  stages: ({ progress }) => {
    const state = progress();
    return state ? [{ name: 'load_products', startedAt: null, succeededAt: null, ...state }] : [];
  },
  stop: (services) => services.stop(),
});

export { inBaseUnit } from './card/dose.ts';
export type { LoadedCard, MarketProfile } from './catalogue.ts';
export { type StudiedDose, supplementDoses } from './pages/dose-chart-rows.ts';
export { type ProductLine, productLine } from './pages/product-rows.ts';
export { ProductCard, ProductReply, ProductsReply } from './schemas.ts';
export type { ProductServices } from './services.ts';
