/**
 * Stores uploads: objects first, then the row, so that a crash in between leaves unused objects but never an incomplete
 * image.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import type { Database } from '#core/plugin.ts';
import type { ObjectStore } from '#core/storage/object-store.ts';
import { appendAudit } from './audit.ts';
import { fileNames, keyOfName } from './files.ts';
import type { Picture, Pictures } from './pictures.ts';
import { offerPrimary } from './primary.ts';
import { checkProduct, type ImageRow, lockProduct, rowsOf, toImage } from './rows.ts';
import type { ImageReply } from './schemas.ts';

export interface Upload {
  readonly dsldId: number;
  /** Path of the temporary file, which exists for the duration of the request. */
  readonly path: string;
  readonly kind: string;
  readonly source: string;
  readonly license: string;
  readonly attribution: string;
  readonly makePrimary: boolean;
  readonly keyId: string;
  /** Whether the image stays hidden until an administrator has reviewed it. */
  readonly mustWait: boolean;
}

export interface StoringParts {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly pictures: Pictures;
}

export interface Stored {
  readonly image: ImageReply;
  /** False when the product already had an image with the same bytes. */
  readonly created: boolean;
}

const findTwin = async (em: EntityManager, dsldId: number, uploadSha256: string): Promise<ImageRow | null> => {
  const text = 'select * from label_image where dsld_id = ? and upload_sha256 = ?';
  return (await rowsOf<ImageRow>(em, text, [dsldId, uploadSha256]))[0] ?? null;
};

const INSERT = `insert into label_image (dsld_id, upload_sha256, sha256, kind, source, license, attribution, width, height,
    mime, bytes, key_id, status, uploaded_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, now())
  on conflict (dsld_id, upload_sha256) do nothing returning *`;

const insert = async (
  em: EntityManager,
  upload: Upload,
  { picture, uploadSha256 }: { readonly picture: Picture; readonly uploadSha256: string },
): Promise<ImageRow | null> => {
  const { dsldId, kind, source, license, attribution, keyId, mustWait } = upload;
  const { sha256, width, height, mime, body } = picture;
  const [row] = await rowsOf<ImageRow>(em, INSERT, [
    ...[dsldId, uploadSha256, sha256, kind, source, license, attribution],
    ...[width, height, mime, body.length, keyId, mustWait ? 'pending' : 'active'],
  ]);
  return row ?? null;
};

const announce = async (em: EntityManager, { image_id, dsld_id, kind, source }: ImageRow, who: string) => {
  await recordChanges(em, [
    {
      kind: 'label_image.created',
      subjectType: 'label_image',
      subjectId: String(image_id),
      data: { dsld_id, kind, source },
    },
  ]);
  const entry = { imageId: image_id, dsldId: dsld_id, who, before: {}, after: { kind, source } };
  await appendAudit(em, { ...entry, what: 'created' });
};

/** Writes the objects. The operation is idempotent and overwrites the objects of an earlier attempt. */
const putObjects = async (objects: ObjectStore, { sha256, body, thumb }: Picture): Promise<void> => {
  const names = fileNames(sha256);
  await objects.put(keyOfName(names.picture), body);
  await objects.put(keyOfName(names.thumb), thumb);
};

/** Returns whether the store has both files of an image. When one was lost, uploading the image again restores it. */
const isHeld = async (objects: ObjectStore, { sha256 }: Pick<ImageRow, 'sha256'>): Promise<boolean> => {
  const { picture, thumb } = fileNames(sha256);
  const times = await Promise.all([picture, thumb].map((name) => objects.storedAt(keyOfName(name))));
  return times.every((time) => time !== null);
};

/**
 * Reads, encodes and stores an upload. The same bytes for the same product return the existing image.
 * @throws AppError 404 for an unknown product, 415 and 422 for a file that is not a valid picture.
 */
export const storeUpload = async ({ db, objects, pictures }: StoringParts, upload: Upload): Promise<Stored> => {
  const bytes = await readFile(upload.path);
  const uploadSha256 = createHash('sha256').update(bytes).digest('hex');
  const twin = await db.read(async (em) => {
    await checkProduct(em, upload.dsldId);
    return findTwin(em, upload.dsldId, uploadSha256);
  });
  if (twin) {
    if (!(await isHeld(objects, twin))) await putObjects(objects, await pictures.read(bytes));
    return { image: toImage(twin), created: false };
  }
  const picture = await pictures.read(bytes);
  await putObjects(objects, picture);
  return db.write(async (em) => {
    await lockProduct(em, upload.dsldId);
    const row = await insert(em, upload, { picture, uploadSha256 });
    if (row) {
      await announce(em, row, `key:${upload.keyId}`);
      if (upload.makePrimary) await offerPrimary(em, row, `key:${upload.keyId}`);
    }
    const image = await findTwin(em, upload.dsldId, uploadSha256);
    if (!image) throw new Error('An image is gone within its own transaction');
    return { image: toImage(image), created: row !== null };
  });
};
