/** Routes with which a device's owner exports, transfers or deletes all of its data. */
import { PassThrough } from 'node:stream';
import { Type } from 'typebox';
import { type Context, defineRoute, type Reply, type Route } from '#core/plugin.ts';
import { backupsInWords, lastDay, NOTICE_WORDS, type Notice } from './device-messages.ts';
import { fhirBundle } from './fhir.ts';
import { readMyData, shownMyData } from './page.ts';
import { isPhrase, makePhrase } from './recovery.ts';
import type { DeviceServices } from './services.ts';
import { touch } from './store.ts';

const tag = 'Device data';
const raises = ['cross_site_request', 'validation_failed', 'malformed_json'];
/** Guessing a phrase is hopeless; the limit also keeps it slow. */
const throttle = { bucket: 'recovery', perMinute: 5, perDay: 50 };
const htmlReply = { status: 200, mediaType: 'text/html', description: 'The page with the result' };
const seeOther = { status: 303, mediaType: 'text/html', description: 'Back to /my-data' };

export const back = (location: string): Reply => ({
  status: 303,
  headers: { Location: location, 'Cache-Control': 'no-store' },
  type: 'text/html',
  body: '',
});

const noticed = (notice: Notice): Reply => back(`/my-data?notice=${notice}`);

const NoFields = Type.Object({});

const phraseRoute = defineRoute<DeviceServices, { body: typeof NoFields }>({
  id: 'devices.make_phrase',
  method: 'POST',
  path: '/my-data/phrase',
  summary: 'Make the recovery phrase of this device; it is shown once',
  tag,
  access: 'public',
  device: 'read',
  throttle,
  request: { body: NoFields },
  replies: [htmlReply, seeOther],
  raises: [...raises, 'quota_exceeded'],
  handle: async (context) => {
    const { db, device, services } = context;
    if (device === null || !(await db.read((em) => services.counts(em, device))).length) return noticed('nothing_here');
    const phrase = await db.write(async (em) => {
      await touch(em, device);
      return makePhrase(em, device);
    });
    return { page: shownMyData(await readMyData(context, { phrase })) };
  },
});

const Phrase = Type.Object({ phrase: Type.String({ minLength: 1, maxLength: 500 }) });

const moveRoute = defineRoute<DeviceServices, { body: typeof Phrase }>({
  id: 'devices.move',
  method: 'POST',
  path: '/my-data/move',
  summary: 'Bring the data that a recovery phrase stands for to this device',
  tag,
  access: 'public',
  device: 'make',
  throttle,
  request: { body: Phrase },
  replies: [seeOther],
  raises: [...raises, 'quota_exceeded'],
  handle: async ({ device, services }, { body }) => {
    if (!isPhrase(body.phrase)) return noticed('not_a_phrase');
    return noticed((await services.move(body.phrase, device as string)) ? 'moved' : 'unknown_phrase');
  },
});

/** Deletes everything of the device, and deletes its cookie in the browser. */
export const eraseAll = async (
  { device, session, config }: Pick<Context, 'device' | 'session' | 'config'>,
  devices: DeviceServices,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<Reply> => {
  if (device) await devices.erase(device);
  session.set('report_id', null);
  if (!wantsJson(headers.accept)) return { ...back('/my-data?notice=erased'), forgetsDevice: true };
  const keepDays = config.optionalInteger('BACKUP_KEEP_DAYS');
  const body = {
    deleted: true,
    deleted_at: new Date().toISOString(),
    backups_until: keepDays ? lastDay(keepDays) : null,
    message: `${NOTICE_WORDS.erased} ${backupsInWords(keepDays)}`,
  };
  return { headers: { 'Cache-Control': 'no-store' }, body, forgetsDevice: true };
};

const wantsJson = (accept = ''): boolean => /\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept);

const Erased = Type.Object({
  deleted: Type.Boolean(),
  deleted_at: Type.String({ format: 'date-time' }),
  backups_until: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
    description:
      'The last day on which a back-up of the operator may hold it; null where there are none, or none was said.',
  }),
  message: Type.String(),
});

/** Replies of every route that ends in `eraseAll`. */
export const erasedReplies = [
  {
    status: 303,
    mediaType: 'text/html',
    description: 'To /my-data, which says what is gone, and the term of back-ups',
  },
  {
    status: 200,
    mediaType: 'application/json',
    description: 'The same, for a client that accepts JSON',
    schema: Erased,
  },
];

