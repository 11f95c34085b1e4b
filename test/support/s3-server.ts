/** A small S3 server for tests, which verifies every signature by recomputing it and stores objects in memory. */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Credentials {
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface StoredHere {
  readonly body: Buffer;
  readonly type: string;
  readonly storedAt: Date;
  readonly cacheControl?: string;
  readonly encoding?: string;
}

export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, StoredHere>;
  /** PUT and DELETE operations with their keys, in order. */
  readonly writes: string[];
  /** Responds to the next requests with this status, without handling them. */
  failNext(status: number, times: number): void;
  stop(): Promise<void>;
}

/** A small page size, so that a list of a few objects has several pages. */
const PAGE = 2;
const FIFTEEN_MINUTES = 900_000;

const hex = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Verifies Signature Version 4 as documented by the provider; returns the error code of a refusal, or "". */
const refusalOf = (request: IncomingMessage, body: Buffer, credentials: S3Credentials): string => {
  const match = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  );
  if (!match) return 'AccessDenied';
  const [, credential = '', signed = '', signature] = match;
  const at = String(request.headers['x-amz-date']);
  const scope = [at.slice(0, 8), credentials.region, 's3', 'aws4_request'];
  if (credential !== [credentials.accessKeyId, ...scope].join('/')) return 'InvalidAccessKeyId';
  const iso = at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  if (!(Math.abs(Date.parse(iso) - Date.now()) < FIFTEEN_MINUTES)) return 'RequestTimeTooSkewed';
  if (request.headers['x-amz-content-sha256'] !== hex(body)) return 'XAmzContentSHA256Mismatch';
  const names = signed.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied';
  const url = new URL(request.url ?? '/', 'http://x');
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signed,
    hex(body),
  ].join('\n');
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${credentials.secretAccessKey}`);
  const text = ['AWS4-HMAC-SHA256', at, scope.join('/'), hex(canonical)].join('\n');
  return hmac(key, text).toString('hex') === signature ? '' : 'SignatureDoesNotMatch';
};

const listing = (objects: S3Server['objects'], query: URLSearchParams): string => {
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
  const from = Number((query.get('continuation-token') ?? '<0&').slice(1, -1));
  const page = keys.slice(from, from + PAGE);
  const more = from + PAGE < keys.length;
  const items = page.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.storedAt.toISOString()}</LastModified></Contents>`,
  );
  const next = more ? `<NextContinuationToken>&lt;${from + PAGE}&amp;</NextContinuationToken>` : '';
  return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${items.join('')}</ListBucketResult>`;
};

const answer = (
  { objects, writes, bucket }: Pick<S3Server, 'objects' | 'writes'> & Pick<S3Credentials, 'bucket'>,
  request: IncomingMessage,
  body: Buffer,
  reply: ServerResponse,
): void => {
  const url = new URL(request.url ?? '/', 'http://x');
  const [, name, ...rest] = url.pathname.split('/');
  const key = rest.join('/');
  if (name !== bucket) return void reply.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
  if (request.method === 'PUT') {
    // The real S3 refuses a body of unknown length.
    if (!request.headers['content-length'])
      return void reply.writeHead(411).end('<Error><Code>MissingContentLength</Code></Error>');
    const { 'content-type': type = '', 'cache-control': cacheControl, 'content-encoding': encoding } = request.headers;
    objects.set(key, { body, type, storedAt: new Date(), cacheControl, encoding });
    writes.push(`PUT ${key}`);
    return void reply.end();
  }
  if (request.method === 'DELETE') {
    objects.delete(key);
    writes.push(`DELETE ${key}`);
    return void reply.writeHead(204).end();
  }
  if (!key) return void reply.end(listing(objects, url.searchParams));
  const found = objects.get(key);
  if (!found) return void reply.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  reply.setHeader('ETag', `"${createHash('md5').update(found.body).digest('hex')}"`);
  reply.setHeader('Last-Modified', found.storedAt.toUTCString());
  reply.setHeader('Content-Type', found.type);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined) return void reply.end(request.method === 'HEAD' ? undefined : found.body);
  if (Number(first) >= found.body.length)
    return void reply.writeHead(416).end('<Error><Code>InvalidRange</Code></Error>');
  const part = found.body.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${found.body.length}`;
  reply.writeHead(206, { 'Content-Range': range }).end(part);
};

export const startS3Server = async (credentials: S3Credentials): Promise<S3Server> => {
  const objects: S3Server['objects'] = new Map();
  const writes: string[] = [];
  let failure = { status: 0, times: 0 };
  const server = createServer(async (request, reply) => {
    const body = await buffer(request);
    if (failure.times > 0) {
      failure = { ...failure, times: failure.times - 1 };
      return void reply.writeHead(failure.status).end('<Error><Code>SlowDown</Code></Error>');
    }
    const refusal = refusalOf(request, body, credentials);
    if (refusal) return void reply.writeHead(403).end(`<Error><Code>${refusal}</Code></Error>`);
    answer({ objects, writes, bucket: credentials.bucket }, request, body, reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    writes,
    failNext: (status, times) => {
      failure = { status, times };
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
