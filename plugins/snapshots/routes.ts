/** Serves /api/snapshots and the files of the snapshots. */
import { Type } from 'typebox';
import { defineErrors, notFound } from '#core/errors.ts';
import {
  isNotModified,
  isRefused,
  parseConditionalHeaders,
  rangeOf,
  type Validators,
} from '#core/http/conditional-headers.ts';
import { type Context, defineRoute, type Reply, type Route } from '#core/plugin.ts';
import { DOWNLOADS } from './download-limit.ts';
import { addressOf, MANIFEST, mediaTypeOf } from './files.ts';
import { nextAt } from './jobs.ts';
import { Licence, manifestMembers, type SnapshotFile } from './manifest.ts';
import type { SnapshotServices } from './services.ts';
import { findSnapshot, newestSnapshot, readSnapshots, type StoredSnapshot } from './store.ts';

export const snapshotErrors = defineErrors({
  range_not_satisfiable: {
    status: 416,
    detail: 'The file has {bytes} bytes',
    cause: 'The range begins behind the end of the file.',
    fix: 'Ask for bytes that `Content-Range` allows.',
    retry: false,
  },
  precondition_failed: {
    status: 412,
    detail: 'The file is another one than the request is for',
    cause: '`If-Match` or `If-Unmodified-Since` names a state that this file does not have.',
    fix: 'Begin anew, with the `ETag` of now.',
    retry: false,
  },
});

const LATEST = 'latest';
const time = Type.String({ format: 'date-time' });
const json = { mediaType: 'application/json' } as const;

const Summary = Type.Object({
  id: Type.String(),
  digest: manifestMembers.digest,
  made_at: time,
  checked_at: Type.String({ format: 'date-time', description: 'When the base was last found to hold the same.' }),
  index_version: manifestMembers.index_version,
  rows: Type.Integer(),
  bytes: Type.Integer({ description: 'Of all its files together.' }),
  datasets: Type.Array(
    Type.Object({ name: Type.String(), rows: Type.Integer(), url: Type.String(), license: Licence }),
  ),
  url: Type.String({ description: 'Its manifest with the addresses of all files.' }),
});

const SnapshotList = Type.Object({
  snapshots: Type.Array(Summary, { description: 'Newest first.' }),
  next_at: Type.Union([time, Type.Null()], {
    description: 'When the base is next compared with the newest; null where none are made.',
  }),
  kept: Type.Integer({ description: 'How many stay.' }),
  signing_key: manifestMembers.signing_key,
});

const SnapshotReply = Type.Object({
  ...manifestMembers,
  checked_at: time,
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      url: Type.String(),
      media_type: Type.String(),
      bytes: Type.Integer(),
      sha256: Type.String(),
    }),
  ),
});

const summaryOf = ({ id, digest, madeAt, checkedAt, manifest, files }: StoredSnapshot, baseUrl: string) => ({
  id,
  digest,
  made_at: madeAt,
  checked_at: checkedAt,
  index_version: manifest.index_version,
  rows: manifest.datasets.reduce((sum, { rows }) => sum + rows, 0),
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  datasets: manifest.datasets.map(({ name, rows, file, license }) => ({
    name,
    rows,
    url: `${baseUrl}${addressOf(id, file)}`,
    license,
  })),
  url: `${baseUrl}/api/snapshots/${id}`,
});

const list = defineRoute<SnapshotServices, Record<string, never>>({
  id: 'snapshots.list',
  method: 'GET',
  path: '/api/snapshots',
  summary: 'The whole data as files: which snapshots there are',
  description:
    'Each is a folder of JSON Lines, one file a dataset, with JSON Schemas, checksums, a signature and terms. Rows are as the API answers them. The same page for people: `/snapshots`.',
  tag: 'Snapshots',
  access: 'public',
  request: {},
  replies: [{ status: 200, ...json, description: 'Newest first', schema: SnapshotList }],
  raises: [],
  handle: async ({ db, config, services }) => {
    const snapshots = await db.read(readSnapshots);
    const next = nextAt(snapshots[0] ?? null, config.integer('SNAPSHOT_EVERY_DAYS'), new Date());
    return {
      headers: { 'Cache-Control': 'public, max-age=60' },
      body: {
        snapshots: snapshots.map((snapshot) => summaryOf(snapshot, config.text('BASE_URL'))),
        next_at: next?.toISOString() ?? null,
        kept: config.integer('SNAPSHOTS_KEEP'),
        signing_key: services.signingKey,
      },
    };
  },
});

const IdPath = Type.Object({
  snapshot_id: Type.String({ maxLength: 60, description: 'An id, or `latest`.' }),
});

/** @throws AppError 404 when the snapshot does not exist. */
const find = async ({ db }: Pick<Context, 'db'>, id: string): Promise<StoredSnapshot> => {
  const found = await db.read((em) => (id === LATEST ? newestSnapshot(em) : findSnapshot(em, id)));
  if (!found) throw notFound('Snapshot', id);
  return found;
};

