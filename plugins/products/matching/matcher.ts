/**
 * Matches the ingredients of labels to supplements: exact names and codes first, then the single supplement name that the
 * text contains.
 */
import { createHash } from 'node:crypto';
import type { SupplementRow } from '#plugins/vocabulary/index.ts';
import { FROM_WORDS, MACRONUTRIENTS, NOT_AFTER, NOT_BEFORE, NOT_ON_LABELS } from './exclusions.ts';
import { tokensOf } from './tokens.ts';

/** Version of the matcher. Raise it when the same names would be matched differently. */
const MATCHER_VERSION = 'label-1';

/** The name of a supplement in a text: tokens `from` (inclusive) to `to` (exclusive). */
export interface NameHit {
  readonly slug: string;
  readonly from: number;
  readonly to: number;
}

export interface IngredientName {
  readonly name: string;
  readonly category: string;
  readonly group: string;
  readonly unii: string;
  readonly form: string;
}

export interface LabelMatcher {
  /** Returns the supplement that an ingredient is, or null when it is none or ambiguous. */
  ofIngredient(ingredient: IngredientName): string | null;
  /** Returns the longest names, left to right, without overlaps and without the exclusions. */
  find(tokens: readonly string[]): readonly NameHit[];
  /** Returns a supplement as the vocabulary names it. */
  supplement(slug: string): { readonly name: string; readonly category: string };
  isMacronutrient(name: string): boolean;
  /** Returns the slugs of all supplements that a text names. */
  slugsIn(text: string): readonly string[];
}

interface Node {
  readonly next: Map<string, Node>;
  slug: string | null;
}

const newNode = (): Node => ({ next: new Map(), slug: null });

const plurals = (word: string): string[] => (/^[a-z]{4,}[^s]$/.test(word) ? [word, `${word}s`] : [word]);

/** Marks a term that belongs to two supplements (ZMA) and so identifies neither. */
const SHARED = '';

const addTerm = (root: Node, term: string, slug: string): void => {
  const tokens = tokensOf(term);
  if (!tokens.length || NOT_ON_LABELS.has(tokens.join(' '))) return;
  // A single letter or number does not identify anything.
  if (tokens.length === 1 && (tokens[0] ?? '').length < 2) return;
  const last = tokens.pop() ?? '';
  for (const ending of plurals(last)) {
    let node = root;
    for (const token of [...tokens, ending]) {
      const next: Node = node.next.get(token) ?? newNode();
      node.next.set(token, next);
      node = next;
    }
    node.slug = node.slug === null || node.slug === slug ? slug : SHARED;
  }
};

/**
 * Returns the forms that identify the supplement: single, long, specific words. Other forms are often generic ("Root
 * extract", "Oxide").
 */
const formTerms = (row: SupplementRow): string[] =>
  row.entry.forms
    .flatMap(({ name }) => name.split(/[(),;]/))
    .map((part) => part.trim())
    .filter((part) => /^[A-Z]?[a-z]*(?:cobalamin|ferol|quinone|quinol|tocopherol|folate|cysteine)$/i.test(part));

/** Returns the trade names of an ingredient, when the vocabulary has any. */
const brandsOf = (row: SupplementRow): readonly string[] =>
  (row.entry as { readonly brands?: readonly string[] }).brands ?? [];
const uniiOf = (row: SupplementRow): string =>
  (row.entry as { readonly ids?: { readonly unii?: string } }).ids?.unii ?? '';

/**
 * Returns short terms: on a label "MSM" and "D3" can only mean the supplement. In an abstract they are ambiguous, so the
 * vocabulary has longer terms.
 */
const shortTerms = (term: string): string[] => {
  const acronym = /^([A-Z]{2,5}e?) supplements?$/.exec(term)?.[1];
  const vitamin = /^vitamin ([a-z]-?\d{1,2})$/i.exec(term)?.[1];
  return [acronym, vitamin].filter((short) => short !== undefined);
};

const termsOf = (row: SupplementRow): string[] =>
  [row.name, row.latinName, ...row.synonyms, ...brandsOf(row), ...formTerms(row)]
    .filter((term) => term !== '')
    .flatMap((term) => [term, ...shortTerms(term)]);