const eraseRoute = defineRoute<DeviceServices, { body: typeof NoFields }>({
  id: 'devices.erase',
  method: 'POST',
  path: '/my-data/delete-all',
  summary: 'Delete everything that is kept for this device, and its cookie',
  tag,
  access: 'public',
  device: 'read',
  request: { body: NoFields },
  replies: erasedReplies,
  raises,
  handle: (context, { headers }) => eraseAll(context, context.services, headers),
});

const SCHEMA_VERSION = '1';
/** Members of every export, whether or not a plugin that stores such data is present. */
const MEMBERS = { reports: [], biomarker_history: [], supplement_logs: [], wearable_daily: [], connections: [] };

const Items = Type.Array(Type.Object({}));

/** Schema of the export. Each plugin adds the members for its own data; these are always present. */
const Export = Type.Object({
  schema_version: Type.String(),
  exported_at: Type.String({ format: 'date-time' }),
  device_id_hash: Type.String(),
  reports: Items,
  biomarker_history: Items,
  supplement_logs: Items,
  wearable_daily: Items,
  connections: Items,
});

const ExportQuery = Type.Object({ format: Type.String({ enum: ['json', 'zip', 'fhir'], default: 'json' }) });

const disposition = (name: string): Record<string, string> => ({
  'Content-Disposition': `attachment; filename="${name}"`,
  'Cache-Control': 'no-store',
});

const readExport = async ({ db, device, services }: Context<DeviceServices>) =>
  db.read(async (em) => ({
    schema_version: SCHEMA_VERSION,
    exported_at: new Date().toISOString(),
    device_id_hash: device ?? '',
    ...MEMBERS,
    ...(device ? await services.exported(em, device) : {}),
  }));

const readBundle = async ({ db, device, services }: Context<DeviceServices>) =>
  fhirBundle(device ? await db.read((em) => services.resources(em, device)) : [], new Date());

const zipOf = async (files: Readonly<Record<string, unknown>>): Promise<PassThrough> => {
  const { ZipArchive } = await import('archiver');
  const archive = new ZipArchive({ zlib: { level: 6 } });
  const out = new PassThrough();
  archive.on('error', (error) => out.destroy(error));
  archive.pipe(out);
  for (const [name, content] of Object.entries(files)) archive.append(JSON.stringify(content, null, 2), { name });
  void archive.finalize();
  return out;
};

const exportRoute = defineRoute<DeviceServices, { query: typeof ExportQuery }>({
  id: 'devices.export',
  method: 'GET',
  path: '/api/account/export',
  summary: 'Everything that is kept for this device',
  description:
    'JSON; `format=zip` has one file per kind, and the FHIR R4 bundle beside them; `format=fhir` is that bundle alone.',
  tag,
  access: 'public',
  device: 'read',
  request: { query: ExportQuery },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'Everything, as a download', schema: Export },
    { status: 200, mediaType: 'application/zip', description: 'The same as files' },
    { status: 200, mediaType: 'application/fhir+json', description: 'A FHIR R4 bundle' },
  ],
  raises: ['validation_failed'],
  handle: async (context, { query }) => {
    if (context.device) await context.services.visit(context.device);
    if (query.format === 'fhir')
      return {
        body: JSON.stringify(await readBundle(context), null, 2),
        type: 'application/fhir+json',
        headers: disposition('my-data.fhir.json'),
      };
    const all = await readExport(context);
    if (query.format === 'json')
      return { body: JSON.stringify(all, null, 2), type: 'application/json', headers: disposition('my-data.json') };
    const { schema_version, exported_at, device_id_hash, ...kinds } = all;
    const files = {
      'about.json': { schema_version, exported_at, device_id_hash },
      ...Object.fromEntries(Object.entries(kinds).map(([kind, items]) => [`${kind}.json`, items])),
      'fhir-r4-bundle.json': await readBundle(context),
    };
    return { body: await zipOf(files), type: 'application/zip', headers: disposition('my-data.zip') };
  },
});

export const deviceRoutes = [phraseRoute, moveRoute, eraseRoute, exportRoute] as readonly Route[];
