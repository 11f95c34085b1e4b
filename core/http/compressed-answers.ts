/**
 * Compresses live responses; published pages are stored compressed and never come here.
 *
 * Responses that may contain a secret are not compressed: an attacker who controls a part of a response and sees its
 * length could guess the rest (BREACH). These are all responses that a handler marks `no-store` itself, and all that
 * require a device cookie or an administrator's key.
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib';
import type Koa from 'koa';
import { type Encoding, preferredEncodings } from './accepted-encoding.ts';
import type { HttpContext, RequestState } from './request-state.ts';

type Coding = Exclude<Encoding, 'identity'>;

/** Minimum size for compression, in bytes: a smaller body fits into one packet with its headers, compressed or not. */
const SMALLEST = 1_024;
/** Size above which a body is compressed in another thread, where it does not delay other requests by 0.5 ms or more. */
const LARGE = 65_536;

/** Half the time of the quality for published pages (decision 0016) for 10 % more bytes: these are sent only once. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4 };
const GZIP = { level: 4 };
/** A window of 256 KiB limits the memory of a long export. */
const STREAMED_BROTLI = { ...BROTLI, [constants.BROTLI_PARAM_LGWIN]: 18 };

const brotliApart = promisify(brotliCompress);
const gzipApart = promisify(gzip);

interface Coder {
  readonly here: (body: Buffer) => Buffer;
  readonly apart: (body: Buffer) => Promise<Buffer>;
  readonly stream: () => Transform;
}

const sized = ({ length }: Buffer) => ({ params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: length } });

const CODERS: Readonly<Record<Coding, Coder>> = {
  br: {
    here: (body) => brotliCompressSync(body, sized(body)),
    apart: (body) => brotliApart(body, sized(body)),
    stream: () => createBrotliCompress({ params: STREAMED_BROTLI }),
  },
  gzip: {
    here: (body) => gzipSync(body, GZIP),
    apart: (body) => gzipApart(body, GZIP),
    stream: () => createGzip(GZIP),
  },
};

/** Media types that are compressed: not event streams, which must not be buffered, and not images, which are compressed. */
const TEXT =
  /^text\/(?!event-stream$)|[/+](?:json|xml)$|^application\/(?:javascript|nbib|x-ndjson|x-bibtex|x-research-info-systems)$/;

/** Returns a response header; Koa returns undefined for an absent one, contrary to its types. */
const header = ({ response }: HttpContext, name: string): string => response.get(name) || '';

/** Returns whether this response has a compressed form for clients that accept one. */
const hasForms = (ctx: HttpContext): boolean => {
  const caching = header(ctx, 'Cache-Control').toLowerCase();
  const mayHoldSecret = ctx.state.mayHoldSecret ?? caching.includes('no-store');
  if (mayHoldSecret || caching.includes('no-transform')) return false;
  if (header(ctx, 'Content-Encoding') || header(ctx, 'Content-Range')) return false;
  // Koa removes the type of a 304 that had a body; one that never had a body, such as an image's, still has its type.
  const isUnchanged = ctx.status === 304;
  return (isUnchanged && !ctx.response.type) || ((isUnchanged || ctx.status < 300) && TEXT.test(ctx.response.type));
};

/** Returns whether the client left or the deadline passed, so that another response is being sent. */
const isTooLate = ({ state }: HttpContext): boolean => state.signal.aborted;

/** Makes the ETag weak, for all encodings and for a 304, because it identifies the text and not its bytes. */
const weakenTag = (ctx: HttpContext): void => {
  const tag = header(ctx, 'ETag');
  if (tag.startsWith('"')) ctx.set('ETag', `W/${tag}`);
};

export const compressedAnswers = (): Koa.Middleware<RequestState> => async (koa, next) => {
  await next();
  const ctx = koa as HttpContext;
  if (isTooLate(ctx) || !hasForms(ctx)) return;
  ctx.vary('Accept-Encoding');
  weakenTag(ctx);
  const [coding = 'identity'] = preferredEncodings(ctx.get('Accept-Encoding'));
  if (coding === 'identity') return;
  const body: unknown = ctx.body;
  if (body instanceof Readable) sendStream(ctx, body, coding);
  else if (typeof body === 'string' || Buffer.isBuffer(body)) await sendWhole(ctx, body, coding);
};

/** Compresses a complete body, for HEAD too, because its Content-Length must be that of GET. */
const sendWhole = async (ctx: HttpContext, text: string | Buffer, coding: Coding): Promise<void> => {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  if (body.length < SMALLEST) return;
  const coder = CODERS[coding];
  const packed = body.length > LARGE ? await coder.apart(body) : coder.here(body);
  if (isTooLate(ctx)) return;
  ctx.set('Content-Encoding', coding);
  ctx.body = packed;
};

const sendStream = (ctx: HttpContext, body: Readable, coding: Coding): void => {
  ctx.set('Content-Encoding', coding);
  ctx.remove('Content-Length');
  if (ctx.method === 'HEAD') return;
  const coder = CODERS[coding].stream();
  // An error or abort of either stream ends the other; the response is then cut off, and Koa reports the error.
  pipeline(body, coder, () => undefined);
  ctx.body = coder;
};
