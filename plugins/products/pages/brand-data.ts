/** Reads the labels of brands for their pages: narrow rows, many brands in one query. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { foldName } from '#core/search/name-index.ts';
import { isWarnedKind, legalStatusOf, type Terms } from '#plugins/vocabulary/index.ts';
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
  /** Whether any row other than a blend prints no amount. */
  readonly has_gaps: boolean;
  /** Names and forms of its ingredients. */
  readonly parts: readonly string[];
}

// Passed as parameters, because a question mark in the text of a statement is a placeholder.
const GAPS = 'strict $.** ? (@.type() == "object" && @.is_blend == false && @.amount == null)';
const NAMES = 'strict $.** ? (@.type() == "object").name';
const FORMS = 'strict $.** ? (@.type() == "object").form';
const LABELS = `select dsld_id as id, brand_slug as slug, brand, name, form, on_market, status_as_of::text as as_of,
  ingredients_extent as extent, supplements, jsonb_path_exists(ingredients, ?::jsonpath) as has_gaps,
  jsonb_path_query_array(ingredients, ?::jsonpath) || jsonb_path_query_array(ingredients, ?::jsonpath) as parts
  from product where removed_at is null and brand_slug in (select jsonb_array_elements_text(?::jsonb))`;

/** Returns labels by brand, each list sorted by folded name. */
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

/** Returns the number of recalls per product. */
export const readRecalled = async (em: EntityManager): Promise<ReadonlyMap<number, number>> => {
  const rows = (await em.execute(RECALLED)) as unknown as readonly { id: number; n: number }[];
  return new Map(rows.map(({ id, n }) => [id, n]));
};

/** Banned, restricted or hidden substances, with the name to show. */
export interface WarnedNames {
  /** Names by folded name or synonym. */
  readonly byName: ReadonlyMap<string, string>;
  /** Names by slug, for supplements with a page that are banned or restricted. */
  readonly bySupplement: ReadonlyMap<string, string>;
}

export const warnedNames = (terms: Terms): WarnedNames => {
  const [byName, bySupplement] = [new Map<string, string>(), new Map<string, string>()];
  for (const { name, synonyms, slug, kind } of terms.substances.values()) {
    if (!isWarnedKind(kind)) continue;
    for (const text of [slug.replaceAll('-', ' '), ...synonyms, name]) byName.set(foldName(text), name);
    if (legalStatusOf(terms, slug)) bySupplement.set(slug, name);
  }
  return { byName, bySupplement };
};

/** Returns the name of a warned substance that the label names or that was read from it as a supplement, or "". */
export const warnedIn = ({ name, parts, supplements }: BrandLabel, { byName, bySupplement }: WarnedNames): string => {
  for (const text of [name, ...parts]) {
    const hit = text ? byName.get(foldName(text)) : undefined;
    if (hit) return hit;
  }
  return supplements.flatMap((slug) => bySupplement.get(slug) ?? [])[0] ?? '';
};
