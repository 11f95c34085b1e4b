/** Builds /product/{dsld_id}: one label, the evidence for its ingredients, and its provenance. */
import { Type } from 'typebox';
import { type Context, definePage, type PageChanges, type PageInstance } from '#core/plugin.ts';
import { breadcrumbs, versionOf } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import type { LoadedCard } from '../catalogue.ts';
import { imagesOf } from '../images/index.ts';
import { DsldId } from '../schemas.ts';
import type { ProductServices } from '../services.ts';
import { shortened } from './product-figures.ts';
import { lastChange, type ProductState, productStates, productsChangedSince } from './product-states.ts';
import { ProductView, productView } from './product-view.ts';
import { productData } from './structured-data.ts';
import { imageVersions, recallVersions, substancesVersion, supplementVersions } from './versions.ts';

interface Asked {
  readonly dsld_id: number | string;
}

const nameOf = ({ name, brand }: ProductView): string => `${name}${brand && ` by ${brand}`}`;

const headOf = (loaded: LoadedCard, view: ProductView, baseUrl: string) => ({
  // Many labels share a name; the number distinguishes them.
  title: `${shortened(nameOf(view), 84)}: label ${view.dsldId}`,
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

/** Reads the versions of everything that the pages show, except the products themselves. */
const readAround = async (context: Context<ProductServices>) => ({
  supplements: await supplementVersions(context),
  substances: await substancesVersion(context),
  ...(await context.db.read(async (em) => ({ recalls: await recallVersions(em), images: await imageVersions(em) }))),
});

type Around = Awaited<ReturnType<typeof readAround>>;

const instanceOf = ({ supplements, substances, recalls, images }: Around): ((of: ProductState) => PageInstance) => {
  const versionsOfHeld = new Map<string, string>();
  /** Cached, because most products share their set of supplements with many others. */
  const heldVersion = (slugs: string): string => {
    const known = versionsOfHeld.get(slugs);
    if (known !== undefined) return known;
    const made = (JSON.parse(slugs) as string[]).map((slug) => supplements.get(slug) ?? slug).join(' ');
    versionsOfHeld.set(slugs, made);
    return made;
  };
  return ({ id, change, last, supplements: slugs }) => {
    const own = `${recalls.get(id) ?? ''}|${images.get(id) ?? ''}`;
    return {
      params: { dsld_id: String(id) },
      version: `${change}|${heldVersion(slugs)}|${own}|${substances}`,
      changedAt: last,
    };
  };
};

async function* listProducts(context: Context<ProductServices>): AsyncIterable<PageInstance> {
  const toInstance = instanceOf(await readAround(context));
  for await (const state of productStates(context)) yield toInstance(state);
}

/** Returns the changed products, or null when data that many pages show has changed too. */
const changesOfProducts = async (context: Context<ProductServices>, since: string | null): Promise<PageChanges> => {
  const around = await readAround(context);
  const shared = versionOf(...Object.values(around).map((part) => (typeof part === 'string' ? part : [...part])));
  const last = await context.db.read(lastChange);
  const state = `${shared}/${last}`;
  const [sharedBefore, lastBefore] = since?.split('/') ?? [];
  if (sharedBefore !== shared || lastBefore === undefined) return { state, changed: null };
  const changed = await context.db.read((em) => productsChangedSince(em, Number(lastBefore)));
  return { state, changed: changed?.map(instanceOf(around)) ?? null };
};

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
  revision: 4,
  list: listProducts,
  changes: changesOfProducts,
  load: async (context: Context<ProductServices>, { params }) => {
    const [answer] = await loadProducts(context, [params]);
    return answer as NonNullable<typeof answer>;
  },
  loadMany: (context: Context<ProductServices>, params) => loadProducts(context, params),
});