const isSomethingElse = (tokens: readonly string[], { from, to }: NameHit): boolean => {
  const [before, next, last] = [tokens[from - 1] ?? '', tokens[to] ?? '', tokens[to - 1] ?? ''];
  return NOT_BEFORE.has(next) || (NOT_AFTER[last]?.has(before) ?? false);
};

const findIn = (root: Node, tokens: readonly string[]): NameHit[] => {
  const hits: NameHit[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    let node: Node | undefined = root;
    let longest: NameHit | null = null;
    for (let at = from; at < tokens.length; at += 1) {
      node = node.next.get(tokens[at] ?? '');
      if (!node) break;
      if (node.slug !== null) longest = { slug: node.slug, from, to: at + 1 };
    }
    if (!longest) continue;
    if (!isSomethingElse(tokens, longest)) hits.push(longest);
    from = longest.to - 1;
  }
  return hits;
};

/** Categories of label rows in which a supplement of a category may occur when its name is only a part of the row's name. */
const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  vitamin: ['vitamin', ''],
  mineral: ['mineral', ''],
};

const isPlausible = (category: string, rowCategory: string): boolean =>
  CATEGORIES[category]?.includes(rowCategory) ?? !['vitamin', 'mineral'].includes(rowCategory);

/** Returns a version that changes when matching changes: with the matcher itself, or with any term that it uses. */
export const matcherVersion = (supplements: Iterable<SupplementRow>): string => {
  const terms = [...supplements].map((row) => [row.slug, row.category, uniiOf(row), termsOf(row)]);
  const digest = createHash('sha256').update(JSON.stringify(terms)).digest('base64url').slice(0, 12);
  return `${MATCHER_VERSION}/${digest}`;
};

/** Compiles the vocabulary once into a trie. Matching walks the trie, and the results are cached by name. */
export const compileLabelMatcher = (supplements: Iterable<SupplementRow>): LabelMatcher => {
  const root = newNode();
  const rows = new Map<string, { readonly name: string; readonly category: string }>();
  const byUnii = new Map<string, string>();
  for (const row of supplements) {
    rows.set(row.slug, { name: row.name, category: row.category });
    if (uniiOf(row)) byUnii.set(uniiOf(row), row.slug);
    for (const term of termsOf(row)) addTerm(root, term, row.slug);
  }
  const find = (tokens: readonly string[]): NameHit[] => findIn(root, tokens);
  const whole = (text: string): string | null => {
    const tokens = tokensOf(text);
    const [hit] = find(tokens);
    return hit && hit.from === 0 && hit.to === tokens.length && hit.slug !== SHARED ? hit.slug : null;
  };
  const within = (name: string, category: string): string | null => {
    const tokens = tokensOf(name);
    const hits = find(tokens);
    const [first] = hits;
    if (!first) return null;
    const second = hits.find(({ slug }) => slug !== first.slug);
    const isSource = second && tokens.slice(first.to, second.from).some((token) => FROM_WORDS.has(token));
    if (second && !isSource) return null;
    return first.slug !== SHARED && isPlausible(rows.get(first.slug)?.category ?? '', category) ? first.slug : null;
  };
  const decide = ({ name, category, group, unii, form }: IngredientName): string | null => {
    const exact = byUnii.get(unii) ?? whole(name);
    if (exact) return exact;
    // A blend named after one of its members is not that member.
    if (category === 'blend') return null;
    return (group && whole(group)) || within(name, category) || (form && !form.includes(',') ? whole(form) : null);
  };
  const kept = new Map<string, string | null>();
  return {
    ofIngredient: (ingredient) => {
      const { name, category, group, unii, form } = ingredient;
      const key = `${name}\0${category}\0${group}\0${unii}\0${form}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      if (kept.size > 200_000) kept.clear();
      const slug = MACRONUTRIENTS.has(tokensOf(name).join(' ')) ? null : decide(ingredient);
      kept.set(key, slug);
      return slug;
    },
    find,
    supplement: (slug) => rows.get(slug) ?? { name: '', category: '' },
    slugsIn: (text) => find(tokensOf(text)).flatMap(({ slug }) => (slug === SHARED ? [] : [slug])),
    isMacronutrient: (name) => MACRONUTRIENTS.has(tokensOf(name).join(' ')),
  };
};
