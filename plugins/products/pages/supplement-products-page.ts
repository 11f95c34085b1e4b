/** Builds /supplements/{slug}/products: market figures of a supplement, and every product that contains it. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { CrumbList, inSentence, nearSupplements, versionOf } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { brandSlug } from '../brand-slug.ts';
import type { MarketProfile } from '../catalogue.ts';
import type { ProductIndex } from '../search/product-index.ts';
import type { ProductServices } from '../services.ts';
import { MarketFigures, marketFigures } from './market-view.ts';
import { addressOf, ChoiceView, PageNumber, PagerView, pagerOf } from './paging.ts';
import { shortened } from './product-figures.ts';
import { ProductLine, productLine } from './product-rows.ts';
import { listData } from './structured-data.ts';
import { supplementVersions } from './versions.ts';

const PAGE_SIZE = 50;
const SHOWN_CHOICES = 8;

const View = Type.Object({
  crumbs: CrumbList,
  name: Type.String(),
  nameInSentence: Type.String(),
  href: Type.String(),
  answer: Type.String(),
  market: MarketFigures,
  forms: Type.Array(ChoiceView),
  brands: Type.Array(ChoiceView),
  isFiltered: Type.Boolean(),
  filter: Type.String(),
  allHref: Type.String(),
  products: Type.Array(ProductLine),
  pager: PagerView,
});
type View = Static<typeof View>;

const Query = Type.Object({
  form: Type.String({ default: '', maxLength: 80, description: 'Part of the form’s name.' }),
  brand: Type.String({ default: '', maxLength: 120, description: 'Slug or name.' }),
  page: PageNumber,
});
type Query = Static<typeof Query>;

/** Parameters in the links of this list. */
type Filters = Readonly<Record<'form' | 'brand', string>>;

const answerOf = ({
  name,
  product_count: count,
  brand_count: brands,
  on_market_count: sold,
  unknown_market_count: unknown,
}: MarketProfile): string => {
  if (!count)
    return `No product in this base is known to hold ${inSentence(name)}. That does not mean that none is sold.`;
  const status = unknown ? ` Of ${unknown} it is not known whether they are sold.` : '';
  return `${count.toLocaleString('en-GB')} ${count === 1 ? 'label' : 'labels'} of ${brands} ${brands === 1 ? 'brand' : 'brands'} name ${inSentence(name)}; ${sold.toLocaleString('en-GB')} are known to be on the market.${status} Being listed says nothing about quality, effect or safety.`;
};

interface Asked {
  readonly slug: string;
  readonly filters: Filters;
  readonly page: number;
}

const choicesOf = ({ slug, filters }: Asked, index: ProductIndex, profile: MarketProfile) => {
  const path = `/supplements/${slug}/products`;
  const choice = (key: keyof Filters, value: string, name: string, count: number): ChoiceView => ({
    name,
    count,
    href: addressOf(path, { ...filters, [key]: filters[key] === value ? '' : value }),
    chosen: filters[key] === value,
  });
  const forms = profile.forms.filter(({ form }) => form !== 'not stated');
  const shownForms = forms.filter(({ form }, at) => at < SHOWN_CHOICES || form === filters.form);
  const known = filters.brand ? index.brands(slug).find((brand) => brand.slug === filters.brand) : undefined;
  const top = profile.top_brands.slice(0, SHOWN_CHOICES);
  const brands =
    known && !top.some(({ brand_slug: other }) => other === known.slug)
      ? [...top, { brand_slug: known.slug, name: known.name, count: known.products }]
      : top;
  return {
    forms: shownForms.map(({ form, count }) => choice('form', form, form, count)),
    brands: brands.map((brand) => choice('brand', brand.brand_slug, brand.name, brand.count)),
  };
};

/** Redirects another name of a supplement to its page; otherwise suggests similar names. */
const elsewhere = async ({ use }: Context<ProductServices>, slug: string) => {
  const vocabulary = use(vocabularyPlugin);
  const meant = await vocabulary.pageFor('supplement', slug);
  if (meant && meant !== slug) return { redirect: `/supplements/${meant}/products`, status: 301 as const };
  const near = nearSupplements(slug, await vocabulary.terms());
  return {
    missing: {
      resource: 'Supplement',
      id: slug,
      near: near.map(({ name, href }) => ({ name, href: `${href}/products` })),
    },
  };
};

const nameView = (slug: string, name: string) => ({
  crumbs: [
    { name: 'Supplements', href: '/supplements' },
    { name, href: `/supplements/${slug}` },
    { name: 'Products', href: `/supplements/${slug}/products` },
  ],
  name,
  nameInSentence: inSentence(name),
  href: `/supplements/${slug}`,
  allHref: `/supplements/${slug}/products`,
});

const load = async (context: Context<ProductServices>, asked: Asked) => {
  const { services, config } = context;
  const { slug, filters, page } = asked;
  const profile = await services.market(slug);
  if (!profile) return elsewhere(context, slug);
  const index = await services.index();
  const part = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  const { ids, total } = index.search({
    supplements: [slug],
    brandSlug: filters.brand,
    form: filters.form,
    ...part,
  });
  const rows = await services.rows(ids);
  const brand = index.brand(filters.brand)?.name ?? filters.brand;
  const names = nameView(slug, profile.name);
  const view: View = {
    ...names,
    answer: answerOf(profile),
    market: marketFigures(profile, (await services.facts()).get(slug)),
    ...choicesOf(asked, index, profile),
    isFiltered: Object.values(filters).some(Boolean),
    filter: [filters.form, brand].filter(Boolean).join(', '),
    products: rows.map((row) => productLine(row, slug)),
    pager: pagerOf({ path: names.allHref, filters, page, size: PAGE_SIZE, total }),
  };
  return { head: headOf(view, names.allHref, config.text('BASE_URL')), view };
};

const headOf = (view: View, path: string, baseUrl: string) => ({
  title: `${view.name}: products on the market${view.filter && `, ${view.filter}`}${view.pager.page > 1 ? `, page ${view.pager.page}` : ''}`,
  description: shortened(
    `${view.market.products} labels that name ${view.nameInSentence}: forms, amounts per serving beside doses in trials, brands, market status.`,
  ),
  noindex: view.isFiltered || view.pager.page > 1,
  structuredData: listData({
    baseUrl,
    name: `Products with ${view.nameInSentence}`,
    path,
    crumbs: view.crumbs,
    items: view.products,
  }),
});

/** Lists the first page of each supplement that a product contains. */
async function* list(context: Context<ProductServices>): AsyncIterable<PageInstance> {
  const versions = await supplementVersions(context);
  const { bySupplement } = await context.services.marketStates();
  for (const [slug, state] of [...bySupplement].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const version = versions.get(slug);
    if (version && state.products)
      yield { params: { slug }, version: versionOf(state, version), changedAt: state.last };
  }
}

export const supplementProductsPage = definePage({
  id: 'products.supplement',
  path: '/supplements/{slug}/products',
  summary: 'What is sold of a supplement: forms, doses on labels beside trials, brands, products',
  template: 'products/supplement-products',
  params: Type.Object({ slug: Type.String({ maxLength: 80 }) }),
  query: Query,
  view: View,
  scope: 'public',
  sitemap: 'supplements',
  revision: 2,
  list,
  load: (context: Context<ProductServices>, { params, query }: { params: { slug: string }; query: Query }) => {
    const brand = query.brand ? brandSlug(query.brand) || '-' : '';
    return load(context, { slug: params.slug, filters: { form: query.form, brand }, page: query.page });
  },
});
