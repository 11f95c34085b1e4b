/**
 * Computes the versions of the data that product pages show in addition to the product, as short digests made once per
 * listing.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '#core/plugin.ts';
import { versionOf } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { ProductServices } from '../services.ts';

/** Returns versions by slug. A version changes with anything that a product's page shows of the supplement. */
export const supplementVersions = async ({
  services,
  use,
}: Context<ProductServices>): Promise<ReadonlyMap<string, string>> => {
  const interactions = use(interactionsPlugin);
  const [facts, counts] = [await services.facts(), await interactions.counts()];
  const cautions = await interactions.cautions();
  return new Map(
    [...facts].map(([slug, known]) => [slug, versionOf(known, counts.get(slug), cautions.get(slug)).slice(0, 10)]),
  );
};

/** Returns a version that changes with any warning about a substance. */
export const substancesVersion = async ({ use }: Context<ProductServices>): Promise<string> => {
  const { substances } = await use(vocabularyPlugin).terms();
  return versionOf([...substances.values()]).slice(0, 10);
};

const RECALLS = `select recall_number as number, dsld_ids as ids, classification, status, reason, initiation_date::text as started,
  source_url as address from product_recall where dsld_ids <> '[]'::jsonb order by 1`;

/** Returns the versions of recalls by product. */
export const recallVersions = async (em: EntityManager): Promise<ReadonlyMap<number, string>> => {
  const rows = (await em.execute(RECALLS)) as unknown as { ids: readonly number[] }[];
  const found = new Map<number, unknown[]>();
  for (const row of rows) for (const id of row.ids) found.set(id, [...(found.get(id) ?? []), row]);
  return new Map([...found].map(([id, recalls]) => [id, versionOf(recalls).slice(0, 10)]));
};

const IMAGES = `select dsld_id as id, string_agg(image_id || ':' || sha256 || ':' || kind || ':' || license || ':' || attribution, ','
  order by is_primary desc, upvotes - downvotes desc, image_id) as images from label_image where status = 'active' group by 1`;

/** Returns the versions of images by product, in display order. */
export const imageVersions = async (em: EntityManager): Promise<ReadonlyMap<number, string>> => {
  const rows = (await em.execute(IMAGES)) as unknown as { id: number; images: string }[];
  return new Map(rows.map(({ id, images }) => [id, versionOf(images).slice(0, 10)]));
};
