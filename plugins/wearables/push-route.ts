/** Route for data that a vendor pushes; its address is secret and known only to the vendor. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { defineRoute, type Route } from '#core/plugin.ts';
import { putDays } from './daily/daily-store.ts';
import { tag } from './route-parts.ts';
import type { WearableServices } from './services.ts';

/** Maximum size of a body; Garmin sends the days of many people in one request. */
const MOST_BYTES = 10 * 1024 ** 2;
const MOST_VALUES = 500_000;
const LEAST_SECRET = 32;

const PushParams = Type.Object({ secret: Type.String({ maxLength: 200 }) });
const PushBody = Type.Record(Type.String(), Type.Unknown());

const Received = Type.Object({ received: Type.Boolean() });

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const isSame = (given: string, expected: string): boolean =>
  expected.length >= LEAST_SECRET && timingSafeEqual(digest(given), digest(expected));

const garminPush: Route = defineRoute<WearableServices, { params: typeof PushParams; body: typeof PushBody }>({
  id: 'wearables.push.garmin',
  method: 'POST',
  path: '/wearables/push/garmin/{secret}',
  summary: 'Days that Garmin posts by itself, and notices that a person has left',
  description:
    'The push service of Garmin’s Health API; the address ends in GARMIN_PUSH_SECRET. Data of users without a connection here are ignored.',
  tag,
  access: 'public',
  isPrivate: true,
  request: { params: PushParams, body: PushBody },
  maxBodyBytes: MOST_BYTES,
  maxBodyValues: MOST_VALUES,
  replies: [{ status: 200, mediaType: 'application/json', description: 'Stored, or ignored', schema: Received }],
  raises: ['not_found', 'validation_failed', 'malformed_json', 'file_too_large', 'cross_site_request'],
  admits: ({ config }, { secret = '' }) => isSame(secret, config.text('GARMIN_PUSH_SECRET')),
  handle: async ({ services, secrets }, { body }) => {
    await services.connections.receive('garmin', body, (em, device, rows) => putDays({ em, secrets, device }, rows));
    return { headers: { 'Cache-Control': 'no-store' }, body: { received: true } };
  },
});

export const pushRoutes: readonly Route[] = [garminPush];
