/** Reads a small body into memory: within its own limit, the budget of all bodies, and a time. */
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type AppError, coreErrors } from '../errors.ts';
import type { BodyAccount } from './body-budget.ts';

export interface ReadLimits {
  readonly maxBytes: number;
  readonly account: BodyAccount;
  /** For all of the body. */
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

const tooSlow = (milliseconds: number): AppError =>
  coreErrors.body_too_slow({ seconds: Math.ceil(milliseconds / 1000) }, { headers: { Connection: 'close' } });

/**
 * @returns the body without its compression
 * @throws AppError 413 above the limit, 503 above the budget, 408 after the time, 422 for a compression that is not known
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
    const chunks: Buffer[] = [];
    let [sent, size] = [0, 0];
    const end = (): void => {
      clearTimeout(timer);
      request.off('data', onSent).off('close', onClose).off('error', fail);
      source.off('data', onData).off('end', onEnd);
    };
    const fail = (error: unknown): void => {
      end();
      chunks.length = 0;
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
      size += chunk.length;
      try {
        if (size > maxBytes) throw tooLarge(maxBytes);
        account.add(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      end();
      resolve(Buffer.concat(chunks, size));
    };
    const onClose = (): void => {
      if (!request.complete) fail(malformedJson());
    };
    decoder?.on('error', (error) => fail(malformedJson(error)));
    request.on('close', onClose).on('error', fail);
    // With a compression its own bytes count too: a stream of empty blocks inflates to nothing, for ever.
    if (decoder) request.on('data', onSent);
    source.on('data', onData).on('end', onEnd);
  });
};
