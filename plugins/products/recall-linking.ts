/**
 * Links recalls to products. Only certain links are made: the text of the recall contains the barcode, or both the brand and
 * the whole name of the product. A recall without a link is stored all the same.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { foldName } from '#core/search/name-index.ts';
import type { Recall } from './importers/recalls.ts';

export interface Link {
  readonly dsldIds: readonly number[];
  readonly linkedBy: 'upc' | 'name' | '';
}

interface Branded {
  readonly slug: string;
  readonly folded: string;
}

/** Minimum length of a brand; any text would contain a shorter one. */
const SHORTEST_BRAND = 3;
/** Minimum number of words in a name: a single word ("Zinc") is ambiguous, even with its brand. */
const FEWEST_WORDS = 2;
/** Maximum number of labels of one product (sizes, years) that a recall is linked to. */
const MOST_LINKS = 50;

const holds = (text: string, part: string): boolean => ` ${text} `.includes(` ${part} `);

const byCode = async (em: EntityManager, codes: readonly string[]): Promise<number[]> => {
  if (!codes.length) return [];
  const rows = await em.execute(
    `select dsld_id as id from product where removed_at is null and upc <> '' and upc in
     (select value from jsonb_array_elements_text(?::jsonb)) order by dsld_id limit ?`,
    [JSON.stringify(codes), MOST_LINKS],
  );
  return (rows as { id: number }[]).map(({ id }) => id);
};

/** Returns a name without its brand. */
const withoutBrand = (name: string, brand: string): string =>
  name.startsWith(`${brand} `) ? name.slice(brand.length + 1) : name;

const byName = async (em: EntityManager, recall: Recall, brands: readonly Branded[]): Promise<number[]> => {
  const text = foldName(recall.description);
  const whole = `${text} ${foldName(recall.firm)}`;
  const named = brands.filter(({ folded }) => holds(whole, folded));
  if (!named.length) return [];
  const rows = (await em.execute(
    `select dsld_id as id, name, brand_slug as slug from product where removed_at is null and brand_slug in
     (select value from jsonb_array_elements_text(?::jsonb)) order by dsld_id`,
    [JSON.stringify(named.map(({ slug }) => slug))],
  )) as { id: number; name: string; slug: string }[];
  const foldedBrand = new Map(named.map(({ slug, folded }) => [slug, folded]));
  return rows
    .filter(({ name, slug }) => {
      const own = withoutBrand(foldName(name), foldedBrand.get(slug) ?? '');
      return own.split(' ').length >= FEWEST_WORDS && holds(text, own);
    })
    .map(({ id }) => id)
    .slice(0, MOST_LINKS);
};

/** Returns all brands of the catalogue, folded; one query for a whole import. */
export const readBrands = async (em: EntityManager): Promise<Branded[]> => {
  const rows = (await em.execute(
    "select brand_slug as slug, min(brand) as brand from product where brand_slug <> '' group by brand_slug",
  )) as { slug: string; brand: string }[];
  return rows
    .map(({ slug, brand }) => ({ slug, folded: foldName(brand) }))
    .filter(({ folded }) => folded.length >= SHORTEST_BRAND);
};

export const linkRecall = async (em: EntityManager, recall: Recall, brands: readonly Branded[]): Promise<Link> => {
  const coded = await byCode(em, recall.codes);
  if (coded.length) return { dsldIds: coded, linkedBy: 'upc' };
  const named = await byName(em, recall, brands);
  return named.length ? { dsldIds: named, linkedBy: 'name' } : { dsldIds: [], linkedBy: '' };
};
