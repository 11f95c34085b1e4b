/** Builds the table row of a label: fields, ingredients linked to supplements, and a digest of all of them. */
import { createHash } from 'node:crypto';
import { gtin14 } from './barcode.ts';
import { brandSlug } from './brand-slug.ts';
import type { Ingredient, IngredientsExtent, MarketStatus, OriginNote, Statement, Told } from './label.ts';
import type { LabelMatcher } from './matching/matcher.ts';
import { readName } from './matching/name-reading.ts';
import { type LabelState, originsOf, toldValue } from './merging.ts';

/** The columns of a product that come from labels. */
export interface ProductFields {
  readonly dsldId: number;
  readonly name: string;
  readonly brand: string;
  readonly brandSlug: string;
  readonly upc: string;
  readonly upcPrinted: string;
  readonly form: string;
  readonly formCode: string;
  readonly productType: string;
  readonly typeCode: string;
  readonly servingSize: string;
  readonly servingsPerContainer: string;
  readonly netContents: string;
  readonly onMarket: boolean | null;
  readonly statusAsOf: string | null;
  readonly marketStatusChangedAt: string | null;
  readonly entryDate: string | null;
  readonly labelVersion: string;
  readonly targetGroups: readonly string[];
  readonly claims: readonly string[];
  readonly contacts: Told['contacts'] & object;
  readonly otherIngredients: readonly string[];
  readonly statements: readonly Statement[];
  readonly ingredients: readonly Ingredient[];
  readonly ingredientsExtent: IngredientsExtent;
  readonly labelRelations: Told['label_relations'] & object;
  readonly supplements: readonly string[];
  readonly origins: readonly OriginNote[];
}

export interface ProductRow extends ProductFields {
  readonly digest: string;
}

const tie = (row: Ingredient, matcher: LabelMatcher, nameSlugs: ReadonlySet<string>): Ingredient => {
  const slug =
    matcher.ofIngredient(row) ?? (matcher.isMacronutrient(row.name) ? macronutrient(row, matcher, nameSlugs) : null);
  return { ...row, supplement_slug: slug, children: row.children.map((child) => tie(child, matcher, nameSlugs)) };
};

/**
 * Returns the supplement of a macronutrient row. "Protein" in a facts panel is the supplement only when the product is named
 * after it.
 */
const macronutrient = (row: Ingredient, matcher: LabelMatcher, nameSlugs: ReadonlySet<string>): string | null =>
  [...nameSlugs].find(
    (slug) =>
      matcher.supplement(slug).category ===
      (/fib(?:er|re)/i.test(row.name) ? 'fibre' : /protein/i.test(row.name) ? 'protein' : '-'),
  ) ?? null;

const slugsOf = (rows: readonly Ingredient[]): string[] =>
  rows.flatMap((row) => [...(row.supplement_slug ? [row.supplement_slug] : []), ...slugsOf(row.children)]);

const ingredientsOf = (state: LabelState, matcher: LabelMatcher): { rows: Ingredient[]; extent: IngredientsExtent } => {
  const [name, brand] = [toldValue(state, 'name') ?? '', toldValue(state, 'brand') ?? ''];
  const whole = toldValue(state, 'ingredients');
  const some = toldValue(state, 'some_ingredients');
  const printed = whole?.length ? whole : some;
  if (printed?.length) {
    const nameSlugs = new Set(matcher.slugsIn(name));
    return { rows: printed.map((row) => tie(row, matcher, nameSlugs)), extent: whole?.length ? 'label' : 'partial' };
  }
  const read = readName({ name, brand, typeCode: toldValue(state, 'product_type')?.code ?? '' }, matcher);
  return read ? { rows: [read], extent: 'name' } : { rows: [], extent: 'none' };
};

const statementsOf = (state: LabelState): readonly Statement[] => {
  const use = toldValue(state, 'suggested_use');
  return toldValue(state, 'statements') ?? (use ? [{ type: 'Suggested Use', text: use }] : []);
};

/** The previous market status and the time of its last change; null when it never changed. */
export interface StatusBefore {
  readonly onMarket: boolean | null;
  readonly statusAsOf: string | null;
  readonly marketStatusChangedAt: string | null;
}

const midnight = (day: string): string => `${day}T00:00:00.000Z`;

