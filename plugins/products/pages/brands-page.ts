/** Builds /brands: every brand by name, with counts per letter. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { versionOf } from '#plugins/evidence/index.ts';
import type { BrandCount } from '../search/product-index.ts';
import type { ProductServices } from '../services.ts';
import { addressOf, PageNumber, PagerView, pagerOf } from './paging.ts';
import { listData } from './structured-data.ts';

const PAGE_SIZE = 200;
const PATH = '/brands';
const LETTERS = ['0-9', ...'abcdefghijklmnopqrstuvwxyz'];

const View = Type.Object({
  answer: Type.String(),
  letter: Type.String(),
  letters: Type.Array(
    Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer(), chosen: Type.Boolean() }),
  ),
  brands: Type.Array(
    Type.Object({ name: Type.String(), href: Type.String(), products: Type.Integer(), onMarket: Type.Integer() }),
  ),
  pager: PagerView,
});
type View = Static<typeof View>;

const Query = Type.Object({
  letter: Type.String({
    default: '',
    maxLength: 3,
    pattern: '^([A-Za-z]|0-9)?$',
    description: 'One letter, or `0-9` for brands that begin with a number.',
  }),
  page: PageNumber,
});
type Query = Static<typeof Query>;

const letterOf = ({ slug }: BrandCount): string => (/^[a-z]/.test(slug) ? slug.charAt(0) : '0-9');

const load = async ({ services, config }: Context<ProductServices>, query: Query) => {
  const letter = query.letter.toLowerCase();
  const all = (await services.index()).brands();
  const counts = Map.groupBy(all, letterOf);
  const fitting = letter ? (counts.get(letter) ?? []) : all;
  const from = (query.page - 1) * PAGE_SIZE;
  const products = all.reduce((sum, brand) => sum + brand.products, 0);
  const view: View = {
    answer: `${all.length.toLocaleString('en-GB')} ${all.length === 1 ? 'brand' : 'brands'} on ${products.toLocaleString('en-GB')} labels, by name. No brand is ranked, scored or paid for.`,
    letter: letter.toUpperCase(),
    letters: LETTERS.map((one) => ({
      name: one.toUpperCase(),
      href: addressOf(PATH, { letter: one === letter ? '' : one }),
      count: counts.get(one)?.length ?? 0,
      chosen: one === letter,
    })),
    brands: fitting.slice(from, from + PAGE_SIZE).map((brand) => ({
      name: brand.name,
      href: `${PATH}/${brand.slug}`,
      products: brand.products,
      onMarket: brand.onMarket,
    })),
    pager: pagerOf({ path: PATH, filters: { letter }, page: query.page, size: PAGE_SIZE, total: fitting.length }),
  };
  const title = `Brands${letter && `, ${letter.toUpperCase()}`}${query.page > 1 ? `, page ${query.page}` : ''}`;
  return {
    head: {
      title: `${title}: products on file`,
      description:
        'Brands of dietary supplements with how many of their labels are on file and on the market; by letter.',
      noindex: letter !== '' || query.page > 1,
      structuredData: listData({
        baseUrl: config.text('BASE_URL'),
        name: 'Brands of dietary supplements',
        path: PATH,
        crumbs: [{ name: 'Brands', href: PATH }],
        items: view.brands,
      }),
    },
    view,
  };
};

const STATE = `select md5(string_agg(line, '|' order by line collate "C")) as brands, max(last) as last from (
  select brand_slug || ':' || max(brand) || ':' || count(*) || ':' || count(*) filter (where on_market) as line,
  to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from product where removed_at is null group by brand_slug) as brand`;

async function* list({ db }: Context<ProductServices>): AsyncIterable<PageInstance> {
  const [state] = (await db.read((em) => em.execute(STATE))) as unknown as { last: string | null }[];
  yield { params: {}, version: versionOf(state), changedAt: state?.last ?? null };
}

export const brandsPage = definePage({
  id: 'products.brands',
  path: PATH,
  summary: 'Brands by letter, with counts',
  template: 'products/brands',
  query: Query,
  view: View,
  scope: 'public',
  sitemap: 'static',
  revision: 2,
  list,
  load: (context: Context<ProductServices>, { query }) => load(context, query),
});
