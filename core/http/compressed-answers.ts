/**
 * Live answers, compressed on their way out; what is published lies compressed already and never comes here.
 *
 * Not what may hold a secret: who can choose a part of an answer, and sees how long it becomes, learns by trying what
 * else stands in it (BREACH). That is everything that a handler marks `no-store` itself, and everything that a device's
 * cookie or an administrator's key opens.
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

/** Fewer bytes fit into one packet with their headers, compressed or not. */
const SMALLEST = 1_024;
/** More bytes are compressed in another thread: here they would hold up other requests for half a millisecond and more. */
const LARGE = 65_536;

/** Half the time of what published pages get (decision 0016), for a tenth more bytes: these are made for one reader. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4 };
const GZIP = { level: 4 };
/** A quarter of a megabyte of what went before is looked back at: a long export takes no more memory than that. */
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

/** Events are for now, not for when enough of them have come; pictures are compressed already. */
const TEXT =
  /^text\/(?!event-stream$)|[/+](?:json|xml)$|^application\/(?:javascript|nbib|x-ndjson|x-bibtex|x-research-info-systems)$/;

/** Koa has undefined for a header that is not there, whatever its types say. */
const header = ({ response }: HttpContext, name: string): string => response.get(name) || '';

/** Whether this is an answer that has a compressed form, for clients that take one. */
const hasForms = (ctx: HttpContext): boolean => {
  const caching = header(ctx, 'Cache-Control').toLowerCase();
  const mayHoldSecret = ctx.state.mayHoldSecret ?? caching.includes('no-store');
  if (mayHoldSecret || caching.includes('no-transform')) return false;
  if (header(ctx, 'Content-Encoding') || header(ctx, 'Content-Range')) return false;
  // Koa takes the type from a 304 that had a body before; what had none, such as a picture, still says what it is.
  const isUnchanged = ctx.status === 304;
  return (isUnchanged && !ctx.response.type) || ((isUnchanged || ctx.status < 300) && TEXT.test(ctx.response.type));
};

/** The client left, or was told that this takes too long: what is on its way out then is another answer. */
const isTooLate = ({ state }: HttpContext): boolean => state.signal.aborted;

/** For all forms, and for a 304: the tag is of the text, and the bytes may be others. */
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

/** HEAD too: its length is that of GET. */
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
  // One's failure or end by force is the other's; the answer then breaks off, and Koa, which sends it, tells.
  pipeline(body, coder, () => undefined);
  ctx.body = coder;
};
