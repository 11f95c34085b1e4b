/** Exports the pages of products: one label, the market of a supplement, brands, and search. */
import type { Page } from '#core/plugin.ts';
import type { ProductServices } from '../services.ts';
import { brandPage } from './brand-page.ts';
import { brandsPage } from './brands-page.ts';
import { productMockupPage } from './product-mockup.ts';
import { productPage } from './product-page.ts';
import { productsPage } from './search-page.ts';
import { supplementProductsPage } from './supplement-products-page.ts';

export const productPages: readonly Page<ProductServices>[] = [
  supplementProductsPage,
  brandsPage,
  brandPage,
  productsPage,
  productPage,
  productMockupPage,
];
