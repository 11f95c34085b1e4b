/** Chooses the primary image of a product: at most one, changed under the lock of the product. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import { notFound } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import { appendAudit } from './audit.ts';
import { type ImageRow, lockImage, rowsOf } from './rows.ts';
import { voicesFor } from './votes.ts';

/** The rule as the route describes it; `missingScore` implements it. */
export const PRIMARY_RULE =
  'The image must be active, its score at least 0, and no lower than the score of the image that is primary now; votes of one provider’s range count once in it.';

export const primaryOf = async (em: EntityManager, dsldId: number): Promise<ImageRow | null> =>
  (await rowsOf<ImageRow>(em, 'select * from label_image where dsld_id = ? and is_primary', [dsldId]))[0] ?? null;

/**
 * Sets the primary image; null leaves the product without one. The caller must hold the lock of the product. Writes the
 * change log, but not the audit log.
 */
export const writePrimary = async (em: EntityManager, dsldId: number, imageId: number | null): Promise<void> => {
  const before = (await primaryOf(em, dsldId))?.image_id ?? null;
  if (before === imageId) return;
  // Two statements, because the unique index is checked within each.
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

/** Makes an image primary and audits it; does nothing when it already is. The caller must hold the lock of the product. */
const makePrimary = async (
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

/** Returns the score and the score needed, or null when the image may be primary. */
const missingScore = async (
  em: EntityManager,
  imageId: number,
  present: ImageRow | null,
): Promise<{ readonly score: number; readonly needed: number } | null> => {
  const score = await voicesFor(em, imageId);
  const needed = Math.max(0, present ? await voicesFor(em, present.image_id) : 0);
  return score >= needed ? null : { score, needed };
};

/** Makes an uploaded image primary if the rule for a choice allows it. The caller must hold the lock of the product. */
export const offerPrimary = async (em: EntityManager, image: ImageRow, who: string): Promise<void> => {
  if (image.status !== 'active') return;
  if (await missingScore(em, image.image_id, await primaryOf(em, image.dsld_id))) return;
  await makePrimary(em, image, who);
};

/**
 * Makes an image primary at the request of any visitor, within the rule.
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
  const missing = present?.image_id === imageId ? null : await missingScore(em, imageId, present);
  if (missing) {
    const { score, needed } = missing;
    throw invalid('path', 'image_id', `The image has a score of ${score}; at least ${needed} is needed`);
  }
  await makePrimary(em, image, who);
};
