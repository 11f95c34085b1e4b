/** Serves the public label-image routes: upload with a key, read, vote, choose, report. */

import { Type } from 'typebox';
import { coreErrors, notFound } from '#core/errors.ts';
import { defineRoute } from '#core/plugin.ts';
import { FILE_PATH } from './files.ts';
import { report } from './moderation.ts';
import { MAX_UPLOAD_BYTES } from './pictures.ts';
import { choosePrimary, PRIMARY_RULE } from './primary.ts';
import { checkProduct, imagesOf } from './rows.ts';
import * as schemas from './schemas.ts';
import type { HasImages } from './services.ts';
import { auditName, voterOf } from './voter.ts';
import { castVote } from './votes.ts';

const json = { status: 200, mediaType: 'application/json' } as const;
const tag = 'Label images';
/** Shared rate limit for the votes and choices of one address. */
const throttle = { bucket: 'vote', perMinute: 10 };

const uploadImage = defineRoute<HasImages, { params: typeof schemas.ProductPath; body: typeof schemas.UploadFields }>({
  id: 'label-images.upload',
  method: 'POST',
  path: '/api/label-image/{dsld_id}',
  summary: 'Upload a picture of a product’s label',
  description:
    'JPEG, PNG or WEBP by its bytes, at least 640 x 160 pixels and at most 40 megapixels; not animated. It is turned upright, ' +
    'written anew as WEBP without any metadata, and made smaller above 4096 pixels a side. The same bytes for the same ' +
    'product answer the image that there is, and change nothing. With `make_primary` it becomes primary by the rule of ' +
    '`set-primary`, and is stored without it where the rule forbids it. A picture of a sandbox key is `pending` until an ' +
    'administrator has looked at it.',
  tag,
  access: 'key',
  request: { params: schemas.ProductPath, body: schemas.UploadFields },
  upload: { fields: ['file'], maxBytes: MAX_UPLOAD_BYTES, maxFiles: 1 },
  throttle: { bucket: 'upload', perMinute: 20 },
  replies: [{ ...json, description: 'The image', schema: schemas.UploadReply }],
  links: {
    'label-images.list': { dsld_id: '/dsld_id' },
    'label-images.vote': { image_id: '/image_id' },
    'label-images.set-primary': { dsld_id: '/dsld_id', image_id: '/image_id' },
    'label-images.report': { image_id: '/image_id' },
    'label-images.status': { image_id: '/image_id' },
    'label-images.revert': { image_id: '/image_id' },
  },
  raises: ['not_found'],
  handle: async ({ services, principal }, { params, body, files }) => {
    const file = files.find(({ field }) => field === 'file');
    if (!file) {
      const problem = { type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null };
      throw coreErrors.validation_failed({}, { problems: [problem] });
    }
    const { image, created } = await services.images.upload({
      dsldId: params.dsld_id,
      path: file.path,
      kind: body.kind,
      source: body.source,
      license: body.license,
      attribution: body.attribution,
      makePrimary: body.make_primary,
      keyId: principal.kind === 'key' ? principal.keyId : '',
      mustWait: principal.kind === 'key' && principal.plan === 'sandbox',
    });
    return { body: { ...image, created } };
  },
});

const listImages = defineRoute<HasImages, { params: typeof schemas.ProductPath }>({
  id: 'label-images.list',
  method: 'GET',
  path: '/api/label-image/{dsld_id}',
  summary: 'The images of a product, the primary one first',
  tag,
  access: 'public',
  request: { params: schemas.ProductPath },
  replies: [{ ...json, description: 'Active images', schema: Type.Array(schemas.ImageReply) }],
  links: {
    'label-images.vote': { image_id: '/0/image_id' },
    'label-images.set-primary': { dsld_id: '/0/dsld_id', image_id: '/0/image_id' },
    'label-images.report': { image_id: '/0/image_id' },
  },
  raises: ['not_found', 'validation_failed'],
  handle: async ({ db }, { params: { dsld_id: dsldId } }) => ({
    body: await db.read(async (em) => {
      await checkProduct(em, dsldId);
      return (await imagesOf(em, [dsldId])).get(dsldId) ?? [];
    }),
  }),
});

const FILE_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

