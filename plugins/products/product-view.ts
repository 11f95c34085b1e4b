/** Converts a product to its API representation. */
import type { Static } from 'typebox';
import { inSentence } from '#plugins/evidence/index.ts';
import type { CardLine } from './card/evidence-card.ts';
import { flatIngredients, type SafetyFlag } from './card/evidence-card.ts';
import type { ImageReply } from './images/schemas.ts';
import type { Ingredient } from './label.ts';
import type { ProductFields } from './product-row.ts';
import type { CardEvidence, ProductReply } from './schemas.ts';

/** A product row with the columns that readers use. */
export interface StoredProduct
  extends Omit<ProductFields, 'formCode' | 'typeCode' | 'origins' | 'marketStatusChangedAt'> {
  readonly marketStatusChangedAt: Date | null;
  readonly changeNumber: number;
  readonly updatedAt: Date;
}

/** Returns the address of the original label in the database. */
export const labelAddress = (dsldId: number): string => `https://dsld.od.nih.gov/label/${dsldId}`;

const day = (value: string | Date | null): string | null =>
  value === null ? null : (value instanceof Date ? value.toISOString() : value).slice(0, 10);

const ingredientReply = ({ children, group: _group, ...rest }: Ingredient): ProductReply['ingredients'][number] => ({
  ...rest,
  children: children.map(ingredientReply),
});

/** Builds the reply. `image` is the primary image in the shape of the label-image routes, or null. */
export const toProduct = (row: StoredProduct, image: ImageReply | null): ProductReply => ({
  dsld_id: row.dsldId,
  name: row.name,
  brand: row.brand,
  brand_slug: row.brandSlug,
  upc: row.upc,
  form: row.form,
  product_type: row.productType,
  serving_size: row.servingSize,
  servings_per_container: row.servingsPerContainer,
  net_contents: row.netContents,
  on_market: row.onMarket,
  market_status_as_of: day(row.statusAsOf),
  market_status_changed_at: row.marketStatusChangedAt?.toISOString() ?? null,
  ingredients: row.ingredients.map(ingredientReply),
  ingredients_extent: row.ingredientsExtent,
  supplements: [...row.supplements],
  other_ingredients: [...row.otherIngredients],
  label_statements: row.statements.map(({ type, text }) => ({ type, text })),
  claims: [...row.claims],
  target_groups: [...row.targetGroups],
  contacts: [...row.contacts],
  image,
  entry_date: day(row.entryDate),
  label_version: row.labelVersion,
  source_url: labelAddress(row.dsldId),
  source_license: 'public-domain-us-gov',
  url: `/product/${row.dsldId}`,
});

export const toCardEvidence = (line: CardLine, interactions: number): Static<typeof CardEvidence> => ({
  supplement_slug: line.slug,
  name: line.facts.name,
  best_tier: line.facts.bestTier,
  source_count: line.facts.sources,
  outcomes: line.facts.outcomes.map(({ condition, topic, name, grade, direction }) => ({
    condition_slug: condition,
    topic,
    name,
    grade,
    direction,
  })),
  label_dose: line.stated && { ...line.stated },
  dose_match: line.dose.match,
  dose_reason: line.dose.reason,
  trial_dose: line.trial && { ...line.trial, per: 'day' },
  upper_limit: line.limit && {
    amount: line.limit.amount,
    unit: line.limit.unit,
    note: line.limit.note,
    exceeded: line.isOverLimit,
    authority: { name: line.limit.authority, address: line.limit.address },
  },
  interactions_count: interactions,
});

export interface Warned {
  readonly name: string;
  readonly statement: string;
  readonly address: string;
}

interface FlagParts {
  readonly row: StoredProduct;
  readonly lines: readonly CardLine[];
  readonly warned: readonly Warned[];
  readonly recalls: readonly { readonly recallNumber: string; readonly reason: string; readonly sourceUrl: string }[];
}

/** Returns the safety flags for a buyer, the most serious first. */
export const safetyFlags = ({ row, lines, warned, recalls }: FlagParts): readonly SafetyFlag[] => [
  ...recalls.map(({ recallNumber, reason, sourceUrl }) => ({
    code: 'recalled' as const,
    text: `Recalled (${recallNumber}): ${reason}`,
    href: sourceUrl,
  })),
  ...warned.map(({ name, statement, address }) => ({
    code: 'warned_substance' as const,
    text: `${name}: ${statement}`,
    href: address,
  })),
  ...lines
    .filter(({ isOverLimit }) => isOverLimit)
    .map(({ facts, stated, limit }) => ({
      code: 'above_upper_limit' as const,
      text: `One serving has ${stated?.amount} ${stated?.unit} of ${facts.name}; the upper limit for adults is ${limit?.amount} ${limit?.unit} a day${limit?.note ? ` (${limit.note})` : ''}.`,
      href: limit?.address ?? '',
    })),
  ...lines
    .filter(({ isNameOverLimit }) => isNameOverLimit)
    .map(({ facts, stated, limit }) => ({
      code: 'name_above_upper_limit' as const,
      text: `Its name states ${stated?.amount} ${stated?.unit}. If that is plain ${inSentence(facts.name)}, one serving is over the upper limit for adults of ${limit?.amount} ${limit?.unit} a day${limit?.note ? ` (${limit.note})` : ''}. The label says more.`,
      href: limit?.address ?? '',
    })),
  ...(row.onMarket === false
    ? [
        {
          code: 'off_market' as const,
          text: `Taken off the market${row.statusAsOf ? `, as of ${day(row.statusAsOf)}` : ''}.`,
          href: labelAddress(row.dsldId),
        },
      ]
    : []),
  ...(hasUnknownAmounts(row)
    ? [
        {
          code: 'amounts_unknown' as const,
          text: 'Some or all amounts are not known to us; what is not shown here is not known to be absent or safe.',
          href: labelAddress(row.dsldId),
        },
      ]
    : []),
];

const hasUnknownAmounts = ({ ingredients, ingredientsExtent }: StoredProduct): boolean =>
  ingredientsExtent !== 'label' ||
  flatIngredients(ingredients).some(({ amount, is_blend: isBlend }) => amount === null && !isBlend);
