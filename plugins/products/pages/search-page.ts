/** Builds /products: finds products by words of their name, brand and ingredients, or by the digits of their barcode. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { foldName } from '#core/search/name-index.ts';
import { versionOf } from '#plugins/evidence/index.ts';
import type { Resolved } from '#plugins/vocabulary/index.ts';
import { gtin14 } from '../barcode.ts';
import { brandSlug } from '../brand-slug.ts';
import type { StoredProduct } from '../product-view.ts';
import type { ProductAnswer, ProductIndex } from '../search/product-index.ts';
import type { ProductServices } from '../services.ts';
import { addressOf, PageNumber, PagerView, pagerOf } from './paging.ts';
import { ProductLine, productLine } from './product-rows.ts';

const PAGE_SIZE = 50;
const PATH = '/products';

const Removable = Type.Object({ name: Type.String(), href: Type.String() });
const View = Type.Object({
  q: Type.String(),
  answer: Type.String(),
  /** Active filters, each with the address without it. */
  filters: Type.Array(Removable),
  notes: Type.Array(Type.String()),
  total: Type.Integer(),
  products: Type.Array(ProductLine),
  pager: PagerView,
});
type View = Static<typeof View>;

const Query = Type.Object({
  q: Type.String({ default: '', maxLength: 500, description: 'Words, or the digits of a bar code.' }),
  supplement: Type.String({ default: '', maxLength: 120, description: 'Slug, name, synonym or Latin name.' }),
  form: Type.String({ default: '', maxLength: 80, description: 'Part of the form’s name.' }),
  brand: Type.String({ default: '', maxLength: 120, description: 'Slug or name.' }),
  page: PageNumber,
});
type Query = Static<typeof Query>;

const NOTHING: ProductAnswer = { total: 0, ids: [], without: [], readAs: {} };

const notesOf = ({ without, readAs }: ProductAnswer): string[] => [
  ...Object.entries(readAs).map(
    ([word, other]) => `No product has the word “${word}”; “${other}” was looked for instead.`,
  ),
  ...(without.length ? [`No product has all words; left out: ${without.join(', ')}.`] : []),
];

/** Returns the label of a barcode; null for other words, and for a code without a label here. */
const byCode = async (services: ProductServices, q: string) => {
  const gtin = gtin14(q.trim());
  const found = gtin ? await services.byBarcode(gtin) : [];
  return { gtin, found };
};

const answerOf = ({ q }: Query, total: number, all: number): string => {
  const words = total === 1 ? '1 label' : `${total.toLocaleString('en-GB')} labels`;
  if (q) return `${words} for “${q}”, best match first.`;
  return total === all
    ? `${words}, by name. Being listed says nothing about quality, effect or safety.`
    : `${words} with this filter, by name.`;
};

/** A parsed query: the parameters for links, and the resolved names. */
interface Read {
  readonly query: Query;
  readonly wanted: string;
  readonly hit: Resolved | null;
  readonly filters: Readonly<Record<'q' | 'supplement' | 'form' | 'brand', string>>;
}

const readQuery = async (services: ProductServices, query: Query): Promise<Read> => {
  const wanted = query.supplement.trim();
  const hit = wanted ? await services.resolveSupplement(wanted) : null;
  const brand = query.brand ? brandSlug(query.brand) || '-' : '';
  return { query, wanted, hit, filters: { q: query.q, supplement: hit?.slug ?? wanted, form: query.form, brand } };
};

/** Searches. Words without a letter or digit, and a name that is not a supplement, find nothing instead of everything. */
const search = (index: ProductIndex, { query, wanted, hit, filters }: Read): ProductAnswer => {
  if ((wanted && !hit) || (query.q && !foldName(query.q))) return NOTHING;
  return index.search({
    text: query.q,
    supplements: hit ? [hit.slug] : [],
    brandSlug: filters.brand,
    form: filters.form,
    offset: (query.page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  });
};

const listed = (found: readonly StoredProduct[], page: number): ProductAnswer => ({
  ...NOTHING,
  total: found.length,
  ids: found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ dsldId }) => dsldId),
});

const removableOf = ({ query, wanted, hit, filters }: Read, index: ProductIndex): View['filters'] => {
  const names = {
    supplement: hit?.name ?? wanted,
    form: query.form,
    brand: index.brand(filters.brand)?.name ?? query.brand,
  };
  return (['supplement', 'form', 'brand'] as const)
    .filter((key) => filters[key])
    .map((key) => ({ name: names[key], href: addressOf(PATH, { ...filters, [key]: '' }) }));
};

const headOf = ({ q, pager }: View, isWhole: boolean) => ({
  title: `${q ? `Products for “${q.slice(0, 60)}”` : 'Products'}${pager.page > 1 ? `, page ${pager.page}` : ''}`,
  description:
    'Labels of dietary supplements by name, ingredient, brand or bar code, with market status and safety flags.',
  noindex: !isWhole || pager.page > 1,
});

const load = async ({ services }: Context<ProductServices>, query: Query) => {
  const { gtin, found } = await byCode(services, query.q);
  const [only] = found;
  if (only && found.length === 1) return { redirect: `/product/${only.dsldId}`, status: 303 as const };
  const index = await services.index();
  const read = await readQuery(services, query);
  const answer = found.length ? listed(found, query.page) : search(index, read);
  const rows = await services.rows(answer.ids);
  const { filters, hit, wanted } = read;
  const view: View = {
    q: query.q,
    answer: answerOf(query, answer.total, index.size),
    filters: removableOf(read, index),
    notes: [
      ...notesOf(answer),
      ...(gtin && !found.length ? [`No label here has the bar code ${query.q.trim()}.`] : []),
      ...(wanted && !hit ? [`No supplement here has the name “${wanted}”, so nothing was looked for.`] : []),
    ],
    total: answer.total,
    products: rows.map((row) => productLine(row)),
    pager: pagerOf({ path: PATH, filters, page: query.page, size: PAGE_SIZE, total: answer.total }),
  };
  return { head: headOf(view, !Object.values(filters).some(Boolean)), view };
};

const STATE = `select count(*)::int as n, coalesce(sum(change_number), 0)::text as changes,
  to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last from product where removed_at is null`;

async function* list({ db }: Context<ProductServices>): AsyncIterable<PageInstance> {
  const [state] = (await db.read((em) => em.execute(STATE))) as unknown as { last: string | null }[];
  yield { params: {}, version: versionOf(state), changedAt: state?.last ?? null };
}

export const productsPage = definePage({
  id: 'products.search',
  path: PATH,
  summary: 'Products by words, supplement, brand and form, or by bar code',
  template: 'products/search',
  query: Query,
  view: View,
  scope: 'public',
  sitemap: 'static',
  revision: 1,
  list,
  load: (context: Context<ProductServices>, { query }) => load(context, query),
});
