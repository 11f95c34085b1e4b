/** Reads the ingredient from a product's name alone: one supplement, and its dose when the name has one. */
import type { Ingredient } from '../label.ts';
import { COMBINED, PLAIN_IN_NAMES } from './exclusions.ts';
import type { LabelMatcher, NameHit } from './matcher.ts';
import { tokensOf } from './tokens.ts';

export interface NamedProduct {
  readonly name: string;
  readonly brand: string;
  readonly typeCode: string;
}

interface Amount {
  readonly amount: number;
  readonly unit: string;
}

const AMOUNT =
  /(?<![\d.,/])(?<!\d\s?[-–]\s?)(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|\.\d+)[\s-]?(mg|mcg|µg|μg|ug|gm|grams?|g|i\.?u\.?|billion|million)(?![a-z])(?:\s+(?:cfus?|organisms))?/gi;

/** Matches dilutions (6X, 30C, 12 CH), which are not doses. */
const HOMEOPATHIC = /\b\d{1,4}\s?(?:X|C|CH|CK|DH|LM|K)\b|hom(?:o)?eopath/;

const UNITS: Readonly<Record<string, string>> = {
  mg: 'mg',
  mcg: 'mcg',
  ug: 'mcg',
  µg: 'mcg',
  μg: 'mcg',
  g: 'g',
  gm: 'g',
  gram: 'g',
  grams: 'g',
  iu: 'IU',
  billion: 'billion CFU',
  million: 'million CFU',
};

/** Maximum doses by unit. A larger number is the content of a container or the fresh weight of a plant. */
const MOST: Readonly<Record<string, number>> = { g: 10, mg: 10_000, mcg: 100_000, IU: 100_000 };

/** Multi-vitamin, vitamin with mineral, botanical with nutrients, other combinations. */
const COMBINED_TYPES: ReadonlySet<string> = new Set(['A1315', 'A1316', 'A1317', 'A1325']);

const readAmounts = (name: string): Amount[] => {
  const found = new Map<string, Amount>();
  for (const [, digits = '', written = ''] of name.matchAll(AMOUNT)) {
    const unit = UNITS[written.toLowerCase().replaceAll('.', '')] ?? '';
    const amount = Number(digits.replaceAll(',', ''));
    found.set(`${amount} ${unit}`, { amount, unit });
  }
  return [...found.values()];
};

const isDose = ({ amount, unit }: Amount): boolean => amount > 0 && amount <= (MOST[unit] ?? Number.POSITIVE_INFINITY);

/** Returns whether a name is part of a flavour: "Ginger Peach Flavor". */
const isFlavour = (tokens: readonly string[], { to }: NameHit): boolean =>
  tokens.slice(to, to + 2).some((token) => /^flavou?r/.test(token));

const withoutBrand = (tokens: readonly string[], brand: readonly string[]): string[] =>
  brand.length && brand.every((word, at) => tokens[at] === word) ? tokens.slice(brand.length) : [...tokens];

/** Returns the tokens that belong to none of the names found. */
const remainder = (tokens: readonly string[], hits: readonly NameHit[]): string[] =>
  tokens.filter((_, at) => !hits.some(({ from, to }) => at >= from && at < to));

const isPlain = (token: string, brand: readonly string[]): boolean =>
  /^\d+$/.test(token) || PLAIN_IN_NAMES.has(token) || brand.includes(token);

/** Returns the one supplement in a name with the words for it, or null when there is none, several, or an unknown word. */
const namedSupplement = (product: NamedProduct, matcher: LabelMatcher): { slug: string; words: string } | null => {
  const brand = tokensOf(product.brand);
  const tokens = withoutBrand(tokensOf(product.name.replace(AMOUNT, ' ')), brand);
  const hits = matcher.find(tokens).filter((hit) => !isFlavour(tokens, hit));
  const [first] = hits;
  if (!first?.slug || hits.some(({ slug }) => slug !== first.slug)) return null;
  // "Omega 3-6-9" continues after "Omega 3".
  if (hits.some(({ to }) => /^\d$/.test(tokens[to] ?? ''))) return null;
  const rest = remainder(tokens, hits);
  if (rest.some((token) => COMBINED.has(token) || !isPlain(token, brand))) return null;
  return { slug: first.slug, words: tokens.slice(first.from, first.to).join(' ') };
};

/**
 * Returns the ingredient that a name states, with `source: "name"`, or null for combinations, dilutions and anything
 * ambiguous.
 */
export const readName = (product: NamedProduct, matcher: LabelMatcher): Ingredient | null => {
  if (COMBINED_TYPES.has(product.typeCode) || HOMEOPATHIC.test(product.name) || /[&+/]/.test(product.name)) return null;
  const named = namedSupplement(product, matcher);
  if (!named) return null;
  const { name, category } = matcher.supplement(named.slug);
  const amounts = readAmounts(product.name);
  const [dose] = amounts;
  // 1,000 mg of fish oil is not 1,000 mg of omega-3.
  const isOfOil = /\boil$/.test(named.words) && !/\boil$/i.test(name);
  const isClear = dose !== undefined && amounts.length === 1 && isDose(dose) && !isOfOil;
  return {
    name,
    amount: isClear ? dose.amount : null,
    unit: isClear ? dose.unit : '',
    operator: isClear ? '=' : '',
    dv_percent: null,
    is_blend: false,
    category,
    group: '',
    unii: '',
    form: named.words === tokensOf(name).join(' ') ? '' : named.words,
    supplement_slug: named.slug,
    source: 'name',
    children: [],
  };
};
