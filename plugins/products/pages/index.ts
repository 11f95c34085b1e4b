/** The pages of products: one label, what is sold of a supplement, brands, the search. */
import type { Page } from '#core/plugin.ts';
import type { ProductServices } from '../services.ts';
import { productPage } from './product-page.ts';

export const productPages: readonly Page<ProductServices>[] = [productPage];
