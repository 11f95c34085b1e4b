import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import { defineRoute, type Route } from '#core/plugin.ts';
import { supplementFilter, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { gtin14 } from './barcode.ts';
import { brandSlug } from './brand-slug.ts';
import { toProduct } from './product-view.ts';
import {
  Barcode,
  BrandsReply,
  BrandsRequest,
  DsldId,
  MarketReply,
  ProductCard,
  ProductReply,
  ProductsReply,
  ProductsRequest,
  SupplementSlug,
} from './schemas.ts';
import type { BrandCount } from './search/product-index.ts';
import type { ProductServices } from './services.ts';

/** Maximum product of page number and page size. */
const MAX_OFFSET = 1_000_000;
const json = (description: string, schema: TSchema) => [
  { status: 200, mediaType: 'application/json', description, schema },
];

const offsetOf = ({ page, page_size }: { page: number; page_size: number }): number => {
  if (page * page_size > MAX_OFFSET)
    throw invalid('query', 'page', `page times page_size should be at most ${MAX_OFFSET}`, page);
  return (page - 1) * page_size;
};

const UNKNOWN_SUPPLEMENT = {
  code: 'unknown_supplement',
  message: 'No supplement here has that name, so no product could be looked for. This does not mean that none is sold.',
};

const list = defineRoute<ProductServices, { query: typeof ProductsRequest }>({
  id: 'products.list',
  method: 'GET',
  path: '/api/products',
  summary: 'Products by text, supplement, brand and form',
  description:
    'Full text with prefixes and misspellings over name, brand and ingredients. `on_market` 1 leaves out what is known to have left the market; products of unknown status stay in and have `on_market` null.',
  tag: 'Products',
  access: 'limited',
  request: { query: ProductsRequest },
  replies: json('A page of products', ProductsReply),
  links: {
    'products.card': { dsld_id: '/products/0/dsld_id' },
    'label-images.list': { dsld_id: '/products/0/dsld_id' },
    'label-images.upload': { dsld_id: '/products/0/dsld_id' },
  },
  raises: ['validation_failed'],
  handle: async ({ services, use }, { query }) => {
    const { resolved, slug: supplement } = await supplementFilter(use(vocabularyPlugin), query.supplement);
    const offset = offsetOf(query);
    const size = query.limit ? Math.max(0, Math.min(query.page_size, query.limit - offset)) : query.page_size;
    const index = await services.index();
    const found =
      supplement === ''
        ? { total: 0, ids: [], without: [], readAs: {} }
        : index.search({
            text: query.q,
            supplements: supplement ? [supplement] : [],
            brandSlug: query.brand ? brandSlug(query.brand) || '-' : '',
            form: query.form,
            onMarket: query.on_market === 1,
            offset,
            limit: size,
          });
    const warnings = [
      ...(supplement === '' ? [UNKNOWN_SUPPLEMENT] : []),
      ...Object.entries(found.readAs).map(([word, other]) => ({
        code: 'read_as',
        message: `No product has the word “${word}”; “${other}” was looked for instead.`,
      })),
      ...(found.without.length
        ? [{ code: 'words_left_out', message: `No product has all words; left out: ${found.without.join(', ')}.` }]
        : []),
    ];
    const total = query.limit ? Math.min(found.total, query.limit) : found.total;
    const rows = await services.rows(found.ids);
    const images = await services.primaryImages(found.ids);
    return {
      body: {
        products: rows.map((row) => toProduct(row, images.get(row.dsldId) ?? null)),
        total,
        page: query.page,
        page_size: query.page_size,
        total_pages: Math.ceil(total / query.page_size),
        resolved,
        warnings,
      },
    };
  },
});

const card = defineRoute<ProductServices, { params: typeof DsldId }>({
  id: 'products.card',
  method: 'GET',
  path: '/api/products/{dsld_id}',
  summary: 'A product’s evidence card',
  description:
    'Label facts, and per supplement in it the evidence, the label’s dose beside the doses in trials, the upper limit and interactions. `dose_match` compares one serving with a day’s dose in trials.',
  tag: 'Products',
  access: 'limited',
  request: { params: DsldId },
  replies: json('The card', ProductCard),
  links: { 'label-images.list': { dsld_id: '/dsld_id' }, 'label-images.upload': { dsld_id: '/dsld_id' } },
  raises: ['not_found', 'validation_failed'],
  handle: async ({ services }, { params }) => {
    const [found] = await services.cards([params.dsld_id]);
    if (!found) throw notFound('Product', String(params.dsld_id));
    return { body: found.card };
  },
});

const byBarcode = defineRoute<ProductServices, { params: typeof Barcode }>({
  id: 'products.barcode',
  method: 'GET',
  path: '/api/products/barcode/{barcode}',
  summary: 'Products by the bar code on the package',
  description: 'UPC-A, EAN-8, EAN-13 or GTIN-14, with or without blanks. Newest label first.',
  tag: 'Products',
  access: 'limited',
  request: { params: Barcode },
  replies: json('Labels with that code', Type.Object({ gtin: Type.String(), products: Type.Array(ProductReply) })),
  raises: ['not_found', 'validation_failed'],
  handle: async ({ services }, { params }) => {
    const gtin = gtin14(params.barcode);
    if (!gtin)
      throw invalid('path', 'barcode', 'Input should be a UPC, EAN or GTIN with a right check digit', params.barcode);
    const rows = await services.byBarcode(gtin);
    if (!rows.length) throw notFound('Product', gtin);
    const images = await services.primaryImages(rows.map(({ dsldId }) => dsldId));
    return { body: { gtin, products: rows.map((row) => toProduct(row, images.get(row.dsldId) ?? null)) } };
  },
});

const market = defineRoute<ProductServices, { params: typeof SupplementSlug }>({
  id: 'products.market',
  method: 'GET',
  path: '/api/market/{supplement_slug}',
  summary: 'What is sold of a supplement',
  description: 'Counts say on how many labels they rest; doses are per serving as printed, never advice.',
  tag: 'Products',
  access: 'limited',
  request: { params: SupplementSlug },
  replies: json('The market profile', MarketReply),
  links: { 'products.list': { supplement: '/supplement_slug' } },
  raises: ['not_found', 'validation_failed'],
  handle: async ({ services, use }, { params }) => {
    const hit = await services.resolveSupplement(params.supplement_slug);
    const profile = hit && (await services.market(hit.slug));
    if (!profile) {
      const near = await use(vocabularyPlugin).near(params.supplement_slug, 5, ['supplement']);
      throw notFound(
        'Supplement',
        params.supplement_slug,
        near.map(({ slug }) => slug),
      );
    }
    return { body: { ...profile, resolved: hit.slug === params.supplement_slug ? [] : [hit] } };
  },
});

/** Returns whether a brand begins with a letter: `A` to `z`, or `0-9` for a number or sign. */
export const beginsWith = ({ slug }: BrandCount, letter: string): boolean => {
  if (!letter) return true;
  return letter === '0-9' ? !/^[a-z]/.test(slug) : slug.startsWith(letter.toLowerCase());
};

const brands = defineRoute<ProductServices, { query: typeof BrandsRequest }>({
  id: 'products.brands',
  method: 'GET',
  path: '/api/brands',
  summary: 'Brands with their counts',
  tag: 'Products',
  access: 'limited',
  request: { query: BrandsRequest },
  replies: json('A page of brands, by name', BrandsReply),
  links: { 'products.list': { brand: '/brands/0/slug' } },
  raises: ['validation_failed'],
  handle: async ({ services, use }, { query }) => {
    const offset = offsetOf(query);
    const { resolved, slug: supplement } = await supplementFilter(use(vocabularyPlugin), query.supplement);
    const index = await services.index();
    const part = query.q ? brandSlug(query.q) : '';
    const all = supplement === '' ? [] : index.brands(supplement ?? '');
    const fitting = all.filter((brand) => beginsWith(brand, query.letter) && (!part || brand.slug.includes(part)));
    return {
      body: {
        brands: fitting.slice(offset, offset + query.page_size).map((brand) => ({
          slug: brand.slug,
          name: brand.name,
          product_count: brand.products,
          on_market_count: brand.onMarket,
          supplements: [...brand.supplements],
          url: `/brands/${brand.slug}`,
        })),
        total: fitting.length,
        page: query.page,
        page_size: query.page_size,
        total_pages: Math.ceil(fitting.length / query.page_size),
        resolved,
      },
    };
  },
});

export const productRoutes: readonly Route<ProductServices>[] = [list, card, byBarcode, market, brands];
