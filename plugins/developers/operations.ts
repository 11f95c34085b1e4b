/** Operations as OpenAPI describes them, in the form that pages, clients and examples are made from. */
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
  /** Beside the quota; null for none. */
  readonly throttle: { readonly bucket: string; readonly per_minute: number; readonly per_day?: number } | null;
  /** What a key with scopes needs; "" for nothing. */
  readonly scope: string;
  readonly codes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly mediaType: string; readonly schema: Schema } | null;
  readonly replies: readonly OperationReply[];
}

/** What OpenAPI has beside its own words, see core/http/openapi.ts. */
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

/** The successes, and what a route answers of its own with another status. */
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

/** In the order of the description. */
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

/** Without a cookie, a form or bytes: what a client calls. */
export const isForClients = ({ path, tag, body, replies }: Operation): boolean =>
  /^\/(api|v1)\/|^\/graph-data$/.test(path) &&
  !OF_BROWSERS.test(tag) &&
  (body === null || body.mediaType === 'application/json') &&
  replies.some(({ mediaType }) => TEXT.test(mediaType));

/** The main answer: what a caller gets who asks for nothing special. */
export const answerOf = ({ replies }: Operation): OperationReply | null =>
  replies.find(({ mediaType }) => mediaType === 'application/json') ?? replies[0] ?? null;

/** Words of an id: `evidence.search` and `keys.make-one` alike. */
const wordsOf = (id: string): readonly string[] => id.split(/[^A-Za-z0-9]+/).filter(Boolean);
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** `evidenceSearch` */
export const camelName = (id: string): string =>
  wordsOf(id)
    .map((word, at) => (at ? capital(word) : word.slice(0, 1).toLowerCase() + word.slice(1)))
    .join('');
/** `EvidenceSearch` */
export const typeName = (id: string): string => wordsOf(id).map(capital).join('');
/** `evidence_search` */
export const snakeName = (id: string): string => wordsOf(id).join('_').toLowerCase();
/** `evidence-search`: the anchor of an operation, and the address of a tag. */
export const slugOf = (text: string): string => wordsOf(text).join('-').toLowerCase();
