/** /product/{dsld_id}: one label, what the evidence says of what is in it, and where that is known from. */
import { Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { breadcrumbs } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import type { LoadedCard } from '../catalogue.ts';
import { imagesOf } from '../images/index.ts';
import { DsldId } from '../schemas.ts';
import type { ProductServices } from '../services.ts';
import { ProductView, productView } from './product-view.ts';
import { productData } from './structured-data.ts';
import { imageVersions, recallVersions, substancesVersion, supplementVersions } from './versions.ts';
import { shortened } from './words.ts';

interface Asked {
  readonly dsld_id: number | string;
}

const nameOf = ({ name, brand }: ProductView): string => `${name}${brand && ` by ${brand}`}`;

const headOf = (loaded: LoadedCard, view: ProductView, baseUrl: string) => ({
  // Many labels have one name: the number tells them apart.
  title: `${shortened(nameOf(view), 84)}: label ${view.dsldId} and evidence`,
  description: shortened(
    `${shortened(nameOf(view), 70)}, label ${view.dsldId}: safety, interactions, what it states, doses beside trials.`,
  ),
  structuredData: [productData(loaded, baseUrl), breadcrumbs(baseUrl, view.crumbs)],
});

const loadProducts = async ({ db, services, use, config }: Context<ProductServices>, asked: readonly Asked[]) => {
  const ids = asked.map(({ dsld_id: id }) => Number(id));
  const interactions = use(interactionsPlugin);
  const known = { counts: await interactions.counts(), cautions: await interactions.cautions() };
  const cards = await services.cards(ids);
  const images = await db.read((em) => imagesOf(em, ids));
  const byId = new Map(cards.map((loaded) => [loaded.row.dsldId, loaded]));
  const baseUrl = config.text('BASE_URL');
  return ids.map((id) => {
    const loaded = byId.get(id);
    if (!loaded)
      return { missing: { resource: 'Product', id: String(id), near: [{ name: 'All brands', href: '/brands' }] } };
    const view = productView(loaded, known, images.get(id) ?? []);
    return { head: headOf(loaded, view, baseUrl), view };
  });
};

/** Rows per look: the whole list never stands in memory here. */
const BATCH = 5_000;

const STATES = `select p.dsld_id as id, p.change_number::text as change, p.supplements,
  to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last,
  (select string_agg(s.as_of::text || s.source || s.on_market::text, ',' order by s.as_of, s.source)
    from product_status s where s.dsld_id = p.dsld_id) as history
  from product p where p.removed_at is null and p.dsld_id > ? order by p.dsld_id limit ${BATCH}`;

interface State {
  readonly id: number;
  readonly change: string;
  readonly supplements: readonly string[];
  readonly last: string;
  readonly history: string | null;
}

async function* listProducts(context: Context<ProductServices>): AsyncIterable<PageInstance> {
  const supplements = await supplementVersions(context);
  const substances = await substancesVersion(context);
  const { recalls, images } = await context.db.read(async (em) => ({
    recalls: await recallVersions(em),
    images: await imageVersions(em),
  }));
  let after = -1;
  for (;;) {
    const rows = (await context.db.read((em) => em.execute(STATES, [after]))) as unknown as readonly State[];
    for (const { id, change, supplements: slugs, last, history } of rows) {
      const held = slugs.map((slug) => supplements.get(slug) ?? slug).join(' ');
      const version = [change, history ?? '', held, recalls.get(id) ?? '', images.get(id) ?? '', substances].join('|');
      yield { params: { dsld_id: String(id) }, version, changedAt: last };
    }
    const final = rows.at(-1);
    if (!final || rows.length < BATCH) return;
    after = final.id;
  }
}

export const productPage = definePage({
  id: 'products.product',
  path: '/product/{dsld_id}',
  summary: 'One product: safety, label facts, doses beside trials, market status',
  template: 'products/product',
  params: DsldId,
  query: Type.Object({}),
  view: ProductView,
  scope: 'public',
  sitemap: 'products',
  revision: 2,
  list: listProducts,
  load: async (context: Context<ProductServices>, { params }) => {
    const [answer] = await loadProducts(context, [params]);
    return answer as NonNullable<typeof answer>;
  },
  loadMany: (context: Context<ProductServices>, params) => loadProducts(context, params),
});
