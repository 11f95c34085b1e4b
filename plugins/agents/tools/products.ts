/** Defines the tools search_products and get_product. */
import { type Static, Type } from 'typebox';
import { invalid } from '#core/http/validate.ts';
import type { CallRoute } from '#core/plugin.ts';
import type { ProductCard, ProductReply, ProductsReply } from '#plugins/products/index.ts';
import { ask, defineTool, nullable, Warnings } from '../tool.ts';

const MOST_INGREDIENTS = 8;
const USUAL = 8;
const MOST = 20;

const Ingredient = Type.Object({
  name: Type.String(),
  amount: nullable(Type.Number({ description: 'Per serving; null when the label prints none.' })),
  unit: Type.String(),
  supplement_slug: nullable(Type.String()),
});

const brief = {
  dsld_id: Type.Integer(),
  name: Type.String(),
  brand: Type.String(),
  form: Type.String(),
  serving_size: Type.String(),
  on_market: nullable(Type.Boolean({ description: 'Null: unknown.' })),
  ingredients: Type.Array(Ingredient),
  ingredients_extent: Type.String({ description: '`label`: the whole panel; `name`: read from the name only.' }),
  url: Type.String(),
};

const briefly = (product: Static<typeof ProductReply>, most: number) => ({
  dsld_id: product.dsld_id,
  name: product.name,
  brand: product.brand,
  form: product.form,
  serving_size: product.serving_size,
  on_market: product.on_market,
  ingredients: product.ingredients
    .slice(0, most)
    .map(({ name, amount, unit, supplement_slug }) => ({ name, amount, unit, supplement_slug })),
  ingredients_extent: product.ingredients_extent,
  url: product.url,
});

export const searchProducts = defineTool({
  name: 'search_products',
  title: 'Search products',
  description:
    'Finds supplement products by words, supplement, brand or form, from public label data. A product here is no recommendation, and labels are not lab tests.',
  input: Type.Object({
    query: Type.String({ default: '', maxLength: 500, description: 'Words of name, brand and ingredients.' }),
    supplement: Type.String({ default: '', maxLength: 120, description: 'Slug or name.' }),
    brand: Type.String({ default: '', maxLength: 120 }),
    form: Type.String({ default: '', maxLength: 80, description: 'Such as capsule.' }),
    include_off_market: Type.Boolean({ default: false }),
    limit: Type.Integer({ minimum: 1, maximum: MOST, default: USUAL }),
    page: Type.Integer({ minimum: 1, maximum: 50_000, default: 1 }),
  }),
  output: Type.Object({
    products: Type.Array(Type.Object(brief)),
    total: Type.Integer(),
    warnings: Warnings,
  }),
  run: async (given, call) => {
    const { query, supplement, brand, form, include_off_market, limit, page } = given;
    const found = await ask<typeof ProductsReply>(call, 'products.list', {
      query: { q: query, supplement, brand, form, on_market: include_off_market ? 0 : 1, page_size: limit, page },
    });
    return {
      value: {
        products: found.products.map((product) => briefly(product, MOST_INGREDIENTS)),
        total: found.total,
        warnings: found.warnings,
      },
      next: page < found.total_pages ? { ...given, page: page + 1 } : null,
    };
  },
});

const Evidence = Type.Object({
  supplement_slug: Type.String(),
  name: Type.String(),
  best_tier: nullable(Type.String()),
  source_count: Type.Integer(),
  outcomes: Type.Array(Type.Object({ name: Type.String(), grade: nullable(Type.String()), direction: Type.String() })),
  dose_match: Type.String({ description: 'One serving beside a day’s dose in trials.' }),
  dose_reason: Type.String(),
  upper_limit_exceeded: nullable(Type.Boolean()),
});

export const getProduct = defineTool({
  name: 'get_product',
  title: 'One product with its evidence',
  description:
    'One product by its DSLD id or by the bar code on the package: label, evidence for what is in it, doses beside trials, recalls and safety flags.',
  input: Type.Object({
    dsld_id: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0, description: '0: by bar code.' }),
    barcode: Type.String({ default: '', maxLength: 40, description: 'UPC, EAN or GTIN.' }),
  }),
  output: Type.Object({
    ...brief,
    upc: Type.String(),
    other_ingredients: Type.Array(Type.String()),
    evidence: Type.Array(Evidence),
    safety_flags: Type.Array(Type.Object({ code: Type.String(), text: Type.String() })),
    recalls: Type.Array(
      Type.Object({
        classification: Type.String(),
        status: Type.String(),
        reason: Type.String(),
        source_url: Type.String(),
      }),
    ),
    interactions_count: Type.Integer({ description: 'Rules on all of its supplements; check_interactions has them.' }),
    disclaimer_url: Type.String(),
  }),
  run: async ({ dsld_id, barcode }, call) => {
    if (!dsld_id && !barcode.trim()) throw invalid('body', 'dsld_id', 'Give a dsld_id or a barcode');
    const id = dsld_id || (await byBarcode(call, barcode));
    const card = await ask<typeof ProductCard>(call, 'products.card', { params: { dsld_id: id } });
    return {
      value: {
        ...briefly(card, 200),
        upc: card.upc,
        other_ingredients: [...card.other_ingredients],
        evidence: card.evidence.map((one) => ({
          supplement_slug: one.supplement_slug,
          name: one.name,
          best_tier: one.best_tier,
          source_count: one.source_count,
          outcomes: one.outcomes.map(({ name, grade, direction }) => ({ name, grade, direction })),
          dose_match: one.dose_match,
          dose_reason: one.dose_reason,
          upper_limit_exceeded: one.upper_limit?.exceeded ?? null,
        })),
        safety_flags: card.safety_flags.map(({ code, text }) => ({ code, text })),
        recalls: card.recalls.map(({ classification, status, reason, source_url }) => ({
          classification,
          status,
          reason,
          source_url,
        })),
        interactions_count: card.interactions_count,
        disclaimer_url: card.disclaimer_url,
      },
      kept: ['/safety_flags', '/recalls'],
    };
  },
});

const byBarcode = async (call: CallRoute, barcode: string): Promise<number> => {
  const { body } = await call('products.barcode', { params: { barcode } });
  return (body as { products: { dsld_id: number }[] }).products[0]?.dsld_id ?? 0;
};
