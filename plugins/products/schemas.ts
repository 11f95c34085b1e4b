/** Defines the requests and replies of the product routes as TypeBox schemas, which provide validation, types and OpenAPI. */
import { type Static, Type } from 'typebox';
import { ImageReply } from './images/schemas.ts';

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const MAX_INTEGER = 2_147_483_647;

export const Resolved = Type.Object({
  input: Type.String(),
  kind: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  match_type: Type.String(),
  confidence: Type.Number(),
});

const ingredientMembers = {
  name: Type.String(),
  supplement_slug: nullable(Type.String()),
  amount: nullable(Type.Number({ description: 'Per serving; null when the label prints none.' })),
  unit: Type.String(),
  operator: Type.String(),
  dv_percent: nullable(Type.Number()),
  is_blend: Type.Boolean(),
  category: Type.String(),
  form: Type.String(),
  unii: Type.String(),
  source: Type.String({ enum: ['label', 'name'], description: '`name`: read from the product’s name only.' }),
};
export const IngredientReply = Type.Object({
  ...ingredientMembers,
  children: Type.Array(Type.Unknown(), { description: 'Members of a blend, of the same shape.' }),
});

export const productMembers = {
  dsld_id: Type.Integer(),
  name: Type.String(),
  brand: Type.String(),
  brand_slug: Type.String(),
  upc: Type.String({ description: 'GTIN-14, or "".' }),
  form: Type.String(),
  product_type: Type.String(),
  serving_size: Type.String(),
  servings_per_container: Type.String(),
  net_contents: Type.String(),
  on_market: nullable(Type.Boolean({ description: 'Null: unknown.' })),
  market_status_as_of: nullable(Type.String({ description: 'The day on which the market status was true.' })),
  market_status_changed_at: nullable(Type.String()),
  ingredients: Type.Array(IngredientReply),
  ingredients_extent: Type.String({
    enum: ['label', 'partial', 'name', 'none'],
    description: 'What the ingredients rest on: the whole facts panel, some of its rows, the name only, or nothing.',
  }),
  supplements: Type.Array(Type.String()),
  other_ingredients: Type.Array(Type.String()),
  label_statements: Type.Array(Type.Object({ type: Type.String(), text: Type.String() })),
  claims: Type.Array(Type.String()),
  target_groups: Type.Array(Type.String()),
  contacts: Type.Array(Type.Unknown()),
  image: nullable(ImageReply),
  entry_date: nullable(Type.String()),
  label_version: Type.String(),
  source_url: Type.String(),
  source_license: Type.String(),
  url: Type.String(),
};
export const ProductReply = Type.Object(productMembers);
export type ProductReply = Static<typeof ProductReply>;

