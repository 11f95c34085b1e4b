/** Which image stands for a product: at most one, changed under the product's lock. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import { notFound } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import { appendAudit } from './audit.ts';
import { type ImageRow, lockImage, rowsOf } from './rows.ts';

/** The sentence that the route shows; the rule itself is `checkRule`. */
export const PRIMARY_RULE =
  'The image must be active, its score at least 0, and no lower than the score of the image that is primary now.';

const scoreOf = ({ upvotes, downvotes }: Pick<ImageRow, 'upvotes' | 'downvotes'>): number => upvotes - downvotes;

export const primaryOf = async (em: EntityManager, dsldId: number): Promise<ImageRow | null> =>
  (await rowsOf<ImageRow>(em, 'select * from label_image where dsld_id = ? and is_primary', [dsldId]))[0] ?? null;

/** Call it with the product locked; null leaves the product without one. Writes the change log, not the audit. */
export const writePrimary = async (em: EntityManager, dsldId: number, imageId: number | null): Promise<void> => {
  const before = (await primaryOf(em, dsldId))?.image_id ?? null;
  if (before === imageId) return;
  // Two statements: the unique index is checked within each.
  await em.execute('update label_image set is_primary = false where dsld_id = ? and is_primary', [dsldId]);
  if (imageId !== null) await em.execute('update label_image set is_primary = true where image_id = ?', [imageId]);
  await recordChanges(em, [
    {
      kind: 'label_image.primary_changed',
      subjectType: 'product',
      subjectId: String(dsldId),
      data: { old: { primary_image_id: before }, new: { primary_image_id: imageId } },
    },
  ]);
};

/** Makes an image primary and audits it; harmless when it is. Call it with the product locked. */
export const makePrimary = async (
  em: EntityManager,
  { dsld_id: dsldId, image_id: imageId }: Pick<ImageRow, 'dsld_id' | 'image_id'>,
  who: string,
): Promise<void> => {
  const before = (await primaryOf(em, dsldId))?.image_id ?? null;
  if (before === imageId) return;
  await writePrimary(em, dsldId, imageId);
  await appendAudit(em, {
    imageId,
    dsldId,
    who,
    what: 'primary',
    before: { primary_image_id: before },
    after: { primary_image_id: imageId },
  });
};

const checkRule = (image: ImageRow, present: ImageRow | null): void => {
  const needed = Math.max(0, present ? scoreOf(present) : 0);
  if (scoreOf(image) >= needed) return;
  throw invalid('path', 'image_id', `The image has a score of ${scoreOf(image)}; at least ${needed} is needed`);
};

/**
 * What anybody may do, within the rule.
 * @throws AppError 404 for an image that is not shown or belongs to another product, 422 when the rule forbids it.
 */
export const choosePrimary = async (
  em: EntityManager,
  { dsldId, imageId }: { readonly dsldId: number; readonly imageId: number },
  who: string,
): Promise<void> => {
  const image = await lockImage(em, imageId);
  if (image.dsld_id !== dsldId) throw notFound('Image', String(imageId));
  const present = await primaryOf(em, dsldId);
  if (present?.image_id !== imageId) checkRule(image, present);
  await makePrimary(em, image, who);
};
