/** Passes requests of the tus protocol to @tus/server, and converts its responses to replies of this service. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type Locker, MemoryLocker, Server } from '@tus/server';
import { AppError, coreErrors, notFound } from '#core/errors.ts';
import type { Context, Input, Reply, Route } from '#core/plugin.ts';
import { requireConsent } from '#plugins/devices/index.ts';
import { wearableErrors } from '../errors.ts';
import { PARTS_PATH } from '../route-parts.ts';
import type { WearableServices } from '../services.ts';
import { countOpen } from './import-store.ts';
import { emptyFile, MOST_XML, tooLarge } from './kinds.ts';
import { busy, refuseWhenFull } from './taking.ts';
import { UploadStore } from './upload-store.ts';
import { newUploadId } from './uploads.ts';

const VERSION = '1.0.0';
/** Time after which a request that resumes an upload aborts an older request, whose connection may be dead. */
const DRAIN_MS = 1_000;

type Call = Context<WearableServices> & { readonly device: string };
type Sent = Pick<Input<Record<never, never>>, 'headers' | 'stream'>;

/** Request headers to pass on; other headers of a browser or proxy are not part of the protocol. */
const SENT_HEADERS = [
  'tus-resumable',
  'upload-length',
  'upload-defer-length',
  'upload-concat',
  'upload-metadata',
  'upload-offset',
];
const BODY_HEADERS = ['content-type', 'content-length'];
/** Response headers to pass on. CORS headers are excluded, because pages of other origins have no access. */
const TOLD_HEADERS = [
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Location',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Expires',
];

const requestOf = (method: Route['method'], path: string, { headers, stream }: Sent): Request => {
  const wanted = stream ? [...SENT_HEADERS, ...BODY_HEADERS] : SENT_HEADERS;
  const sent = wanted.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  const body = stream ? (Readable.toWeb(stream) as ReadableStream<Uint8Array>) : null;
  return new Request(`http://localhost${path}`, {
    method,
    headers: Object.fromEntries(sent),
    ...(body && { body, duplex: 'half' }),
  } as RequestInit);
};

/**
 * Checks that an upload can be created.
 * @throws AppError 503, 429 or 409 when no export is accepted now, 422 for an upload without bytes
 */
const refuseCreation = async (call: Call, bytes: number | undefined): Promise<void> => {
  const { db, device } = call;
  if (!bytes) throw emptyFile();
  await refuseWhenFull(call);
  if (await db.read((em) => countOpen({ em, device }))) throw wearableErrors.export_waiting();
};

interface Failed {
  readonly status: number;
  readonly text: string;
  /** The thrown error: an AppError, an error of the library, or another value. */
  readonly error: unknown;
  readonly mostBytes: number;
}

/** Converts the library's plain-text errors to errors of this service. */
const errorOf = ({ status, text, error, mostBytes }: Failed, uploadId: string): Error => {
  if (error instanceof AppError) return error;
  if (status === 404 || status === 410) return notFound('Upload', uploadId);
  if (status === 409 || text.startsWith('Request aborted')) return wearableErrors.upload_offset_conflict();
  if (status === 413) return tooLarge(mostBytes);
  if (error instanceof Error) return error;
  if (status >= 500) return busy(2);
  return coreErrors.validation_failed({}, { problems: [{ type: 'tus', loc: ['header'], msg: text.trim() }] });
};

/** Lockers that permit one concurrent request per upload. */
const locks = new WeakMap<WearableServices['files'], Locker>();

const locksOf = ({ files }: WearableServices): Locker => {
  const known = locks.get(files) ?? new MemoryLocker();
  locks.set(files, known);
  return known;
};

interface Step {
  readonly method: Route['method'];
  /** Null for requests without an upload. */
  readonly uploadId: string | null;
}

export const passOn = async (call: Call, input: Sent, { method, uploadId }: Step): Promise<Reply> => {
  if (method !== 'OPTIONS' && input.headers['tus-resumable'] !== VERSION)
    throw wearableErrors.tus_version_unsupported({}, { headers: { 'Tus-Version': VERSION } });
  const store = new UploadStore(call);
  // The client missed the response to its last part, so the upload is finished here.
  if (method === 'HEAD' && uploadId) await store.finish(uploadId);
  let thrown: unknown = null;
  const server = new Server({
    path: PARTS_PATH,
    datastore: store,
    locker: locksOf(call.services),
    lockDrainTimeout: DRAIN_MS,
    relativeLocation: true,
    allowedOrigins: [],
    maxSize: MOST_XML,
    disableTerminationForFinishedUploads: true,
    namingFunction: newUploadId,
    onUploadCreate: async (_request, { size, metadata }) => {
      requireConsent(metadata?.consent === 'true', 'header');
      await refuseCreation(call, size);
      return {};
    },
    onUploadFinish: async (_request, { id }) => {
      await store.finish(id);
      return {};
    },
    onResponseError: (_request, error) => {
      thrown = error;
      return undefined;
    },
  });
  const path = uploadId ? `${PARTS_PATH}/${uploadId}` : PARTS_PATH;
  const answer = await server.handleWeb(requestOf(method, path, input));
  if (answer.status >= 400) {
    const { size: mostBytes = MOST_XML } = answer.status === 413 && uploadId ? await store.getUpload(uploadId) : {};
    const failed = { status: answer.status, text: await answer.text(), error: thrown, mostBytes };
    throw errorOf(failed, uploadId ?? '');
  }
  const headers = TOLD_HEADERS.flatMap((name) => [[name, answer.headers.get(name)] as const]).filter(
    ([, value]) => value !== null,
  );
  return {
    status: answer.status,
    headers: { ...(Object.fromEntries(headers) as Record<string, string>), 'Cache-Control': 'no-store' },
    type: 'text/plain',
    body: '',
  };
};
