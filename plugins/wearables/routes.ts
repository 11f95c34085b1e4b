/** Further routes of wearables: status, deletion, and the assets of the upload page. */
import { Type } from 'typebox';
import { libraryRoute } from '#core/http/library-route.ts';
import { type Context, defineRoute, type Route } from '#core/plugin.ts';
import { back, devicesPlugin, eraseAll, erasedReplies } from '#plugins/devices/index.ts';
import { countDays, eraseDays } from './daily/daily-store.ts';
import { eraseImports, readImports } from './imports/import-store.ts';
import { partsRoutes } from './imports/parts-routes.ts';
import { uploadRoutes } from './imports/upload-route.ts';
import { eraseUploads } from './imports/uploads.ts';
import { tag } from './route-parts.ts';
import type { WearableServices } from './services.ts';
import { STAGE_WORDS } from './wearable-messages.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };
const NoFields = Type.Object({});
const raises = ['cross_site_request', 'validation_failed', 'malformed_json'];
const seeOther = (description: string) => ({ status: 303, mediaType: 'text/html', description });
const Nullable = Type.Union([Type.String(), Type.Null()]);

const Status = Type.Object({
  connections: Type.Array(
    Type.Object({
      vendor: Type.String(),
      name: Type.String(),
      status: Type.String({ enum: ['not_configured', 'disconnected', 'pending', 'connected', 'needs_reauth'] }),
      connected_at: Nullable,
      last_sync_at: Nullable,
      scopes: Type.Array(Type.String()),
      metrics: Type.Array(Type.String()),
    }),
  ),
  phone_health: Type.Object({ imported_at: Nullable, days: Type.Integer(), records: Type.Integer() }),
  daily_rows: Type.Integer(),
  reading: Type.Union(
    [Type.Null(), Type.Object({ words: Type.String(), percent: Type.Integer(), records: Type.Integer() })],
    { description: 'Of an export that is being read now.' },
  ),
});

const readStatus = async ({ db, secrets, device, services }: Context<WearableServices>) => {
  const [imports, rows] =
    device === null
      ? [[], 0]
      : await db.read(async (em) => [await readImports({ em, secrets, device }), await countDays({ em, device })]);
  const last = imports.find(({ outcome }) => outcome === 'read');
  const open = imports.find(({ state }) => state !== 'ready');
  const progress = open && services.imports.progressOf(open.importId);
  return {
    connections: (await services.connections.list(device)).map((one) => ({
      vendor: one.vendor,
      name: one.name,
      status: one.status,
      connected_at: one.connectedAt?.toISOString() ?? null,
      last_sync_at: one.lastSyncAt?.toISOString() ?? null,
      scopes: [...one.scopes],
      metrics: [...one.metrics],
    })),
    phone_health: {
      imported_at: last?.finishedAt ?? null,
      days: last?.report?.days ?? 0,
      records: last?.report?.records ?? 0,
    },
    daily_rows: rows,
    reading: open
      ? {
          words: STAGE_WORDS[progress?.stage ?? 'waiting'] ?? '',
          percent: Math.round((progress?.share ?? 0) * 100),
          records: progress?.records ?? 0,
        }
      : null,
  };
};

const statusRoute: Route = defineRoute<WearableServices, Record<never, never>>({
  id: 'wearables.status',
  method: 'GET',
  path: '/wearables/status',
  summary: 'Connections of this device to vendors, what its last export brought, and how far one that is read now is',
  tag,
  access: 'public',
  device: 'read',
  request: {},
  replies: [{ status: 200, mediaType: 'application/json', description: 'Status', schema: Status }],
  raises: [],
  handle: async (context) => {
    if (context.device) await context.use(devicesPlugin).visit(context.device);
    return { headers: NO_STORE, body: await readStatus(context) };
  },
});

const deleteDaysRoute: Route = defineRoute<WearableServices, { body: typeof NoFields }>({
  id: 'wearables.delete_days',
  method: 'POST',
  path: '/wearables/data/delete-wearable-data',
  summary: 'Delete all days of wearables of this device, and what is known of its exports; reports stay',
  tag,
  access: 'public',
  device: 'read',
  request: { body: NoFields },
  replies: [seeOther('Back to /wearables/data')],
  raises,
  handle: async ({ db, device, services }) => {
    if (device) {
      const gone = await db.write(async (em) => {
        await eraseDays({ em, device });
        return [...(await eraseImports({ em, device })), ...(await eraseUploads({ em, device }))];
      });
      for (const importId of gone) await services.files.remove(importId);
    }
    return back('/wearables/data?notice=deleted');
  },
});

const deleteAllRoute: Route = defineRoute<WearableServices, { body: typeof NoFields }>({
  id: 'wearables.delete_all',
  method: 'POST',
  path: '/wearables/data/delete-all',
  summary: 'Delete everything that is kept for this device, and its cookie',
  tag,
  access: 'public',
  device: 'read',
  request: { body: NoFields },
  replies: erasedReplies,
  raises,
  handle: (context, { headers }) => eraseAll(context, context.use(devicesPlugin), headers),
});

const libraryOfUploads = libraryRoute({
  id: 'wearables.asset',
  folder: '/wearables/assets',
  summary: 'The library that uploads in parts',
  tag,
  entry: import.meta.resolve('tus-js-client'),
  file: '../../dist/tus.min.js',
});

export const wearableRoutes: readonly Route[] = [
  ...uploadRoutes,
  ...partsRoutes,
  libraryOfUploads,
  statusRoute,
  deleteDaysRoute,
  deleteAllRoute,
];
