/** An object store in a bucket of an S3-compatible service, with path-style addresses (`endpoint/bucket/key`). */
import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import type { Config } from '../config.ts';
import { coreErrors, OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { checkFolder, checkKey, isObjectKey, typeOfKey } from './object-key.ts';
import type { ObjectEntry, ObjectPart, ObjectStore } from './object-store.ts';

const TIMEOUT_MS = 10_000;
/** Minimum throughput in bytes per millisecond: a large body gets more time, and a slower connection counts as broken. */
const SLOWEST = 100;

export interface BucketSettings {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Path below the bucket, with the query. */
  readonly path: string;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** A file instead of the body, with its SHA-256; it is read again when the request is retried. */
  readonly file?: { readonly blob: Blob; readonly sha256: string };
  /** The requested range of bytes. */
  readonly part?: ObjectPart;
  /** The caller reads the body as a stream, without a timeout. */
  readonly isStreamed?: boolean;
  readonly type?: string;
  /** Metadata that is stored with the object and returned to its readers. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type Send = (call: Call) => Promise<Response>;

const digestOf = (body: string | Uint8Array): string => createHash('sha256').update(body).digest('hex');

/**
 * Returns a function that sends signed requests to one bucket and retries transient errors.
 * @throws AppError 503 when the store is unavailable.
 */
export const openBucket = ({ endpoint, bucket, ...rest }: BucketSettings, log: Log): Send => {
  const client = new AwsClient({ ...rest, service: 's3', retries: 2, initRetryMs: 100 });
  const base = `${endpoint}/${encodeURIComponent(bucket)}`;
  const away = (facts: Readonly<Record<string, unknown>>) => {
    log.warn('object_store_away', facts);
    return coreErrors.reduced_capacity({}, { headers: { 'Retry-After': '5' }, body: { retry_after: 5 } });
  };
  return async ({ method, path, body, file, part, isStreamed, type, headers: kept }) => {
    const headers = {
      ...kept,
      // The body is signed, too, because endpoints without TLS exist.
      'X-Amz-Content-Sha256': file?.sha256 ?? digestOf(body ?? ''),
      ...(type && { 'Content-Type': type }),
      ...(part && { Range: `bytes=${part.first}-${part.last}` }),
    };
    const aborter = new AbortController();
    const timer = setTimeout(() => aborter.abort(new Error('too late')), TIMEOUT_MS + (file?.blob.size ?? 0) / SLOWEST);
    const request = { method, headers, body: file?.blob ?? body, signal: aborter.signal };
    const reply = await client.fetch(`${base}/${path}`, request).catch((error: unknown) => {
      clearTimeout(timer);
      throw away({ method, error });
    });
    // The timeout also covers the body of a response that is read as a whole.
    if (isStreamed) clearTimeout(timer);
    else timer.unref();
    if (reply.status >= 500 || reply.status === 429) throw away({ method, status: reply.status });
    if (reply.ok || reply.status === 404) return reply;
    const told = /<Code>(\w+)<\/Code>/.exec(await reply.text())?.[1] ?? '';
    throw new Error(`The object store refuses ${method} with ${reply.status} ${told}`);
  };
};

/**
 * Reads the S3_* settings, with the given bucket.
 * @throws OperatorError when S3_ENDPOINT or a setting that it requires is not set.
 */
export const bucketSettings = (config: Config, bucket: string): BucketSettings => {
  const missing = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].filter((name) => !config.text(name));
  if (missing.length) throw new OperatorError(`An object store needs ${missing.join(', ')}.`);
  return {
    endpoint: config.text('S3_ENDPOINT'),
    region: config.text('S3_REGION'),
    bucket,
    accessKeyId: config.text('S3_ACCESS_KEY_ID'),
    secretAccessKey: config.text('S3_SECRET_ACCESS_KEY'),
  };
};

const tag = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';

/** Unescapes XML entities. Object keys of this program contain none, but a continuation token may. */
const unescapeXml = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => {
    const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
    return characters[name] ?? '';
  });

async function* list(send: Send, folder: string): AsyncGenerator<ObjectEntry> {
  let token = '';
  do {
    const query = new URLSearchParams({
      'list-type': '2',
      prefix: folder,
      ...(token && { 'continuation-token': token }),
    });
    const reply = await send({ method: 'GET', path: `?${query}` });
    const xml = await reply.text();
    if (!reply.ok) throw new Error(`The object store has no such bucket (${tag(xml, 'Code')})`);
    for (const [contents] of xml.matchAll(/<Contents>[\s\S]*?<\/Contents>/g)) {
      const key = tag(contents, 'Key');
      if (isObjectKey(key)) yield { key, storedAt: new Date(tag(contents, 'LastModified')) };
    }
    token = tag(xml, 'IsTruncated') === 'true' ? unescapeXml(tag(xml, 'NextContinuationToken')) : '';
  } while (token);
}

/** Opens a file for upload. The body is signed, so the file is read twice: first for its digest. */
const readFileToSend = async (path: string) => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { blob: await openAsBlob(path), sha256: hash.digest('hex') };
};

/** Builds the object store; it sends no request before the first call. Every method throws 503 when the store is unavailable. */
export const s3Objects = (settings: BucketSettings, log: Log): ObjectStore => {
  const send = openBucket(settings, log);
  return {
    kind: 's3',
    put: async (key, body) => {
      const reply = await send({ method: 'PUT', path: checkKey(key), body: Buffer.from(body), type: typeOfKey(key) });
      if (!reply.ok) throw new Error('The object store has no such bucket');
    },
    putFile: async (key, path) => {
      const file = await readFileToSend(path);
      const reply = await send({ method: 'PUT', path: checkKey(key), file, type: typeOfKey(key) });
      if (!reply.ok) throw new Error('The object store has no such bucket');
    },
    read: async (key, part) => {
      const reply = await send({ method: 'GET', path: checkKey(key), part, isStreamed: true });
      return reply.ok && reply.body ? Readable.fromWeb(reply.body as NodeReadableStream) : null;
    },
    get: async (key) => {
      const reply = await send({ method: 'GET', path: checkKey(key) });
      if (!reply.ok) return null;
      const body = Buffer.from(await reply.arrayBuffer());
      return { body, type: typeOfKey(key), etag: (reply.headers.get('ETag') ?? '').replaceAll('"', '') };
    },
    storedAt: async (key) => {
      const reply = await send({ method: 'HEAD', path: checkKey(key) });
      return reply.ok ? new Date(reply.headers.get('Last-Modified') ?? 0) : null;
    },
    remove: async (key) => {
      await send({ method: 'DELETE', path: checkKey(key) });
    },
    entries: (folder) => list(send, checkFolder(folder)),
  };
};
