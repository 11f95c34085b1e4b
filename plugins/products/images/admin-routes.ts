/** Label images for administrators: status and undo. */

import type { Principal } from '#core/http/gatekeeper.ts';
import { defineRoute } from '#core/plugin.ts';
import { setStatus, undoLast } from './moderation.ts';
import * as schemas from './schemas.ts';
import type { HasImages } from './services.ts';

const json = { status: 200, mediaType: 'application/json' } as const;
const tag = 'Label images';

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

export const adminRoutes = [status, revert];
