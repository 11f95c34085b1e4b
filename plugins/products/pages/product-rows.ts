/** Builds the lines of product lists: name, brand, form, amount of one supplement, market status. */
import { type Static, Type } from 'typebox';
import { flatIngredients } from '../card/evidence-card.ts';
import type { StoredProduct } from '../product-view.ts';
import { whyMissing } from './label-view.ts';
import { marketWord, withUnit } from './product-figures.ts';

export const ProductLine = Type.Object({
  name: Type.String(),
  href: Type.String(),
  brand: Type.String(),
  brandHref: Type.String(),
  form: Type.String(),
  /** Amount of the supplement that the list is about; "" when there is none. */
  amount: Type.String(),
  known: Type.Boolean(),
  market: Type.String(),
});
export type ProductLine = Static<typeof ProductLine>;

/**
 * Returns the amount per serving that the label, or only the name, states for a supplement: the row with an amount when
 * several rows name it.
 */
const statedOf = (row: StoredProduct, slug: string): { text: string; known: boolean } => {
  const mine = flatIngredients(row.ingredients).filter(({ supplement_slug: held }) => held === slug);
  const stated = mine.find(({ amount }) => amount !== null);
  if (!stated || stated.amount === null) return { text: whyMissing(row.ingredientsExtent), known: false };
  return {
    text: `${withUnit(stated.amount, stated.unit)}${stated.source === 'name' ? ', from the name' : ''}`,
    known: true,
  };
};

export const productLine = (row: StoredProduct, slug = ''): ProductLine => {
  const { text, known } = slug ? statedOf(row, slug) : { text: '', known: false };
  return {
    name: row.name,
    href: `/product/${row.dsldId}`,
    brand: row.brand,
    brandHref: row.brandSlug ? `/brands/${row.brandSlug}` : '',
    form: row.form,
    amount: text,
    known,
    market: marketWord(row.onMarket),
  };
};
