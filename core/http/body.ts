/** What a request carries: a JSON or form body, files that lie on disk while the handler runs, or bytes as they come. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type Koa from 'koa';
import { koaBody } from 'koa-body';
import { coreErrors } from '../errors.ts';
import type { Route, UploadedFile, UploadRule } from '../plugin.ts';
import { endWhenSilent, openBodyStream } from './body-stream.ts';
import { uploadFolder } from './upload-folder.ts';

/** JSON bodies of the API are small; uploads have limits of their own. */
const MAX_BODY_BYTES = 1_048_576;
const MAX_FIELDS = 100;
/** Of a form: the review of a report with 200 values has seven for each. */
const MAX_FORM_FIELDS = 5_000;

export interface ReadBody {
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
  /** Of routes with `stream`. */
  readonly stream: Readable | null;
  /** Removes the files from disk and lets go of the stream; safe to call twice. */
  discard(): Promise<void>;
}

type Fail = (error: Error) => never;
type Parse = (ctx: Koa.Context, next: () => Promise<void>) => Promise<void>;

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as never;

const tooLarge = (maxBytes: number) =>
  coreErrors.file_too_large({ max_bytes: maxBytes }, { body: { max_bytes: maxBytes } });

const failPlain =
  (maxBytes: number): Fail =>
  (error) => {
    const { status } = error as Error & { status?: number };
    if (status === 413) throw tooLarge(maxBytes);
    const problem = { type: 'json_invalid', loc: ['body'], msg: 'The body is not valid JSON' };
    throw coreErrors.malformed_json({}, { problems: [problem], cause: error });
  };

const failUpload =
  (maxBytes: number): Fail =>
  (error) => {
    const { httpCode } = error as Error & { httpCode?: number };
    if (httpCode === 413) throw tooLarge(maxBytes);
    const problem = { type: 'multipart_invalid', loc: ['body'], msg: 'The body is not readable multipart/form-data' };
    throw coreErrors.validation_failed({}, { problems: [problem], cause: error });
  };

const plainParser = (maxBytes: number): Parse =>
  koaBody({
    jsonLimit: maxBytes,
    formLimit: maxBytes,
    queryString: { parameterLimit: MAX_FORM_FIELDS },
    text: false,
    json: true,
    urlencoded: true,
    multipart: false,
    parsedMethods: METHODS,
    onError: failPlain(maxBytes),
  }) as unknown as Parse;

const uploadParser = ({ maxBytes, maxFiles }: UploadRule, uploadDir: string): Parse =>
  koaBody({
    text: false,
    json: false,
    urlencoded: false,
    multipart: true,
    parsedMethods: METHODS,
    formidable: {
      uploadDir,
      maxFiles,
      maxFileSize: maxBytes,
      maxTotalFileSize: maxBytes * maxFiles,
      maxFields: MAX_FIELDS,
      maxFieldsSize: MAX_BODY_BYTES,
      allowEmptyFiles: true,
      minFileSize: 0,
      onFileBegin: noteOrder,
      filename: (_name: string, _ending: string, _part: unknown, form: unknown) =>
        named((form as { readonly req?: IncomingMessage }).req, uploadDir),
    },
    onError: failUpload(maxBytes),
  }) as unknown as Parse;

/** Where files of a request are being written: of one that is cut off the parser leaves what it has. */
const written = new WeakMap<IncomingMessage, string[]>();

const named = (request: IncomingMessage | undefined, folder: string): string => {
  const name = randomUUID();
  if (request) written.set(request, [...(written.get(request) ?? []), join(folder, name)]);
  return name;
};

const removeWritten = async (request: IncomingMessage): Promise<void> => {
  await Promise.all((written.get(request) ?? []).map((path) => rm(path, { force: true })));
};

interface ParsedFile {
  readonly filepath: string;
  readonly originalFilename: string | null;
  readonly size: number;
}

/** Files in the order in which they were sent: a small one is written before a larger one that came first. */
const order = new WeakMap<object, number>();
let begun = 0;
const noteOrder = (_field: string, file: object): void => {
  begun += 1;
  order.set(file, begun);
};
const bySending = (a: object, b: object): number => (order.get(a) ?? 0) - (order.get(b) ?? 0);

const filesOf = (parsed: Readonly<Record<string, ParsedFile | readonly ParsedFile[]>> | undefined): UploadedFile[] =>
  Object.entries(parsed ?? {}).flatMap(([field, value]) =>
    ([value].flat() as ParsedFile[])
      .sort(bySending)
      .map((file) => ({ field, path: file.filepath, name: file.originalFilename ?? '', bytes: file.size })),
  );

const refuseOtherType = (ctx: Koa.Context, mediaType: string): void => {
  if (!ctx.is(mediaType)) throw coreErrors.unsupported_type({}, { body: { accepted: [mediaType] } });
};

const readUpload = async (ctx: Koa.Context, parse: Parse, silentMs: number): Promise<ReadBody> => {
  refuseOtherType(ctx, 'multipart/form-data');
  const isDone = endWhenSilent(ctx.req, silentMs);
  await parse(ctx, async () => undefined)
    .catch(async (error) => {
      await removeWritten(ctx.req);
      throw error;
    })
    .finally(isDone);
  const request = ctx.request as { body?: unknown; files?: Parameters<typeof filesOf>[0] };
  const files = filesOf(request.files);
  return {
    body: request.body,
    files,
    stream: null,
    discard: async () => {
      await Promise.all(files.map(({ path }) => rm(path, { force: true })));
    },
  };
};

type ReadsBody = (route: Route, ctx: Koa.Context, onReceived: () => void) => Promise<ReadBody>;

/** The reader of a route's body; files wait on disk until the handler has answered. */
export const bodyReader = (dataDir: string, silentMs: number): ReadsBody => {
  const plain = new Map<number, Parse>();
  const folder = uploadFolder(dataDir);
  const uploads = new Map<Route, Parse>();
  return async (route, ctx, onReceived) => {
    if (route.stream) {
      refuseOtherType(ctx, route.stream.mediaType);
      const { stream, close } = openBodyStream(ctx.req, silentMs, onReceived);
      return { body: undefined, files: [], stream, discard: async () => close() };
    }
    if (route.upload) {
      const path = await folder();
      const parse = uploads.get(route) ?? uploadParser(route.upload, path);
      uploads.set(route, parse);
      const upload = await readUpload(ctx, parse, silentMs);
      onReceived();
      return upload;
    }
    if (route.request.body) {
      const maxBytes = route.maxBodyBytes ?? MAX_BODY_BYTES;
      const parse = plain.get(maxBytes) ?? plainParser(maxBytes);
      plain.set(maxBytes, parse);
      await parse(ctx, async () => undefined);
    }
    onReceived();
    const { body } = ctx.request as { body?: unknown };
    return { body, files: [], stream: null, discard: async () => undefined };
  };
};

/** A body is read once, whoever asks for it first; nobody may ask at all. */
export const bodyOnce = (read: () => Promise<ReadBody>) => {
  let reading: Promise<ReadBody> | null = null;
  return {
    read: (): Promise<ReadBody> => {
      reading ??= read();
      return reading;
    },
    discard: async (): Promise<void> => (await reading?.catch(() => null))?.discard(),
  };
};
