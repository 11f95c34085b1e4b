/**
 * Compresses files where it saves space: with Brotli only, at a quality above which the size hardly shrinks and the time grows
 * (figures in decision record 0016). The site reader compresses with gzip on demand for the few clients that do not accept
 * Brotli.
 */
import { brotliCompressSync, constants } from 'node:zlib';
import type { Twins } from '#core/site/pack-writer.ts';

/** Minimum size in bytes: compressing a smaller file saves no packet. */
const WORTH_COMPRESSING = 1_200;
const QUALITY = 5;
/**
 * Minimum size of long files, in bytes: sitemaps of products change whenever one of 50,000 products does, and are rarely
 * requested.
 */
const LONG = 1024 * 1024;
const QUALITY_OF_LONG = 1;

const isWorth = (body: Buffer): boolean => body.length >= WORTH_COMPRESSING;

/** Compresses synchronously: handing a page to a busy thread pool takes longer than compressing a small page. */
export const twinsOf = (body: Buffer, wanted: boolean): Twins => ({
  gzip: null,
  br: wanted && isWorth(body) ? brotliCompressSync(body, { params: paramsFor(body), chunkSize: chunkFor(body) }) : null,
});

/**
 * Returns the size of the output buffer, which fits a whole page; the default of 16 kB would be allocated and discarded for each
 * of 100,000 pages.
 */
const chunkFor = ({ length }: Buffer): number => Math.max(1024, Math.min(256 * 1024, length >> 1));

const paramsFor = (body: Buffer): Record<number, number> => ({
  [constants.BROTLI_PARAM_QUALITY]: body.length < LONG ? QUALITY : QUALITY_OF_LONG,
  [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  // The window is not larger than the page: the default window of 4 MB takes half as much time again.
  [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length)))),
});
