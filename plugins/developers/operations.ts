/** Extracts operations from the OpenAPI description, in the form that pages, clients and examples use. */
import type { OpenAPIV3_1 } from 'openapi-types';

export type Schema = OpenAPIV3_1.SchemaObject;
type Access = 'public' | 'limited' | 'key' | 'admin';

export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface OperationReply {
  readonly status: number;
  readonly mediaType: string;
  readonly description: string;
  readonly schema: Schema | null;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  /** Rate limit in addition to the quota; null for none. */
  readonly throttle: { readonly bucket: string; readonly per_minute: number; readonly per_day?: number } | null;
  /** Scope that a key with scopes needs; "" for none. */
  readonly scope: string;
  readonly codes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly mediaType: string; readonly schema: Schema } | null;
  readonly replies: readonly OperationReply[];
}

/** OpenAPI extensions of this API, see core/http/openapi.ts. */
interface Notes {
  readonly 'x-access'?: Access;
  readonly 'x-throttle'?: Operation['throttle'];
  readonly 'x-required-scope'?: string;
  readonly 'x-error-codes'?: readonly string[];
}

const parametersOf = ({ parameters = [] }: OpenAPIV3_1.OperationObject): readonly Parameter[] =>
  (parameters as readonly OpenAPIV3_1.ParameterObject[]).map(({ name, in: place, required, description, schema }) => ({
    name,
    place: place as Parameter['place'],
    required: required === true,
    description: description ?? '',
    schema: (schema ?? {}) as Schema,
  }));

const bodyOf = ({ requestBody }: OpenAPIV3_1.OperationObject): Operation['body'] => {
  const [first] = Object.entries((requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content ?? {});
  return first ? { mediaType: first[0], schema: (first[1].schema ?? {}) as Schema } : null;
};

const isFailure = (status: string): boolean => Number(status) >= 400;

/** Returns the replies with a status below 400. */
const repliesOf = ({ responses = {} }: OpenAPIV3_1.OperationObject): readonly OperationReply[] =>
  Object.entries(responses as Record<string, OpenAPIV3_1.ResponseObject>).flatMap(([status, reply]) =>
    isFailure(status)
      ? []
      : Object.entries(reply.content ?? { '': {} }).map(([mediaType, content]) => ({
          status: Number(status),
          mediaType,
          description: reply.description,
          schema: (content.schema ?? null) as Schema | null,
        })),
  );

const operationFrom = (path: string, method: string, found: OpenAPIV3_1.OperationObject & Notes): Operation => ({
  id: found.operationId ?? `${method} ${path}`,
  method: method.toUpperCase(),
  path,
  tag: found.tags?.[0] ?? 'Other',
  summary: found.summary ?? '',
  description: found.description ?? '',
  access: found['x-access'] ?? 'public',
  throttle: found['x-throttle'] ?? null,
  scope: found['x-required-scope'] ?? '',
  codes: found['x-error-codes'] ?? [],
  parameters: parametersOf(found),
  body: bodyOf(found),
  replies: repliesOf(found),
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const known = new WeakMap<OpenAPIV3_1.Document, readonly Operation[]>();

/** Returns all operations in the order of the description. */
export const operationsOf = (document: OpenAPIV3_1.Document): readonly Operation[] => {
  const made =
    known.get(document) ??
    Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.entries(item ?? {})
        .filter(([method]) => METHODS.includes(method))
        .map(([method, operation]) => operationFrom(path, method, operation as OpenAPIV3_1.OperationObject & Notes)),
    );
  known.set(document, made);
  return made;
};

const OF_BROWSERS = /^(Labs|Wearables|Device data)$/;
const TEXT = /^(text\/(?!html|javascript)|application\/(json|x-|nbib|vnd\.))/;

/** Returns whether the clients offer an operation: it needs no cookie, form or binary data. */
export const isForClients = ({ path, tag, body, replies }: Operation): boolean =>
  /^\/(api|v1)\/|^\/graph-data$/.test(path) &&
  !OF_BROWSERS.test(tag) &&
  (body === null || body.mediaType === 'application/json') &&
  replies.some(({ mediaType }) => TEXT.test(mediaType));

/** Returns the main reply: JSON where there is one, otherwise the first one. */
export const answerOf = ({ replies }: Operation): OperationReply | null =>
  replies.find(({ mediaType }) => mediaType === 'application/json') ?? replies[0] ?? null;

/** Splits an id such as `evidence.search` or `keys.make-one` into words. */
const wordsOf = (id: string): readonly string[] => id.split(/[^A-Za-z0-9]+/).filter(Boolean);
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Returns for example `evidenceSearch`. */
export const camelName = (id: string): string =>
  wordsOf(id)
    .map((word, at) => (at ? capital(word) : word.slice(0, 1).toLowerCase() + word.slice(1)))
    .join('');
/** Returns for example `EvidenceSearch`. */
export const typeName = (id: string): string => wordsOf(id).map(capital).join('');
/** Returns for example `evidence_search`. */
export const snakeName = (id: string): string => wordsOf(id).join('_').toLowerCase();
/** Returns for example `evidence-search`: the anchor of an operation, and the path segment of a tag. */
export const slugOf = (text: string): string => wordsOf(text).join('-').toLowerCase();