const Paging = {
  page: Type.Integer({ minimum: 1, maximum: MAX_INTEGER, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
};

export const ProductsRequest = Type.Object({
  q: Type.String({ default: '', maxLength: 500, description: 'Words of name, brand and ingredients.' }),
  supplement: Type.String({ default: '', maxLength: 120, description: 'Slug, name, synonym or Latin name.' }),
  brand: Type.String({ default: '', maxLength: 120, description: 'Slug or name.' }),
  form: Type.String({ default: '', maxLength: 80, description: 'Part of the form’s name, such as `capsule`.' }),
  on_market: Type.Integer({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: '1: on the market or unknown (each is marked); 0: all.',
  }),
  ...Paging,
  limit: Type.Integer({ minimum: 0, maximum: 200, default: 0, description: 'Above 0: at most this many products.' }),
});

export const ProductsReply = Type.Object({
  products: Type.Array(ProductReply),
  total: Type.Integer(),
  page: Type.Integer(),
  page_size: Type.Integer(),
  total_pages: Type.Integer(),
  resolved: Type.Array(Resolved),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
});

export const CardEvidence = Type.Object({
  supplement_slug: Type.String(),
  name: Type.String(),
  best_tier: nullable(Type.String({ enum: ['A', 'B', 'C', 'D'] })),
  source_count: Type.Integer(),
  outcomes: Type.Array(
    Type.Object({
      condition_slug: Type.String({ description: '"" when the outcome belongs to no condition here.' }),
      topic: Type.String(),
      name: Type.String(),
      grade: nullable(Type.String()),
      direction: Type.String(),
    }),
  ),
  label_dose: nullable(Type.Object({ amount: Type.Number(), unit: Type.String(), source: Type.String() })),
  dose_match: Type.String({ enum: ['below', 'within', 'above', 'unknown'] }),
  dose_reason: Type.String({ description: 'Why the match is unknown; "" otherwise.' }),
  trial_dose: nullable(
    Type.Object(
      { min: Type.Number(), max: Type.Number(), unit: Type.String(), of: Type.String(), per: Type.String() },
      {
        description: 'Daily doses in trials, without those of infants, children, pregnancy or breastfeeding.',
      },
    ),
  ),
  upper_limit: nullable(
    Type.Object({
      amount: Type.Number(),
      unit: Type.String(),
      note: Type.String(),
      exceeded: nullable(Type.Boolean()),
      authority: Type.Object({ name: Type.String(), address: Type.String() }),
    }),
  ),
  interactions_count: Type.Integer(),
});

export const ProductCard = Type.Object({
  ...productMembers,
  evidence: Type.Array(CardEvidence),
  interactions_count: Type.Integer({ description: 'Rules on all of its supplements together.' }),
  safety_flags: Type.Array(Type.Object({ code: Type.String(), text: Type.String(), href: Type.String() })),
  market_history: Type.Array(Type.Object({ on_market: Type.Boolean(), as_of: Type.String(), source: Type.String() })),
  recalls: Type.Array(
    Type.Object({
      recall_number: Type.String(),
      classification: Type.String(),
      status: Type.String(),
      reason: Type.String(),
      initiation_date: nullable(Type.String()),
      source_url: Type.String(),
    }),
  ),
  label_relations: Type.Array(Type.Object({ dsld_id: Type.Integer(), type: Type.String() })),
  images: Type.Array(ImageReply),
  disclaimer_url: Type.String(),
});
export type ProductCard = Static<typeof ProductCard>;

export const MarketReply = Type.Object({
  supplement_slug: Type.String(),
  name: Type.String(),
  product_count: Type.Integer(),
  brand_count: Type.Integer(),
  on_market_count: Type.Integer({ description: 'Known to be sold on the day its status was read.' }),
  unknown_market_count: Type.Integer(),
  forms: Type.Array(Type.Object({ form: Type.String(), count: Type.Integer() })),
  dose_distribution: nullable(
    Type.Object({
      unit: Type.String(),
      p10: Type.Number(),
      p25: Type.Number(),
      p50: Type.Number(),
      p75: Type.Number(),
      p90: Type.Number(),
      labels: Type.Integer({ description: 'On how many products it rests.' }),
      from_label: Type.Integer(),
      from_name: Type.Integer({ description: 'Amounts read from the product’s name only.' }),
    }),
  ),
  share_within_trial_dose: nullable(Type.Number({ description: '0 to 1; null when nothing can be compared.' })),
  trial_dose: nullable(
    Type.Object({
      min: Type.Number(),
      max: Type.Number(),
      unit: Type.String(),
      of: Type.String(),
      labels: Type.Integer(),
    }),
  ),
  top_brands: Type.Array(Type.Object({ brand_slug: Type.String(), name: Type.String(), count: Type.Integer() })),
  label_claims: Type.Array(Type.Object({ claim: Type.String(), count: Type.Integer() })),
  as_of: nullable(Type.String({ description: 'The latest day on which a status among them was true.' })),
  resolved: Type.Array(Resolved),
});
export type MarketReply = Static<typeof MarketReply>;

export const BrandsRequest = Type.Object({
  supplement: Type.String({ default: '', maxLength: 120 }),
  q: Type.String({ default: '', maxLength: 120, description: 'Part of the name.' }),
  letter: Type.String({ default: '', maxLength: 3, description: 'One letter, or `0-9`.' }),
  ...Paging,
});
export const BrandReply = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  product_count: Type.Integer(),
  on_market_count: Type.Integer(),
  supplements: Type.Array(Type.String()),
  url: Type.String(),
});
export const BrandsReply = Type.Object({
  brands: Type.Array(BrandReply),
  total: Type.Integer(),
  page: Type.Integer(),
  page_size: Type.Integer(),
  total_pages: Type.Integer(),
  resolved: Type.Array(Resolved),
});

export const DsldId = Type.Object({ dsld_id: Type.Integer({ minimum: 0, maximum: MAX_INTEGER }) });
export const SupplementSlug = Type.Object({ supplement_slug: Type.String({ maxLength: 120 }) });
export const Barcode = Type.Object({ barcode: Type.String({ maxLength: 40 }) });
