/** Reads a small body into memory, within its own size limit, the budget of all bodies, and a time limit. */
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type AppError, coreErrors } from '../errors.ts';
import type { BodyAccount } from './body-budget.ts';

export interface ReadLimits {
  readonly maxBytes: number;
  readonly account: BodyAccount;
  /** Time limit for the whole body, in milliseconds. */
  readonly milliseconds: number;
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const tooLarge = (maxBytes: number): AppError =>
  coreErrors.file_too_large({ max_bytes: maxBytes }, { body: { max_bytes: maxBytes } });

export const malformedJson = (cause?: unknown): AppError => {
  const problem = { type: 'json_invalid', loc: ['body'], msg: 'The body is not valid JSON' };
  return coreErrors.malformed_json({}, { problems: [problem], cause });
};

const LEAST_BLOCK = 1_024;
const LARGEST_BLOCK = 65_536;

/**
 * Joins chunks into blocks as they arrive. A chunk has an overhead of about 250 bytes: storing the chunks of a body that is
 * sent byte by byte would take hundreds of times its size, which the budget would not count.
 */
export class ByteBlocks {
  readonly #blocks: Buffer[] = [];
  #used = 0;
  size = 0;

  add(piece: Buffer): void {
    for (let from = 0; from < piece.length; ) {
      let block = this.#blocks.at(-1);
      if (!block || this.#used === block.length) {
        block = Buffer.allocUnsafeSlow(Math.min(LARGEST_BLOCK, Math.max(LEAST_BLOCK, this.size, piece.length - from)));
        this.#blocks.push(block);
        this.#used = 0;
      }
      const copied = piece.copy(block, this.#used, from);
      this.#used += copied;
      this.size += copied;
      from += copied;
    }
  }

  /** Returns how many bytes are allocated for what was added. */
  get allocated(): number {
    return this.#blocks.reduce((sum, { length }) => sum + length, 0);
  }

  clear(): void {
    this.#blocks.length = 0;
  }

  /** Returns all bytes; bytes of the last block that were not filled are left out. */
  join(): Buffer {
    return Buffer.concat(this.#blocks, this.size);
  }
}

const tooSlow = (milliseconds: number): AppError =>
  coreErrors.body_too_slow({ seconds: Math.ceil(milliseconds / 1000) }, { headers: { Connection: 'close' } });

/**
 * Reads the body and decompresses it.
 * @throws AppError 413 above the size limit, 503 above the budget, 408 after the time limit, 422 for an unknown encoding
 */
export const readBytes = (
  request: IncomingMessage,
  { maxBytes, account, milliseconds }: ReadLimits,
): Promise<Buffer> => {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (request.destroyed) return Promise.reject(malformedJson());
  if (encoding !== 'identity' && !DECODERS[encoding]) return Promise.reject(malformedJson());
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  const decoder = DECODERS[encoding]?.() ?? null;
  const source: Readable = decoder ? request.pipe(decoder) : request;
  return new Promise((resolve, reject) => {
    const blocks = new ByteBlocks();
    let sent = 0;
    const end = (): void => {
      clearTimeout(timer);
      request.off('data', onSent).off('close', onClose).off('error', fail);
      source.off('data', onData).off('end', onEnd);
    };
    const fail = (error: unknown): void => {
      end();
      blocks.clear();
      account.close();
      if (decoder) request.unpipe(decoder);
      decoder?.destroy();
      // The rest of the body is discarded until the reply is sent.
      request.on('error', () => undefined).resume();
      reject(error);
    };
    const timer = setTimeout(() => fail(tooSlow(milliseconds)), milliseconds);
    const onSent = (chunk: Buffer): void => {
      sent += chunk.length;
      if (sent > maxBytes) fail(tooLarge(maxBytes));
    };
    const onData = (chunk: Buffer): void => {
      try {
        if (blocks.size + chunk.length > maxBytes) throw tooLarge(maxBytes);
        account.add(chunk.length);
        blocks.add(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      end();
      resolve(blocks.join());
    };
    const onClose = (): void => {
      if (!request.complete) fail(malformedJson());
    };
    decoder?.on('error', (error) => fail(malformedJson(error)));
    request.on('close', onClose).on('error', fail);
    // The compressed size is limited too: a stream of empty blocks inflates to nothing, but never ends.
    if (decoder) request.on('data', onSent);
    source.on('data', onData).on('end', onEnd);
  });
};
