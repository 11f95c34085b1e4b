/** Formats the label for a page; it computes nothing but the layout. */
import { type Static, Type } from 'typebox';
import type { Contact, Ingredient, IngredientsExtent, Statement } from '../label.ts';
import type { StoredProduct } from '../product-view.ts';
import type { ProductCard } from '../schemas.ts';
import { dayWords, listed, marketWord, originWord, withUnit } from './product-figures.ts';

export const FactRow = Type.Object({
  name: Type.String(),
  href: Type.String(),
  /** 0 for a top-level row, 1 or more inside a blend. */
  depth: Type.Integer(),
  blend: Type.Boolean(),
  amount: Type.String(),
  /** False when the amount is unknown; `amount` then contains the reason. */
  known: Type.Boolean(),
  daily: Type.String(),
  hasDaily: Type.Boolean(),
});
export type FactRow = Static<typeof FactRow>;

/** Returns why there is no amount. Only a complete facts panel shows that the label prints none. */
export const whyMissing = (extent: IngredientsExtent): string =>
  extent === 'label' ? 'not printed' : extent === 'name' ? 'not in the name' : 'not in our data';

const amountOf = ({ amount, unit, operator }: Ingredient, extent: IngredientsExtent): string => {
  if (amount === null) return whyMissing(extent);
  const sign = operator === '<' ? 'less than ' : operator === '>' ? 'more than ' : '';
  return `${sign}${withUnit(amount, unit)}`;
};

/**
 * Returns the name with its form when the name does not contain it. A form that was read from the product's name is already
 * there.
 */
const nameWithForm = ({ name, form, source }: Ingredient): string =>
  source === 'label' && form && !name.toLowerCase().includes(form.toLowerCase()) ? `${name} (${form})` : name;

/** Returns the rows in the order of the label; the members of a blend follow it. */
export const factRows = (rows: readonly Ingredient[], extent: IngredientsExtent, depth = 0): FactRow[] =>
  rows.flatMap((row) => [
    {
      name: nameWithForm(row),
      href: row.supplement_slug ? `/supplements/${row.supplement_slug}` : '',
      depth: Math.min(depth, 3),
      blend: row.is_blend,
      amount: amountOf(row, extent),
      known: row.amount !== null,
      daily: row.dv_percent === null ? (extent === 'label' ? 'not printed' : 'not in our data') : `${row.dv_percent}%`,
      hasDaily: row.dv_percent !== null,
    },
    ...factRows(row.children, extent, depth + 1),
  ]);

/** Provenance of the table of ingredients, shown before the table. */
export const EXTENT_WORDS: Readonly<Record<IngredientsExtent, string>> = {
  label: 'As printed in the facts panel of the label, per serving.',
  partial: 'Some rows of the facts panel only: our data does not have the others.',
  name: 'Read from the product’s name. The facts panel is not in our data, so there may be more in it, and the amount may be that of a compound.',
  none: 'The facts panel of this label is not in our data, and the name says nothing that we know for certain. The label at the database has it.',
};

/** Returns whether there is a blend without an amount of its own or of a member, called proprietary in the trade. */
export const hidesAmounts = (rows: readonly Ingredient[]): boolean =>
  rows.some(
    (row) =>
      (row.is_blend && (row.amount === null || row.children.some(({ amount }) => amount === null))) ||
      hidesAmounts(row.children),
  );

const SHOWN = /^(suggested|precautions|storage)/i;
const LONGEST = 600;
const MOST = 8;

/** Returns the title of a statement. Some labels list directions under precautions. */
const titleOf = (type: string, text: string): string => {
  if (/^suggested/i.test(type) || /^suggested use/i.test(text)) return 'Suggested use';
  if (/^storage/i.test(type)) return 'Storage';
  const [, about = ''] = /^precautions(?: re: (.*))?$/i.exec(type) ?? [];
  return about && !/all other/i.test(about) ? `Precautions: ${about.toLowerCase()}` : 'Precautions';
};

/** Returns directions, precautions and storage; marketing statements are left out. */
export const printedStatements = (statements: readonly Statement[]): { title: string; text: string }[] => {
  const seen = new Set<string>();
  return statements.flatMap(({ type, text }) => {
    if (!SHOWN.test(type) || seen.has(text) || seen.size >= MOST) return [];
    seen.add(text);
    return [{ title: titleOf(type, text), text: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text }];
  });
};

const ROLE_WORDS: Readonly<Record<string, string>> = { other: 'named on the label' };
const contactLine = ({ name, roles, city, state, country }: Contact): string => {
  const place = [city, state, country].filter(Boolean).join(', ');
  const role = listed(roles.map((one) => ROLE_WORDS[one] ?? one));
  return `${name}${role && ` (${role})`}${place && `, ${place}`}`;
};

export const MarketView = Type.Object({
  word: Type.String(),
  asOf: Type.String(),
  changed: Type.String(),
  history: Type.Array(Type.Object({ day: Type.String(), word: Type.String(), source: Type.String() })),
});

export const marketView = ({ card, row }: { card: ProductCard; row: StoredProduct }): Static<typeof MarketView> => ({
  word: marketWord(row.onMarket),
  asOf: dayWords(card.market_status_as_of),
  changed: dayWords(card.market_status_changed_at?.slice(0, 10) ?? null),
  history: card.market_history.map(({ on_market: onMarket, as_of: asOf, source }) => ({
    day: dayWords(asOf),
    word: marketWord(onMarket),
    source: originWord(source),
  })),
});

export const LabelView = Type.Object({
  extent: Type.String(),
  rows: Type.Array(FactRow),
  serving: Type.String(),
  other: Type.String(),
  statements: Type.Array(Type.Object({ title: Type.String(), text: Type.String() })),
  untold: Type.Integer(),
  groups: Type.String(),
  contacts: Type.Array(Type.String()),
});

export const labelView = (row: StoredProduct): Static<typeof LabelView> => {
  const statements = printedStatements(row.statements);
  const servings = row.servingsPerContainer && `${row.servingsPerContainer} servings per container`;
  return {
    extent: EXTENT_WORDS[row.ingredientsExtent],
    rows: factRows(row.ingredients, row.ingredientsExtent),
    serving: [
      row.servingSize && `Serving: ${row.servingSize}`,
      servings,
      row.netContents && `contents: ${row.netContents}`,
    ]
      .filter(Boolean)
      .join('; '),
    other: row.otherIngredients.join(', '),
    statements,
    untold: row.statements.length - statements.length,
    groups: row.targetGroups.join(', '),
    contacts: row.contacts.map(contactLine),
  };
};
