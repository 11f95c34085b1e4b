/** The labels of brands as their pages need them: light rows, many brands in one query. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { foldName } from '#core/search/name-index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { IngredientsExtent } from '../label.ts';

export interface BrandLabel {
  readonly id: number;
  readonly slug: string;
  readonly brand: string;
  readonly name: string;
  readonly form: string;
  readonly on_market: boolean | null;
  readonly as_of: string | null;
  readonly extent: IngredientsExtent;
  readonly supplements: readonly string[];
  /** Rows that are no blend and print no amount. */
  readonly has_gaps: boolean;
  /** Names and forms of its ingredients. */
  readonly parts: readonly string[];
}

// Given as parameters: a question mark in the text of a statement is a place for one.
const GAPS = 'strict $.** ? (@.type() == "object" && @.is_blend == false && @.amount == null)';
const NAMES = 'strict $.** ? (@.type() == "object").name';
const FORMS = 'strict $.** ? (@.type() == "object").form';
const LABELS = `select dsld_id as id, brand_slug as slug, brand, name, form, on_market, status_as_of::text as as_of,
  ingredients_extent as extent, supplements, jsonb_path_exists(ingredients, ?::jsonpath) as has_gaps,
  jsonb_path_query_array(ingredients, ?::jsonpath) || jsonb_path_query_array(ingredients, ?::jsonpath) as parts
  from product where removed_at is null and brand_slug in (select jsonb_array_elements_text(?::jsonb))`;

/** By brand, by name as lists of products have it. */
export const readBrandLabels = async (
  em: EntityManager,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, readonly BrandLabel[]>> => {
  const rows = (await em.execute(LABELS, [
    GAPS,
    NAMES,
    FORMS,
    JSON.stringify(slugs),
  ])) as unknown as readonly BrandLabel[];
  const keyed = rows.map((row) => ({ row, key: foldName(row.name) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.row.id - b.row.id));
  return Map.groupBy(
    keyed.map(({ row }) => row),
    ({ slug }) => slug,
  );
};

const RECALLED = `select id::int as id, count(*)::int as n from product_recall, jsonb_array_elements_text(dsld_ids) as id group by 1`;

/** Recalls by product. */
export const readRecalled = async (em: EntityManager): Promise<ReadonlyMap<number, number>> => {
  const rows = (await em.execute(RECALLED)) as unknown as readonly { id: number; n: number }[];
  return new Map(rows.map(({ id, n }) => [id, n]));
};

/** The names of a supplement that is banned or restricted. */
const supplementNames = ({ supplements, redirects }: Terms, slug: string): readonly string[] => {
  const row = supplements.get(slug);
  if (!row) return [];
  const old = [...redirects].filter(([, to]) => to === slug).map(([from]) => from.replaceAll('-', ' '));
  return [row.name, row.latinName, ...row.synonyms, ...(row.entry.brands ?? []), ...old].filter(Boolean);
};

/** Folded names and synonyms of what is banned, restricted or hidden in products, each with the name to show. */
export const warnedNames = (terms: Terms): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const { name, synonyms, slug, kind } of terms.substances.values()) {
    if (kind === 'food' || kind === 'additive') continue;
    const names = [slug.replaceAll('-', ' '), ...supplementNames(terms, slug), ...synonyms, name];
    for (const text of names) found.set(foldName(text), name);
  }
  return found;
};

/** The warned substance that a label names outright, or "". */
export const warnedIn = ({ name, parts }: BrandLabel, names: ReadonlyMap<string, string>): string => {
  for (const text of [name, ...parts]) {
    const hit = text ? names.get(foldName(text)) : undefined;
    if (hit) return hit;
  }
  return '';
};
