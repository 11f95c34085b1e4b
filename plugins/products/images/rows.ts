/** Reads and locks images, and converts them from database rows to the shape of the API. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '#core/errors.ts';
import { addressOf, fileNames } from './files.ts';
import type { ImageReply } from './schemas.ts';

/** An image row in snake case, as a raw query returns it. */
export interface ImageRow {
  readonly image_id: number;
  readonly dsld_id: number;
  readonly sha256: string;
  readonly kind: ImageReply['kind'];
  readonly source: ImageReply['source'];
  readonly license: string;
  readonly attribution: string;
  readonly width: number;
  readonly height: number;
  readonly mime: string;
  readonly bytes: number;
  readonly is_primary: boolean;
  readonly status: ImageReply['status'];
  readonly upvotes: number;
  readonly downvotes: number;
  readonly uploaded_at: Date | string;
}

export const rowsOf = async <T>(em: EntityManager, text: string, parameters: readonly unknown[] = []): Promise<T[]> =>
  (await em.execute(text, [...parameters])) as unknown as T[];

export const toImage = (row: ImageRow): ImageReply => {
  const names = fileNames(row.sha256);
  return {
    image_id: row.image_id,
    dsld_id: row.dsld_id,
    url: addressOf(names.picture),
    thumb_url: addressOf(names.thumb),
    width: row.width,
    height: row.height,
    mime: row.mime,
    bytes: row.bytes,
    sha256: row.sha256,
    kind: row.kind,
    source: row.source,
    license: row.license,
    attribution: row.attribution,
    is_primary: row.is_primary,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    score: row.upvotes - row.downvotes,
    status: row.status,
    uploaded_at: new Date(row.uploaded_at).toISOString(),
  };
};

const ACTIVE = `select i.* from label_image i
  join (select distinct value::int as dsld_id from jsonb_array_elements_text(?::jsonb)) wanted using (dsld_id)
  where i.status = 'active'
  order by i.dsld_id, i.is_primary desc, i.upvotes - i.downvotes desc, i.image_id`;

/** Returns the active images by product: the primary one first, then by score. A product without images has no entry. */
export const imagesOf = async (
  em: EntityManager,
  dsldIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ImageReply[]>> => {
  if (!dsldIds.length) return new Map();
  const rows = await rowsOf<ImageRow>(em, ACTIVE, [JSON.stringify(dsldIds)]);
  return Map.groupBy(rows.map(toImage), (image) => image.dsld_id);
};

/**
 * Verifies that a product exists.
 * @throws AppError 404 when it does not.
 */
export const checkProduct = async (em: EntityManager, dsldId: number): Promise<void> => {
  const found = await rowsOf(em, 'select 1 from product where dsld_id = ? and removed_at is null', [dsldId]);
  if (!found.length) throw notFound('Product', String(dsldId));
};

/** Locks a product, so that only one transaction at a time changes its images and two cannot each set a primary one. */
export const lockProduct = async (em: EntityManager, dsldId: number): Promise<void> => {
  await em.execute('select 1 from product where dsld_id = ? for no key update', [dsldId]);
};

const findImage = async (em: EntityManager, imageId: number): Promise<ImageRow> => {
  const [row] = await rowsOf<ImageRow>(em, 'select * from label_image where image_id = ?', [imageId]);
  if (!row) throw notFound('Image', String(imageId));
  return row;
};

/**
 * Locks an image until the transaction ends.
 * @throws AppError 404 when there is no such image, or when it is not active and `any` is not set, because the public does
 * not see it.
 */
export const lockImage = async (em: EntityManager, imageId: number, any = false): Promise<ImageRow> => {
  await lockProduct(em, (await findImage(em, imageId)).dsld_id);
  const row = await findImage(em, imageId);
  if (row.status !== 'active' && !any) throw notFound('Image', String(imageId));
  return row;
};
