/** Reads the body of a request: JSON or form data, files that stay on disk while the handler runs, or a stream of bytes. */
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type Koa from 'koa';
import { koaBody } from 'koa-body';
import { AppError, coreErrors } from '../errors.ts';
import type { Route, UploadedFile, UploadRule } from '../plugin.ts';
import type { BodyAccount, BodyBudget } from './body-budget.ts';
import { openBodyStream } from './body-stream.ts';
import type { NextTurn } from './event-loop-turns.ts';
import { checkFormSize, checkJsonSize } from './json-limits.ts';
import { mostUploadBytes, readMultipart } from './multipart.ts';
import { malformedJson, readBytes } from './read-bytes.ts';
import { uploadFolder } from './upload-folder.ts';

/** Default maximum size of a body, in bytes; uploads have limits of their own. */
const MAX_BODY_BYTES = 1_048_576;
const MAX_BODY_VALUES = 10_000;
/** Maximum number of form fields: the review of a report with 200 values has seven fields for each. */
const MAX_FORM_FIELDS = 5_000;
/** Default time for a body, in milliseconds, which the slowest telephone line needs for a megabyte. */
const BODY_MS = 25_000;

export interface ReadBody {
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
  /** The body of routes with `stream`. */
  readonly stream: Readable | null;
  /** Deletes the files from disk and releases the stream; safe to call twice. */
  discard(): Promise<void>;
}

export interface BodyReaderOptions {
  readonly dataDir: string;
  /** Budget for bodies in memory, including the fields of multipart forms. */
  readonly budget: BodyBudget;
  /** Returns the budget for files on disk, given the maximum size of an upload. */
  readonly uploads: (mostBytes: number) => BodyBudget;
  /** Longest time without data during an upload, in milliseconds. */
  readonly silentMs: number;
  /** Longest time for any other body, in milliseconds. */
  readonly bodyMs?: number;
  /** Waited for before a body is parsed, so that large bodies are not all parsed in one iteration of the event loop. */
  readonly nextTurn: NextTurn;
}

const refuseOtherType = (ctx: Koa.Context, mediaType: string): void => {
  if (!ctx.is(mediaType)) throw coreErrors.unsupported_type({}, { body: { accepted: [mediaType] } });
};

/** Wraps bytes that were already read and counted in a request, because koa-body parses only requests. */
const asRequest = (bytes: Buffer): IncomingMessage =>
  Object.assign(Readable.from([bytes], { objectMode: false }), {
    headers: { 'content-length': String(bytes.length) },
  }) as unknown as IncomingMessage;

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as never;

/** Parses bytes that were already read and counted, according to the content type of the request. */
const parse = async (ctx: Koa.Context, bytes: Buffer, limit: number): Promise<unknown> => {
  const parser = koaBody({
    jsonLimit: limit,
    formLimit: limit,
    queryString: { parameterLimit: MAX_FORM_FIELDS },
    text: false,
    multipart: false,
    parsedMethods: METHODS,
    onError: (error) => {
      throw error;
    },
  }) as unknown as (ctx: Koa.Context, next: () => Promise<void>) => Promise<void>;
  const request = Object.create(ctx.request) as Koa.Request;
  await parser(
    Object.create(ctx, { req: { value: asRequest(bytes) }, request: { value: request } }),
    async () => undefined,
  );
  return request.body;
};

interface PlainRule {
  readonly maxBytes: number;
  readonly maxValues: number;
  readonly milliseconds: number;
  readonly nextTurn: NextTurn;
}

const readPlain = async (ctx: Koa.Context, rule: PlainRule, account: BodyAccount): Promise<unknown> => {
  const kind = ctx.is('json', '+json', 'urlencoded');
  if (!kind) return undefined;
  const bytes = await readBytes(ctx.req, { ...rule, account });
  await rule.nextTurn();
  try {
    if (kind === 'urlencoded') checkFormSize(bytes, MAX_FORM_FIELDS);
    else checkJsonSize(bytes, rule.maxValues);
    return await parse(ctx, bytes, rule.maxBytes);
  } catch (error) {
    throw error instanceof AppError ? error : malformedJson(error);
  }
};

const readUpload = async (
  ctx: Koa.Context,
  rule: UploadRule,
  where: Parameters<typeof readMultipart>[2],
): Promise<Omit<ReadBody, 'discard'>> => {
  refuseOtherType(ctx, 'multipart/form-data');
  const { fields, files } = await readMultipart(ctx.req, rule, where);
  return { body: fields, files, stream: null };
};

type ReadsBody = (route: Route, ctx: Koa.Context, onReceived: () => void) => Promise<ReadBody>;

/** Returns the function that reads a route's body; files stay on disk until `discard` is called. */
export const bodyReader = (options: BodyReaderOptions): ReadsBody => {
  const { dataDir, budget, uploads, silentMs, bodyMs = BODY_MS, nextTurn } = options;
  const folder = uploadFolder(dataDir);
  return async (route, ctx, onReceived) => {
    if (route.stream) {
      refuseOtherType(ctx, route.stream.mediaType);
      const { stream, close } = openBodyStream(ctx.req, silentMs, onReceived);
      return { body: undefined, files: [], stream, discard: async () => close() };
    }
    const address = String(ctx.state.address);
    const account = budget.open(address);
    const onDisk = route.upload ? uploads(mostUploadBytes(route.upload)).open(address) : null;
    const close = (): void => {
      account.close();
      onDisk?.close();
    };
    const read = async (): Promise<Omit<ReadBody, 'discard'>> => {
      if (route.upload && onDisk)
        return readUpload(ctx, route.upload, { folder: await folder(), account, onDisk, silentMs });
      const { maxBodyBytes: maxBytes = MAX_BODY_BYTES, maxBodyValues: maxValues = MAX_BODY_VALUES } = route;
      const body = route.request.body
        ? await readPlain(ctx, { maxBytes, maxValues, milliseconds: bodyMs, nextTurn }, account)
        : undefined;
      return { body, files: [], stream: null };
    };
    try {
      const sent = await read();
      onReceived();
      return {
        ...sent,
        discard: async () => {
          await Promise.all(sent.files.map(({ path }) => rm(path, { force: true })));
          close();
        },
      };
    } catch (error) {
      close();
      throw error;
    }
  };
};

/** Returns a reader that reads the body at most once, on the first call. */
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
