/** Reads multipart/form-data: files are written to disk as they arrive, and small fields are stored in memory. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { type AppError, coreErrors } from '../errors.ts';
import type { UploadedFile, UploadRule } from '../plugin.ts';
import type { BodyAccount } from './body-budget.ts';
import { endWhenSilent } from './body-stream.ts';
import { tooLarge } from './read-bytes.ts';

const MAX_FIELDS = 100;
const MAX_FIELD_BYTES = 65_536;
/** Maximum size of the headers of one part (a name, a file name, a type), in bytes. */
const MAX_HEADER_BYTES = 8_192;
const MAX_HEADERS = 20;
/** Maximum size of everything in the body except the files' content, in bytes. */
const MAX_OVERHEAD = 1_048_576;

export const mostUploadBytes = ({ maxBytes, maxFiles }: UploadRule): number => maxBytes * maxFiles + MAX_OVERHEAD;

export interface Multipart {
  /** Values by field name; an array when a name occurs more than once. */
  readonly fields: Readonly<Record<string, string | string[]>>;
  readonly files: readonly UploadedFile[];
}

interface Where {
  readonly folder: string;
  /** Memory account for the fields. */
  readonly account: BodyAccount;
  /** Disk account for the files. */
  readonly onDisk: BodyAccount;
  /** Longest time without data, in milliseconds. */
  readonly silentMs: number;
}

const unreadable = (cause?: unknown): AppError => {
  const problem = { type: 'multipart_invalid', loc: ['body'], msg: 'The body is not readable multipart/form-data' };
  return coreErrors.validation_failed({}, { problems: [problem], cause });
};

const tooMany = (): AppError => {
  const problem = { type: 'too_long', loc: ['body'], msg: `A form may have at most ${MAX_FIELDS} fields` };
  return coreErrors.validation_failed({}, { problems: [problem] });
};

/** Deletes a file. It waits only for the file stream, because the stream of an aborted part neither ends nor closes. */
const remove = async (target: WriteStream): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (target.closed) resolve();
  target
    .on('error', () => undefined)
    .once('close', resolve)
    .destroy();
  await promise;
  await rm(target.path, { force: true });
};

/** @throws AppError 422 when the content type has no boundary */
const newParser = (request: IncomingMessage, { maxBytes, maxFiles }: UploadRule) => {
  try {
    return new Busboy({
      headers: request.headers as { 'content-type': string },
      limits: {
        fieldNameSize: 200,
        fieldSize: MAX_FIELD_BYTES,
        fields: MAX_FIELDS,
        fileSize: maxBytes,
        files: maxFiles,
        parts: MAX_FIELDS + maxFiles + 1,
        headerPairs: MAX_HEADERS,
        headerSize: MAX_HEADER_BYTES,
      },
    });
  } catch (error) {
    throw unreadable(error);
  }
};

/**
 * Reads the fields and files. The caller must delete the files; when reading fails, no file remains.
 * @throws AppError 413 when a file is too large or there are too many, 422 when the body is malformed, 503 while uploads use
 *   too much disk space
 */
export const readMultipart = async (
  request: IncomingMessage,
  rule: UploadRule,
  { folder, account, onDisk, silentMs }: Where,
): Promise<Multipart> => {
  const most = mostUploadBytes(rule);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > most) throw tooLarge(rule.maxBytes);
  onDisk.announce(announced);
  if (request.destroyed) throw unreadable();
  const parser = newParser(request, rule);
  const fields = new Map<string, string | string[]>();
  const files: UploadedFile[] = [];
  const writing: Promise<void>[] = [];
  const targets: WriteStream[] = [];
  const failed = Promise.withResolvers<never>();
  const finished = new Promise<void>((resolve) => {
    parser.once('finish', resolve);
  });
  const fail = (error: unknown): void => {
    // The account is closed immediately: until the files are deleted, the failed upload would cause others to be rejected.
    onDisk.close();
    failed.reject(error);
  };
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      fail(error);
    }
  };
  parser.on('field', (name, value, isNameCut, isValueCut) =>
    attempt(() => {
      if (isNameCut || isValueCut) throw tooLarge(MAX_FIELD_BYTES);
      account.add(name.length + value.length);
      const known = fields.get(name);
      fields.set(name, known === undefined ? value : [known, value].flat());
    }),
  );
  parser.on('file', (field, stream: BusboyFileStream, name) => {
    const path = join(folder, randomUUID());
    const at = files.length;
    files.push({ field, path, name: name ?? '', bytes: 0 });
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    targets.push(target);
    stream.once('error', (error) => fail(unreadable(error)));
    stream.once('limit', () => fail(tooLarge(rule.maxBytes)));
    const written = pipeline(stream, target).then(() => {
      files[at] = { field, path, name: name ?? '', bytes: target.bytesWritten };
    });
    written.catch(fail);
    writing.push(written);
  });
  parser.once('filesLimit', () => fail(tooLarge(rule.maxBytes)));
  parser.once('fieldsLimit', () => fail(tooMany())).once('partsLimit', () => fail(tooMany()));
  parser.once('error', (error) => fail(unreadable(error)));
  let sent = 0;
  const onData = (chunk: Buffer): void => {
    sent += chunk.length;
    if (sent > most) fail(tooLarge(rule.maxBytes));
    else attempt(() => onDisk.add(chunk.length));
  };
  const onClose = (): void => {
    if (!request.complete) fail(unreadable());
  };
  request.on('data', onData).once('close', onClose).once('error', onClose).pipe(parser);
  const isDone = endWhenSilent(request, silentMs);
  try {
    await Promise.race([finished.then(() => Promise.all(writing)), failed.promise]);
    return { fields: Object.fromEntries(fields), files };
  } catch (error) {
    request.unpipe(parser);
    parser.on('error', () => undefined).destroy();
    // The rest of the body is discarded until the reply is sent.
    request.on('error', () => undefined).resume();
    await Promise.all(targets.map(remove));
    throw error;
  } finally {
    isDone();
    request.off('data', onData).off('close', onClose).off('error', onClose);
  }
};
