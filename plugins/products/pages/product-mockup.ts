/**
 * Builds /v2/mockup/product/{dsld_id}: a trial layout of the product's page that begins with its doses. It shows the same
 * data as the page.
 */
import { Type } from 'typebox';
import { type Context, definePage } from '#core/plugin.ts';
import { DsldId } from '../schemas.ts';
import type { ProductServices } from '../services.ts';
import { productPage } from './product-page.ts';
import { ProductView } from './product-view.ts';

export const productMockupPage = definePage({
  id: 'products.product-mockup',
  path: '/v2/mockup/product/{dsld_id}',
  summary: 'One product in a trial layout, led by its doses',
  template: 'products/product-mockup',
  params: DsldId,
  query: Type.Object({}),
  view: ProductView,
  scope: 'public',
  sitemap: null,
  revision: 1,
  load: async (context: Context<ProductServices>, { params }) => {
    const answer = await productPage.load(context, { params, query: {} });
    if (!('view' in answer)) return answer;
    const { title, description } = answer.head;
    return { head: { title: `${title} (trial layout)`, description, noindex: true }, view: answer.view as ProductView };
  },
});