const read = defineRoute<SnapshotServices, { params: typeof IdPath }>({
  id: 'snapshots.read',
  method: 'GET',
  path: '/api/snapshots/{snapshot_id}',
  summary: 'One snapshot: its manifest, and the addresses of its files',
  tag: 'Snapshots',
  access: 'public',
  request: { params: IdPath },
  replies: [{ status: 200, ...json, description: 'The manifest', schema: SnapshotReply }],
  raises: ['not_found'],
  handle: async (context, { params }) => {
    const { id, checkedAt, manifest, files } = await find(context, params.snapshot_id);
    const baseUrl = context.config.text('BASE_URL');
    return {
      headers: { 'Cache-Control': 'public, max-age=60' },
      body: {
        ...manifest,
        checked_at: checkedAt,
        files: files.map(({ name, bytes, sha256 }) => ({
          name,
          url: `${baseUrl}${addressOf(id, name)}`,
          media_type: mediaTypeOf(name),
          bytes,
          sha256,
        })),
      },
    };
  },
});

const FilePath = Type.Object({
  ...IdPath.properties,
  file: Type.String({ maxLength: 100, description: `A name that the manifest has, or \`${MANIFEST}\`.` }),
});

/**
 * Builds the headers of a file. The content of a URL never changes, because each snapshot has its own URLs. `no-transform` keeps
 * proxies from compressing the file again.
 */
const headersOf = ({ name, sha256 }: SnapshotFile, validators: Validators) => ({
  ETag: validators.etag,
  'Last-Modified': new Date(validators.modifiedSeconds * 1000).toUTCString(),
  'Cache-Control': 'public, max-age=31536000, immutable, no-transform',
  'Accept-Ranges': 'bytes',
  'Content-Disposition': `attachment; filename="${name}"`,
  'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
});

const latestAt = async (context: Context, name: string): Promise<Reply> => {
  const { id } = await find(context, LATEST);
  const address = addressOf(id, name);
  return {
    status: 302,
    headers: { Location: address, 'Cache-Control': 'no-cache' },
    type: 'text/plain; charset=utf-8',
    body: `${address}\n`,
  };
};

/** Parses the conditional headers in the form that published pages use. */
const wishesIn = (headers: Readonly<Record<string, string | undefined>>) =>
  parseConditionalHeaders(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
  );

const download = defineRoute<SnapshotServices, { params: typeof FilePath }>({
  id: 'snapshots.file',
  method: 'GET',
  path: '/snapshots/{snapshot_id}/{file}',
  summary: 'A file of a snapshot, whole or in part',
  description:
    'For ever the same bytes at an address; `latest` in place of the id leads to the newest. `Range` fetches a part, and `If-Range` goes on with a part of the same file only. At most four at a time for each address.',
  tag: 'Snapshots',
  access: 'public',
  throttle: DOWNLOADS,
  request: { params: FilePath },
  replies: [
    { status: 200, mediaType: 'application/gzip', description: 'The file' },
    { status: 206, mediaType: 'application/gzip', description: 'The bytes that were asked for' },
    { status: 302, mediaType: 'text/plain', description: '`latest`: where it is' },
    { status: 304, mediaType: 'application/gzip', description: 'The caller has it' },
  ],
  raises: ['not_found', 'range_not_satisfiable', 'precondition_failed'],
  handle: async (context, { params, headers }) => {
    const { snapshot_id: id, file: name } = params;
    if (id === LATEST) return latestAt(context, name);
    const snapshot = await find(context, id);
    const file = snapshot.files.find((one) => one.name === name);
    if (!file) throw notFound('File', name);
    const validators = {
      etag: `"${file.sha256}"`,
      modifiedSeconds: Math.floor(Date.parse(snapshot.madeAt) / 1000),
    };
    const wishes = wishesIn(headers);
    if (isRefused(wishes, validators)) throw snapshotErrors.precondition_failed();
    const own = headersOf(file, validators);
    if (isNotModified(wishes, validators)) return { status: 304, headers: own, type: mediaTypeOf(name) };
    const range = rangeOf(wishes, validators, file.bytes);
    const { bytes } = file;
    if (range === 'none')
      throw snapshotErrors.range_not_satisfiable({ bytes }, { headers: { 'Content-Range': `bytes */${bytes}` } });
    const { services, principal } = context;
    const body = await services.places.within(principal, () => services.read(id, name, range ?? undefined));
    if (!body) throw notFound('File', name);
    const length = range ? range.last - range.first + 1 : bytes;
    return {
      status: range ? 206 : 200,
      headers: {
        ...own,
        'Content-Length': String(length),
        ...(range && { 'Content-Range': `bytes ${range.first}-${range.last}/${bytes}` }),
      },
      body,
      type: mediaTypeOf(name),
    };
  },
});

export const snapshotRoutes = [list, read, download] as readonly Route<SnapshotServices>[];
