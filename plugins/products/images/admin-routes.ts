/** Serves the administrator routes for label images: status and undo. */

import { Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import type { Principal } from '#core/http/gatekeeper.ts';
import { defineRoute } from '#core/plugin.ts';
import { fileNames } from './files.ts';
import { pendingImages, setStatus, undoLast } from './moderation.ts';
import { lockImage } from './rows.ts';
import * as schemas from './schemas.ts';
import type { HasImages } from './services.ts';

const json = { status: 200, mediaType: 'application/json' } as const;
const tag = 'Label images';

const FILE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

const whoIs = (principal: Principal): string => `key:${principal.kind === 'key' ? principal.keyId : ''}`;

const status = defineRoute<HasImages, { params: typeof schemas.ImagePath; body: typeof schemas.StatusBody }>({
  id: 'label-images.status',
  method: 'POST',
  path: '/api/label-image/{image_id}/status',
  summary: 'Show, hide or hold an image',
  description:
    'An image that is not active is primary no more, and its files are not served. One that comes back starts without reports.',
  tag,
  access: 'admin',
  request: { params: schemas.ImagePath, body: schemas.StatusBody },
  replies: [{ ...json, description: 'The image as it now is', schema: schemas.ImageReply }],
  links: { 'label-images.revert': { image_id: '/image_id' } },
  raises: ['not_found', 'validation_failed', 'malformed_json'],
  handle: async ({ db, principal }, { params, body }) => {
    const change = { status: body.status, who: whoIs(principal) };
    return { body: await db.write((em) => setStatus(em, params.image_id, change)) };
  },
});

const revert = defineRoute<HasImages, { params: typeof schemas.ImagePath; query: typeof schemas.UndoQuery }>({
  id: 'label-images.revert',
  method: 'POST',
  path: '/api/label-image/{image_id}/revert',
  summary: 'Undo the last change of an image: a vote, a choice as primary, a status',
  description: 'Each call undoes one change more. 422 when none is left, or when another image became primary since.',
  tag,
  access: 'admin',
  request: { params: schemas.ImagePath, query: schemas.UndoQuery },
  replies: [{ ...json, description: 'What was undone, and the image', schema: schemas.UndoReply }],
  raises: ['not_found', 'validation_failed'],
  handle: async ({ db, principal }, { params, query }) => {
    const request = { what: query.what, who: whoIs(principal) };
    const { image, change } = await db.write((em) => undoLast(em, params.image_id, request));
    const { what, who, at } = change;
    return { body: { undone: { what, who, at: new Date(at).toISOString() }, image } };
  },
});

const pending = defineRoute<HasImages, { query: typeof schemas.PendingQuery }>({
  id: 'label-images.pending',
  method: 'GET',
  path: '/api/label-image/pending',
  summary: 'Images that wait for a look, the oldest first',
  description: 'Pictures of sandbox keys, and of keys that were deactivated with a time. A status shows or hides one.',
  tag,
  access: 'admin',
  request: { query: schemas.PendingQuery },
  replies: [{ ...json, description: 'A list', schema: Type.Array(schemas.ImageReply) }],
  links: { 'label-images.status': { image_id: '/0/image_id' } },
  raises: ['validation_failed'],
  handle: async ({ db }, { query }) => ({ body: await db.read((em) => pendingImages(em, query.after, query.limit)) }),
});

const pendingFile = defineRoute<HasImages, { params: typeof schemas.ImagePath }>({
  id: 'label-images.any-file',
  method: 'GET',
  path: '/api/label-image/{image_id}/picture',
  summary: 'The picture of an image of any status',
  tag,
  access: 'admin',
  request: { params: schemas.ImagePath },
  replies: [{ status: 200, mediaType: 'image/webp', description: 'The picture' }],
  raises: ['not_found', 'validation_failed'],
  handle: async ({ services, db }, { params: { image_id: imageId } }) => {
    const { sha256 } = await db.write((em) => lockImage(em, imageId, true));
    const file = await services.images.file(fileNames(sha256).picture);
    if (!file) throw notFound('Image', String(imageId));
    return { headers: FILE_HEADERS, type: 'image/webp', body: file.body };
  },
});

export const adminRoutes = [status, revert, pending, pendingFile];