/**
 * Returns the time of the change: the day on which the product left the market, otherwise the day of the newer of two files
 * that differ.
 */
const changedAt = (
  market: MarketStatus,
  asOf: string,
  before: StatusBefore,
  rival: MarketStatus | undefined,
): string | null => {
  const leftOn = market.leftOn ?? (market.onMarket === rival?.onMarket ? rival.leftOn : null);
  if (leftOn) return midnight(leftOn);
  const differs =
    (before.onMarket ?? market.onMarket) !== market.onMarket || (rival ?? market).onMarket !== market.onMarket;
  if (differs) return midnight(before.statusAsOf && before.statusAsOf > asOf ? before.statusAsOf : asOf);
  return before.marketStatusChangedAt;
};

/** Sorts the members of an object, so that the digest does not depend on the order from the database. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Returns a digest of everything in a row that a reader can see. */
export const digestOf = (fields: ProductFields): string =>
  createHash('sha256').update(JSON.stringify(fields, inOrder)).digest('base64url').slice(0, 22);

/** Builds a row. `rival` is a status from a file that another file overrode. */
export const productRow = (
  dsldId: number,
  state: LabelState,
  options: { readonly matcher: LabelMatcher; readonly before: StatusBefore; readonly rival?: MarketStatus },
): ProductRow => {
  const { matcher, before, rival } = options;
  const { rows, extent } = ingredientsOf(state, matcher);
  const market = toldValue(state, 'market');
  const asOf = state.get('market')?.asOf ?? null;
  const brand = toldValue(state, 'brand') ?? '';
  const upcPrinted = toldValue(state, 'upc_printed') ?? '';
  const fields: ProductFields = {
    dsldId,
    name: toldValue(state, 'name') ?? '',
    brand,
    brandSlug: brandSlug(brand),
    upc: gtin14(upcPrinted),
    upcPrinted,
    form: toldValue(state, 'form')?.words ?? '',
    formCode: toldValue(state, 'form')?.code ?? '',
    productType: toldValue(state, 'product_type')?.words ?? '',
    typeCode: toldValue(state, 'product_type')?.code ?? '',
    servingSize: toldValue(state, 'serving_size') ?? '',
    servingsPerContainer: toldValue(state, 'servings_per_container') ?? '',
    netContents: toldValue(state, 'net_contents') ?? '',
    onMarket: market?.onMarket ?? null,
    statusAsOf: asOf,
    marketStatusChangedAt: market && asOf ? changedAt(market, asOf, before, rival) : null,
    entryDate: toldValue(state, 'entry_date') ?? null,
    labelVersion: toldValue(state, 'label_version') ?? '',
    targetGroups: toldValue(state, 'target_groups') ?? [],
    claims: toldValue(state, 'claims') ?? [],
    contacts: toldValue(state, 'contacts') ?? [],
    otherIngredients: toldValue(state, 'other_ingredients') ?? [],
    statements: statementsOf(state),
    ingredients: rows,
    ingredientsExtent: extent,
    labelRelations: toldValue(state, 'label_relations') ?? [],
    supplements: [...new Set(slugsOf(rows))].sort(),
    origins: originsOf(state),
  };
  return { ...fields, digest: digestOf(fields) };
};

/** Restores the stated fields from a row, for `stateOf`. */
export const toldByRow = (row: ProductFields): Told => ({
  name: row.name,
  brand: row.brand,
  upc_printed: row.upcPrinted,
  form: { code: row.formCode, words: row.form },
  product_type: { code: row.typeCode, words: row.productType },
  serving_size: row.servingSize,
  servings_per_container: row.servingsPerContainer,
  net_contents: row.netContents,
  market: {
    onMarket: row.onMarket === true,
    leftOn: row.onMarket === false ? (row.marketStatusChangedAt?.slice(0, 10) ?? null) : null,
  },
  entry_date: row.entryDate ?? '',
  label_version: row.labelVersion,
  target_groups: row.targetGroups,
  claims: row.claims,
  contacts: row.contacts,
  other_ingredients: row.otherIngredients,
  statements: row.statements,
  suggested_use: row.statements[0]?.text ?? '',
  ingredients: row.ingredients,
  some_ingredients: row.ingredients,
  label_relations: row.labelRelations,
});
