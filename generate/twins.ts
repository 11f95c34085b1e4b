/**
 * Compressed twins, where they pay: Brotli alone, at the quality behind which bytes hardly get fewer and time grows
 * (figures in decision record 0016). Gzip is made by the reader for the few who ask for nothing better.
 */
import { brotliCompressSync, constants } from 'node:zlib';
import type { Twins } from '#core/site/pack-writer.ts';

/** Below this size a compressed twin saves no packet. */
const WORTH_COMPRESSING = 1_200;
const QUALITY = 5;
/** Sitemaps of products: made anew whenever one of 50,000 changes, and asked for by few. */
const LONG = 1024 * 1024;
const QUALITY_OF_LONG = 1;

const isWorth = (body: Buffer): boolean => body.length >= WORTH_COMPRESSING;

/** In this thread: where others are busy, handing a page to another takes longer than a small page takes. */
export const twinsOf = (body: Buffer, wanted: boolean): Twins => ({
  gzip: null,
  br: wanted && isWorth(body) ? brotliCompressSync(body, { params: paramsFor(body), chunkSize: chunkFor(body) }) : null,
});

/** Room for the whole twin of a page, and not the usual 16 kB: that much for each of 100,000 pages is work to throw away. */
const chunkFor = ({ length }: Buffer): number => Math.max(1024, Math.min(256 * 1024, length >> 1));

const paramsFor = (body: Buffer): Record<number, number> => ({
  [constants.BROTLI_PARAM_QUALITY]: body.length < LONG ? QUALITY : QUALITY_OF_LONG,
  [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  // No wider than the page: the default window of 4 MB costs half as much time again.
  [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length)))),
});
