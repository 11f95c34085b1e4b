/**
 * /wearables/phone-health/parts: resumable upload of the export by the tus protocol 1.0, so that a broken connection loses
 * nothing.
 */
import { type Static, Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import { defineRoute, type ReplySchema, type Route } from '#core/plugin.ts';
import { PARTS_PATH, tag } from '../route-parts.ts';
import type { WearableServices } from '../services.ts';
import type { passOn as PassOn } from './tus.ts';

/** Passes a request to the tus server, which is loaded with the first upload, because most servers never receive one. */
const passOn: typeof PassOn = async (...given) => (await import('./tus.ts')).passOn(...given);

const Params = Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Of the upload.' }) });

const nothing = (status: number, description: string): ReplySchema => ({
  status,
  mediaType: 'text/plain',
  description,
});
const usual = { tag, access: 'public', isPrivate: true, isForPrograms: true } as const;
/** A client whose connection breaks every second retries as often. */
const throttle = { bucket: 'phone_health_parts', perMinute: 120 };
const TUS = ['tus_version_unsupported', 'validation_failed'];
const OF_ONE = [...TUS, 'not_found'];

const describeRoute = defineRoute<WearableServices, Record<never, never>>({
  ...usual,
  id: 'wearables.parts.options',
  method: 'OPTIONS',
  path: PARTS_PATH,
  summary: 'What of the tus protocol is spoken here, and the largest upload',
  request: {},
  replies: [nothing(204, 'In the headers Tus-Version, Tus-Extension and Tus-Max-Size')],
  raises: [],
  handle: (context, input) => passOn({ ...context, device: '' }, input, { method: 'OPTIONS', uploadId: null }),
});

const createRoute = defineRoute<WearableServices, Record<never, never>>({
  ...usual,
  id: 'wearables.parts.create',
  method: 'POST',
  path: PARTS_PATH,
  summary: 'Begin the upload of a phone’s health export in parts (tus 1.0), for lines that break',
  description:
    'Headers `Upload-Length` and `Upload-Metadata` with `filename` and `consent` (`true`). The answer’s Location takes the parts for 24 hours, from this device only. Once all has come, the export is read as after the form; see /wearables/status.',
  device: 'make',
  request: {},
  throttle: { bucket: 'phone_health', perMinute: 5, perDay: 50 },
  replies: [nothing(201, 'Location is where the parts go, Upload-Expires until when')],
  raises: [...TUS, 'consent_required', 'file_too_large', 'export_waiting', 'quota_exceeded', 'reduced_capacity'],
  handle: (context, input) =>
    passOn({ ...context, device: context.device as string }, input, { method: 'POST', uploadId: null }),
});

type PartRoute = Pick<Route, 'method' | 'summary' | 'replies' | 'raises' | 'stream' | 'deadlineSeconds'>;

const partRoute = (route: PartRoute): Route =>
  defineRoute<WearableServices, { params: typeof Params }>({
    ...usual,
    ...route,
    id: `wearables.parts.${route.method.toLowerCase()}`,
    path: `${PARTS_PATH}/{id}`,
    device: 'read',
    request: { params: Params },
    throttle,
    handle: (context, input) => {
      const { id } = input.params as Static<typeof Params>;
      if (context.device === null) throw notFound('Upload', id);
      return passOn({ ...context, device: context.device }, input, { method: route.method, uploadId: id });
    },
  });

export const partsRoutes: readonly Route[] = [
  describeRoute,
  createRoute,
  partRoute({
    method: 'HEAD',
    summary: 'How much of an upload has come',
    replies: [nothing(200, 'In the headers Upload-Offset and Upload-Length')],
    raises: OF_ONE,
  }),
  partRoute({
    method: 'PATCH',
    summary: 'The next part of an upload, or all the rest of it',
    stream: { mediaType: 'application/offset+octet-stream' },
    replies: [nothing(204, 'Upload-Offset is where the next part begins')],
    raises: [...OF_ONE, 'upload_offset_conflict', 'file_too_large'],
  }),
  partRoute({
    method: 'DELETE',
    summary: 'Give up an upload; what has come of it is deleted',
    replies: [nothing(204, 'Given up')],
    raises: OF_ONE,
  }),
] as readonly Route[];