const imageFile = defineRoute<HasImages, { params: typeof schemas.FilePath }>({
  id: 'label-images.file',
  method: 'GET',
  path: FILE_PATH,
  summary: 'A picture or thumbnail, by the name that an image’s `url` ends with',
  tag,
  access: 'public',
  request: { params: schemas.FilePath },
  replies: [
    { status: 200, mediaType: 'image/webp', description: 'The picture' },
    { status: 304, mediaType: 'image/webp', description: 'The caller has it' },
  ],
  raises: ['not_found', 'validation_failed'],
  handle: async ({ services }, { params: { name }, headers }) => {
    if (!(await services.images.isShown(name))) throw notFound('File', name);
    const etag = `"${name}"`;
    const reply = { headers: { ...FILE_HEADERS, ETag: etag }, type: 'image/webp' };
    if (headers['if-none-match']?.includes(etag)) return { ...reply, status: 304 };
    const file = await services.images.file(name);
    if (!file) throw notFound('File', name);
    return { ...reply, body: file.body };
  },
});

const vote = defineRoute<HasImages, { params: typeof schemas.ImagePath; query: typeof schemas.VoteQuery }>({
  id: 'label-images.vote',
  method: 'POST',
  path: '/api/label-image/{image_id}/vote',
  summary: 'Vote on an image',
  description:
    'One vote for each device (or address, without a cookie) and image; a second one replaces the first. Three devices of one ' +
    'household (an IPv4 address, or an IPv6 /48) and six of one provider’s range (/24, /32) count for an image.',
  tag,
  access: 'public',
  device: 'make',
  throttle,
  request: { params: schemas.ImagePath, query: schemas.VoteQuery },
  replies: [{ ...json, description: 'The counts, and the caller’s vote', schema: schemas.VoteReply }],
  raises: ['not_found', 'validation_failed'],
  handle: async (context, { params, query, headers }) => {
    const voter = voterOf(context, headers);
    const { direction } = query;
    return { body: await context.db.write((em) => castVote(em, params.image_id, { voter, direction })) };
  },
});

const setPrimary = defineRoute<HasImages, { params: typeof schemas.PrimaryPath }>({
  id: 'label-images.set-primary',
  method: 'POST',
  path: '/api/label-image/{dsld_id}/set-primary/{image_id}',
  summary: 'Choose the image that stands for a product',
  description: `${PRIMARY_RULE} Each change is audited, and administrators can undo it.`,
  tag,
  access: 'public',
  device: 'make',
  throttle,
  request: { params: schemas.PrimaryPath },
  replies: [{ ...json, description: 'The choice', schema: schemas.PrimaryReply }],
  raises: ['not_found', 'validation_failed'],
  handle: async (context, { params: { dsld_id: dsldId, image_id: imageId }, headers }) => {
    const who = auditName(voterOf(context, headers));
    await context.db.write((em) => choosePrimary(em, { dsldId, imageId }, who));
    return { body: { dsld_id: dsldId, primary_image_id: imageId } };
  },
});

const reportImage = defineRoute<HasImages, { params: typeof schemas.ImagePath; body: typeof schemas.ReportBody }>({
  id: 'label-images.report',
  method: 'POST',
  path: '/api/label-image/{image_id}/report',
  summary: 'Report an image that is wrong or harmful',
  description:
    'Reports from several people, of different providers’ ranges, hide the image until an administrator has looked at it. A second report of the same device or ' +
    'address changes nothing.',
  tag,
  access: 'public',
  device: 'make',
  throttle: { bucket: 'report', perMinute: 5, perDay: 50 },
  request: { params: schemas.ImagePath, body: schemas.ReportBody },
  replies: [{ ...json, description: 'Received', schema: schemas.ReportReply }],
  raises: ['not_found', 'validation_failed', 'malformed_json', 'file_too_large'],
  handle: async (context, { params: { image_id: imageId }, body, headers }) => {
    const voter = voterOf(context, headers);
    const status = await context.db.write((em) => report(em, imageId, { voter, reason: body.reason }));
    return { body: { image_id: imageId, received: true, status } };
  },
});

const stats = defineRoute<HasImages, Record<string, never>>({
  id: 'label-images.stats',
  method: 'GET',
  path: '/api/label-image/stats',
  summary: 'How much of the catalog has label images; at most 30 seconds old',
  tag,
  access: 'limited',
  request: {},
  replies: [{ ...json, description: 'Coverage', schema: schemas.StatsReply }],
  raises: [],
  handle: async ({ services }) => ({ body: await services.images.stats() }),
});

export const publicRoutes = [stats, uploadImage, listImages, imageFile, vote, setPrimary, reportImage];
