/** Hides images when enough people report them, and lets an administrator set a status and undo changes. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '#core/http/validate.ts';
import { type AuditRow, appendAudit, lastChange } from './audit.ts';
import { primaryOf, writePrimary } from './primary.ts';
import { type ImageRow, lockImage, rowsOf, toImage } from './rows.ts';
import type { ImageReply } from './schemas.ts';
import { auditName, type Voter } from './voter.ts';
import { type Direction, writeVote } from './votes.ts';

type Status = ImageReply['status'];

/** Number of reports from different network ranges that hides an image. */
const REPORTS_TO_HIDE = 3;

/**
 * Writes a status; the caller must hold the lock on the image. An image that leaves `active` is no longer primary. An image
 * that an administrator restores starts without reports, and its earlier reports no longer count.
 */
const writeStatus = async (em: EntityManager, image: ImageRow, status: Status): Promise<void> => {
  if (image.is_primary) await writePrimary(em, image.dsld_id, null);
  await em.execute('update label_image set status = ? where image_id = ?', [status, image.image_id]);
  if (status === 'active') {
    await em.execute('update label_image_report set counts = false where image_id = ?', [image.image_id]);
    await em.execute('update label_image set reports = 0 where image_id = ?', [image.image_id]);
  }
};

const changeStatus = async (em: EntityManager, image: ImageRow, status: Status, who: string): Promise<void> => {
  if (image.status === status) return;
  await writeStatus(em, image, status);
  await appendAudit(em, {
    imageId: image.image_id,
    dsldId: image.dsld_id,
    who,
    what: 'status',
    before: { status: image.status, is_primary: image.is_primary },
    after: { status, is_primary: false },
  });
};

const addReport = async (em: EntityManager, imageId: number, voter: Voter, reason: string): Promise<boolean> => {
  const added = await rowsOf(
    em,
    `insert into label_image_report (image_id, voter, address, network, reason, counts, at)
     select ?, ?, ?, ?, ?, true, now()
     where not exists (select 1 from label_image_report where image_id = ? and (voter = ? or address = ?))
     returning 1`,
    [imageId, voter.id, voter.address, voter.network, reason, imageId, voter.id, voter.address],
  );
  return added.length > 0;
};

/**
 * Records a report; a second one from the same device or address has no effect.
 * @throws AppError 404 for an image that is not shown.
 */
export const report = async (
  em: EntityManager,
  imageId: number,
  { voter, reason }: { readonly voter: Voter; readonly reason: string },
): Promise<Status> => {
  const image = await lockImage(em, imageId);
  if (!(await addReport(em, imageId, voter, reason))) return image.status;
  const [row] = await rowsOf<{ reports: number }>(
    em,
    `update label_image set reports =
       (select count(distinct coalesce(nullif(r.network, ''), nullif(r.address, ''), r.voter))
        from label_image_report r where r.image_id = ? and r.counts)
     where image_id = ? returning reports`,
    [imageId, imageId],
  );
  const who = auditName(voter);
  const place = { imageId, dsldId: image.dsld_id, who };
  await appendAudit(em, { ...place, what: 'report', before: {}, after: { reason } });
  if ((row?.reports ?? 0) < REPORTS_TO_HIDE) return image.status;
  await changeStatus(em, image, 'hidden', who);
  return 'hidden';
};

/**
 * Sets the status of an image.
 * @throws AppError 404 when there is no such image.
 */
export const setStatus = async (
  em: EntityManager,
  imageId: number,
  { status, who }: { readonly status: Status; readonly who: string },
): Promise<ImageReply> => {
  await changeStatus(em, await lockImage(em, imageId, true), status, who);
  return toImage(await lockImage(em, imageId, true));
};

interface Undoing {
  readonly image: ImageRow;
  readonly change: AuditRow;
}

const undoVote = async (em: EntityManager, { image, change }: Undoing): Promise<void> => {
  const {
    voter,
    address,
    network = '',
    direction,
  } = change.before as {
    voter: string;
    address: string;
    network?: string;
    direction: Direction | null;
  };
  await writeVote(em, image.image_id, { voter, address, network, byCookie: false, direction });
};

const undoPrimary = async (em: EntityManager, { image, change }: Undoing): Promise<void> => {
  const present = (await primaryOf(em, image.dsld_id))?.image_id ?? null;
  if (present !== image.image_id) {
    const since = present === null ? 'it is primary no more' : `image ${present} is primary since`;
    throw invalid('path', 'image_id', `The choice of this image was changed later: ${since}`);
  }
  const before = change.before.primary_image_id as number | null;
  const text = "select 1 from label_image where image_id = ? and status = 'active'";
  const isShown = before !== null && (await rowsOf(em, text, [before])).length > 0;
  await writePrimary(em, image.dsld_id, isShown ? before : null);
};

/** Undoes a change of status. The image becomes primary again only if no other image has become primary in the meantime. */
const undoStatus = async (em: EntityManager, { image, change }: Undoing): Promise<void> => {
  const before = change.before as { status: Status; is_primary: boolean };
  await writeStatus(em, image, before.status);
  if (before.is_primary && before.status === 'active' && !(await primaryOf(em, image.dsld_id))) {
    await writePrimary(em, image.dsld_id, image.image_id);
  }
};

const UNDO = { vote: undoVote, primary: undoPrimary, status: undoStatus };

/**
 * Undoes the last change of an image that is not undone yet; another call undoes the change before it.
 * @throws AppError 404 when there is no such image, 422 when nothing is left to undo or a later choice of a primary image is
 * in effect.
 */
export const undoLast = async (
  em: EntityManager,
  imageId: number,
  { what, who }: { readonly what: string; readonly who: string },
): Promise<{ readonly image: ImageReply; readonly change: AuditRow }> => {
  const image = await lockImage(em, imageId, true);
  const change = await lastChange(em, imageId, what);
  if (!change) throw invalid('path', 'image_id', 'No change of this image is left to undo');
  await UNDO[change.what](em, { image, change });
  await appendAudit(em, {
    imageId,
    dsldId: image.dsld_id,
    who,
    what: 'revert',
    before: change.after,
    after: change.before,
    undoes: change.id,
  });
  return { image: toImage(await lockImage(em, imageId, true)), change };
};

const SENT_SINCE = `select image_id from label_image where key_id = any(?::text[]) and uploaded_at >= ? and status = 'active'
  order by dsld_id, image_id`;

/** Sets the images that these keys sent since a time to `pending`, for review. Returns their ids. */
export const holdPicturesOf = async (em: EntityManager, keyIds: readonly string[], since: Date): Promise<string[]> => {
  const rows = await rowsOf<{ image_id: number }>(em, SENT_SINCE, [`{${keyIds.join(',')}}`, since]);
  for (const { image_id: id } of rows) await setStatus(em, id, { status: 'pending', who: 'revocation' });
  return rows.map(({ image_id: id }) => String(id));
};

const PENDING = `select i.* from label_image i join product p using (dsld_id)
  where i.status = 'pending' and p.removed_at is null and i.image_id > ? order by i.image_id limit ?`;

/** Returns the images that wait for review, the oldest first. */
export const pendingImages = async (em: EntityManager, after: number, limit: number): Promise<readonly ImageReply[]> =>
  (await rowsOf<ImageRow>(em, PENDING, [after, limit])).map(toImage);
