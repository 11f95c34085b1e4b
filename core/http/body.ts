/** What a request carries: a JSON or form body, files that lie on disk while the handler runs, or bytes as they come. */
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type Koa from 'koa';
import { koaBody } from 'koa-body';
import { AppError, coreErrors } from '../errors.ts';
import type { Route, UploadedFile, UploadRule } from '../plugin.ts';
import type { BodyAccount, BodyBudget } from './body-budget.ts';
import { openBodyStream } from './body-stream.ts';
import { checkFormSize, checkJsonSize } from './json-limits.ts';
import { mostUploadBytes, readMultipart } from './multipart.ts';
import { malformedJson, readBytes } from './read-bytes.ts';
import { uploadFolder } from './upload-folder.ts';

/** JSON bodies of the API are small; uploads have limits of their own. */
const MAX_BODY_BYTES = 1_048_576;
const MAX_BODY_VALUES = 10_000;
/** Of a form: the review of a report with 200 values has seven for each. */
const MAX_FORM_FIELDS = 5_000;
/** As long as the slowest telephone line needs for a megabyte. */
const BODY_MS = 25_000;

export interface ReadBody {
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
  /** Of routes with `stream`. */
  readonly stream: Readable | null;
  /** Removes the files from disk and lets go of the stream; safe to call twice. */
  discard(): Promise<void>;
}

export interface BodyReaderOptions {
  readonly dataDir: string;
  /** Of bodies in memory, the fields of a form with files among them. */
  readonly budget: BodyBudget;
  /** Of files on disk, by the most bytes of an upload. */
  readonly uploads: (mostBytes: number) => BodyBudget;
  /** How long the sender of an upload may be silent. */
  readonly silentMs: number;
  /** How long any other body may take. */
  readonly bodyMs?: number;
}

const refuseOtherType = (ctx: Koa.Context, mediaType: string): void => {
  if (!ctx.is(mediaType)) throw coreErrors.unsupported_type({}, { body: { accepted: [mediaType] } });
};

/** koa-body reads a request: this one has the bytes that were read, and counted, before. */
const asRequest = (bytes: Buffer): IncomingMessage =>
  Object.assign(Readable.from([bytes], { objectMode: false }), {
    headers: { 'content-length': String(bytes.length) },
  }) as unknown as IncomingMessage;

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as never;

/** Bytes that were read and counted before, parsed as the request says that they are. */
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
}

const readPlain = async (ctx: Koa.Context, rule: PlainRule, account: BodyAccount): Promise<unknown> => {
  const kind = ctx.is('json', '+json', 'urlencoded');
  if (!kind) return undefined;
  const bytes = await readBytes(ctx.req, { ...rule, account });
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

/** The reader of a route's body; files wait on disk until the handler has answered. */
export const bodyReader = ({ dataDir, budget, uploads, silentMs, bodyMs = BODY_MS }: BodyReaderOptions): ReadsBody => {
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
        ? await readPlain(ctx, { maxBytes, maxValues, milliseconds: bodyMs }, account)
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
