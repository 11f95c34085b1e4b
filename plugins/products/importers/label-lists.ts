/**
 * Reads two lists of labels with amounts as others published them: a complete one (flattened), and one with the main mineral
 * only.
 */
import { readCoded } from '../codes.ts';
import type { Ingredient, Told } from '../label.ts';
import { servingsOf } from './label-json.ts';
import { dayOf, isNotPrinted, listOf, numberOf, textOf, textsOf, unitOf } from './values.ts';

type Json = Readonly<Record<string, unknown>>;

const rowOf = (row: Json): Ingredient => {
  const amount = isNotPrinted(row.unit) ? null : numberOf(row.quantity);
  const daily = numberOf(row.dailyValuePercent);
  const category = textOf(row.category);
  return {
    name: textOf(row.name),
    amount,
    unit: amount === null ? '' : unitOf(row.unit),
    operator: amount === null ? '' : '=',
    // This list has 0 when the label prints none.
    dv_percent: daily === 0 ? null : daily,
    is_blend: category === 'blend',
    category,
    group: textOf(row.ingredientGroup),
    unii: '',
    form: textsOf(row.forms)
      .filter((form) => form !== 'unspecified')
      .join(', '),
    supplement_slug: null,
    source: 'label',
    children: listOf(row.nested).map(rowOf),
  };
};

/** Nests the rows of the flat list: rows marked as members follow the blend that they belong to. */
const nestMembers = (rows: readonly Json[]): Ingredient[] => {
  const tops: { row: Ingredient; children: Ingredient[] }[] = [];
  for (const json of rows) {
    const row = rowOf(json);
    const last = tops.at(-1);
    if (json.isProprietaryBlend === true && last?.row.is_blend) last.children.push(row);
    else tops.push({ row, children: [...row.children] });
  }
  return tops.map(({ row, children }) => ({ ...row, children }));
};

export const isAmountsLabel = (label: Json): boolean =>
  'fullName' in label && Array.isArray(label.ingredients) && 'otherIngredients' in label;

export const toldByAmounts = (label: Json): Told => {
  const form = readCoded('form', textOf(label.physicalState));
  const type = readCoded('type', textOf(label.productType));
  const [off, entry] = [numberOf(label.offMarket), dayOf(textOf(label.entryDate))];
  const market = { onMarket: off === 0, leftOn: off === 1 ? dayOf(textOf(label.offMarketDate)) : null };
  return {
    name: textOf(label.fullName),
    brand: textOf(label.brandName),
    upc_printed: textOf(label.upcSku),
    net_contents: textOf(label.netContents),
    servings_per_container: textOf(label.servingsPerContainer),
    serving_size: servingsOf(label.servingSizes),
    ingredients: nestMembers(listOf(label.ingredients)),
    ...(form && { form }),
    ...(type && { product_type: type }),
    ...((off === 0 || off === 1) && { market }),
    ...(entry && { entry_date: entry }),
    ...(Array.isArray(label.targetGroups) && { target_groups: textsOf(label.targetGroups) }),
    ...(Array.isArray(label.otherIngredients) && { other_ingredients: textsOf(label.otherIngredients) }),
  };
};

const mineralOf = (row: Json): Ingredient => {
  const amount = isNotPrinted(row.unit) ? null : numberOf(row.amount);
  return {
    name: textOf(row.name),
    amount,
    unit: amount === null ? '' : unitOf(row.unit),
    operator: amount === null ? '' : '=',
    dv_percent: numberOf(row.dailyValuePercent),
    is_blend: false,
    category: textOf(row.category),
    group: '',
    unii: '',
    form: textOf(row.sourceForm),
    supplement_slug: null,
    source: 'label',
    children: [],
  };
};

export const isMineralLabel = (label: Json): boolean =>
  Array.isArray(label.ingredients) && 'brand' in label && 'onMarket' in label;

export const toldByMineral = (label: Json): Told => {
  const form = readCoded('form', textOf(label.form));
  const type = readCoded('type', textOf(label.productType));
  const rows = listOf(label.ingredients).map(mineralOf);
  return {
    name: textOf(label.name),
    brand: textOf(label.brand),
    upc_printed: textOf(label.upc),
    serving_size: textOf(label.servingSize),
    servings_per_container: textOf(label.servingsPerContainer),
    ...(textOf(label.partial) ? { some_ingredients: rows } : { ingredients: rows }),
    ...(form && { form }),
    ...(type && { product_type: type }),
    ...(typeof label.onMarket === 'boolean' && { market: { onMarket: label.onMarket, leftOn: null } }),
  };
};
