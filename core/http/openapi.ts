/** Builds the OpenAPI 3.1 document from the same route definitions that serve the requests. */
import type { OpenAPIV3_1 } from 'openapi-types';
import type { TSchema } from 'typebox';
import { KEEP_HOURS } from '../db/idempotent-requests.ts';
import { coreErrors, type ErrorDefinition } from '../errors.ts';
import type { AnyPlugin, Page, Route } from '../plugin.ts';
import { HEADER_PATTERN, takesIdempotencyKey } from './idempotency.ts';
import { isCounted } from './live-paths.ts';
import { linksOf } from './openapi-links.ts';
import { describeEvents } from './openapi-webhooks.ts';
import { SCOPES, scopeOf } from './scopes.ts';
import { defaultOf } from './validate.ts';
import { wantsJson } from './wants-json.ts';

type Schema = OpenAPIV3_1.SchemaObject;
type Responses = Record<string, OpenAPIV3_1.ResponseObject>;

/** Returns the schema as plain JSON, without the internal properties of the schema library. */
export const plain = (schema: TSchema): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

const Problem: Schema = {
  type: 'object',
  required: ['detail', 'type', 'title', 'status', 'code', 'request_id'],
  properties: {
    detail: {
      description: 'A sentence; for 422 the list of problems.',
      oneOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/components/schemas/FieldProblem' } }],
    },
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    request_id: { type: 'string' },
  },
};

const FieldProblem: Schema = {
  type: 'object',
  required: ['type', 'loc', 'msg'],
  properties: {
    type: { type: 'string' },
    loc: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
    msg: { type: 'string' },
    input: {},
  },
};

/** Returns the error codes that follow from a route's access class and options. */
const impliedCodes = (route: Route): readonly string[] => {
  const { access, method, throttle, upload, stream, request, device } = route;
  const quota = ['quota_exceeded'];
  const crossSite = method === 'GET' && device !== 'make' ? [] : ['cross_site_request'];
  const more = [
    ...(throttle || (access === 'public' && isCounted(route.path)) ? quota : []),
    ...(request.params || request.query || request.body ? ['validation_failed'] : []),
    ...(request.body ? ['file_too_large'] : []),
    ...(request.body && !upload && !stream ? ['body_too_complex', 'body_too_slow'] : []),
    ...(route.admits ? ['not_found', 'quota_exceeded'] : []),
    ...(upload ? ['file_too_large', 'unsupported_type', 'validation_failed'] : []),
    ...(stream ? ['unsupported_type'] : []),
    ...(scopeOf(route) ? ['insufficient_scope'] : []),
    ...(takesIdempotencyKey(route) ? ['idempotency_key_reused', 'validation_failed'] : []),
    ...(method === 'POST' && access !== 'public' ? ['idempotency_not_supported'] : []),
  ];
  const keys = ['invalid_api_key', 'key_deactivated', 'key_expired'];
  if (access === 'public') return [...crossSite, ...more];
  if (access === 'limited') return [...keys, ...crossSite, ...quota, ...more];
  return ['missing_api_key', ...keys, ...(access === 'admin' ? ['admin_required'] : []), ...quota, ...more];
};

/** Returns every error code that a caller of this route can receive. */
export const codesOf = (route: Route): readonly string[] => [
  ...new Set([...impliedCodes(route), ...route.raises, 'internal_error', 'reduced_capacity', 'database_unavailable']),
];

const parametersOf = (place: 'path' | 'query', schema: TSchema | undefined): OpenAPIV3_1.ParameterObject[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = plain(property);
    const isRequired = place === 'path' || (required.includes(name) && !('default' in rest));
    return {
      name,
      in: place,
      required: isRequired,
      // An empty value means that the parameter was not given.
      ...(!isRequired && { allowEmptyValue: true }),
      ...(description && { description }),
      schema: rest,
    } as OpenAPIV3_1.ParameterObject;
  });
};

const bootstrapHeader: OpenAPIV3_1.ParameterObject = {
  name: 'X-Admin-Bootstrap',
  in: 'header',
  required: false,
  description: 'In place of a key, while no admin key exists: the secret that is configured on the server.',
  schema: { type: 'string' },
};

const idempotencyHeader: OpenAPIV3_1.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `With an API key: 1 to 255 visible characters that name this request. Sent again with the same key it is neither done nor charged again, and answered as it was before, with \`Idempotency-Replayed: true\`. Kept for ${KEEP_HOURS} hours; an answer with a 5xx or a 429 is not kept.`,
  schema: { type: 'string', pattern: HEADER_PATTERN },
};

/** Returns the scope that a key with scopes needs for this route, as `x-required-scope`. */
const scopeNote = (route: Route) => {
  const scope = scopeOf(route);
  return scope ? { 'x-required-scope': scope } : {};
};

const successesOf = (route: Route, routes: ReadonlyMap<string, Route>): Responses => {
  const byStatus: Responses = {};
  const links = linksOf(route, routes);
  for (const reply of route.replies) {
    const known = byStatus[String(reply.status)];
    const content = { ...known?.content, [reply.mediaType]: reply.schema ? { schema: plain(reply.schema) } : {} };
    byStatus[String(reply.status)] = {
      description: known?.description ?? reply.description,
      ...(reply.status !== 204 && { content }),
      ...(reply.status === route.replies[0]?.status && links),
    };
  }
  return byStatus;
};

const failuresOf = (
  codes: readonly string[],
  definitions: ReadonlyMap<string, ErrorDefinition>,
  isForPeople: boolean,
): Responses => {
  const byStatus = Map.groupBy(
    codes.map((code) => definitions.get(code)),
    (definition) => definition?.status ?? 0,
  );
  const content = {
    'application/json': { schema: { $ref: '#/components/schemas/Problem' } },
    // Browsers receive the error as a page.
    ...(isForPeople && { 'text/html': {} }),
  };
  const entries = [...byStatus].map(([status, list]) => [
    String(status),
    { description: list.map((definition) => `\`${definition?.code}\`: ${definition?.cause}`).join(' '), content },
  ]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)));
};

const isForPeople = ({ isForPrograms, path }: Pick<Route, 'isForPrograms' | 'path'>): boolean =>
  !isForPrograms && !wantsJson(path);

/**
 * Converts `nullable` to the JSON Schema type `null`. The application's schemas use `nullable` so that each form field
 * has one type to convert to.
 */
const withNull = ({ nullable, ...schema }: Schema & { readonly nullable?: boolean }): Schema =>
  nullable ? ({ ...schema, type: [schema.type, 'null'] } as Schema) : schema;

/** Returns the schema of a request: fields with a default value are not required. */
export const asSent = (schema: Schema): Schema => {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const usual = new Set(properties.filter(([, property]) => 'default' in property).map(([name]) => name));
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, property]) => [name, withNull(property)])),
    ...(schema.required && { required: schema.required.filter((name) => !usual.has(name)) }),
  };
};

/** Returns the request content: JSON, multipart form data for an upload, or bytes for a stream. */
const contentOf = ({ request, upload, stream }: Route): Record<string, OpenAPIV3_1.MediaTypeObject> => {
  if (stream) return { [stream.mediaType]: { schema: { type: 'string', format: 'binary' } } };
  const schema = request.body ? asSent(plain(request.body)) : { type: 'object' as const };
  if (!upload) return { 'application/json': { schema } };
  const file: Schema = { type: 'string', format: 'binary', description: `At most ${upload.maxBytes} bytes.` };
  const files = Object.fromEntries(upload.fields.map((name) => [name, file]));
  return { 'multipart/form-data': { schema: { ...schema, properties: { ...files, ...schema.properties } } } };
};

/** Returns the OpenAPI extensions of a route: access class, throttle, device flag and error codes. */
const notesOf = (route: Route) => ({
  'x-access': route.access,
  ...(route.throttle && {
    'x-throttle': {
      bucket: route.throttle.bucket,
      per_minute: route.throttle.perMinute,
      ...(route.throttle.perDay && { per_day: route.throttle.perDay }),
    },
  }),
  ...(route.device && { 'x-device': true }),
  'x-error-codes': codesOf(route),
});

interface Known {
  readonly definitions: ReadonlyMap<string, ErrorDefinition>;
  readonly routes: ReadonlyMap<string, Route>;
}

const operationOf = (route: Route, { definitions, routes }: Known): OpenAPIV3_1.OperationObject => ({
  operationId: route.id,
  summary: route.summary,
  ...(route.description && { description: route.description }),
  tags: [route.tag],
  parameters: [
    ...parametersOf('path', route.request.params),
    ...parametersOf('query', route.request.query),
    ...(route.bootstrap ? [bootstrapHeader] : []),
    ...(takesIdempotencyKey(route) ? [idempotencyHeader] : []),
  ],
  ...((route.request.body || route.upload || route.stream) && {
    requestBody: { required: defaultOf(route.request.body) === undefined, content: contentOf(route) },
  }),
  ...scopeNote(route),
  ...notesOf(route),
  responses: { ...successesOf(route, routes), ...failuresOf(codesOf(route), definitions, isForPeople(route)) },
  security:
    route.access === 'public' ? [] : route.access === 'limited' ? [{}, { bearerAuth: [] }] : [{ bearerAuth: [] }],
});

const keyText = [
  'An API key: `Authorization: Bearer <API_KEY>`. A key without scopes opens every route of its class; one with scopes',
  'only those whose `x-required-scope` it has (403 `insufficient_scope` otherwise):',
  `${Object.entries(SCOPES)
    .map(([name, opens]) => `\`${name}\` (${opens.toLowerCase()})`)
    .join(', ')}.`,
].join(' ');

type Operation = NonNullable<OpenAPIV3_1.PathItemObject['get']>;

const PAGE_CODES = ['validation_failed', 'not_found', 'quota_exceeded', 'internal_error', 'reduced_capacity'];

const pageOperationOf = (page: Page, definitions: ReadonlyMap<string, ErrorDefinition>): Operation => ({
  operationId: `${page.id}.page`,
  summary: page.summary,
  tags: ['Pages'],
  parameters: [...parametersOf('path', page.params), ...parametersOf('query', page.query)],
  responses: {
    '200': { description: 'The page', content: { 'text/html': {} } },
    '303': { description: 'To another page', content: { 'text/html': {} } },
    ...failuresOf(PAGE_CODES, definitions, true),
  },
  security: [],
});

/**
 * Builds the whole document.
 * @throws Error when a route raises a code that no plugin defines, or when a link has no target route.
 */
export const describeApi = (plugins: readonly AnyPlugin[], baseUrl: string): OpenAPIV3_1.Document => {
  const definitions = new Map(
    [...coreErrors.definitions, ...plugins.flatMap(({ errors = [] }) => errors)].map((entry) => [entry.code, entry]),
  );
  const paths: Record<string, OpenAPIV3_1.PathItemObject> = {};
  const all = plugins.flatMap(({ routes = [] }) => routes as readonly Route[]);
  const routes = new Map(all.map((route) => [route.id, route]));
  for (const route of all) {
    const unknown = codesOf(route).find((code) => !definitions.has(code));
    if (unknown) throw new Error(`Route ${route.id} raises ${unknown}, which nobody defined`);
    const item = paths[route.path] ?? {};
    paths[route.path] = { ...item, [route.method.toLowerCase()]: operationOf(route, { definitions, routes }) };
  }
  // A path that accepts a submitted form also serves the page with that form.
  for (const page of plugins.flatMap(({ pages = [] }) => pages as readonly Page[])) {
    const item = paths[page.path];
    if (item && !item.get) paths[page.path] = { get: pageOperationOf(page, definitions), ...item };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Supplement Evidence Base',
      version: '1.0.0',
      description: 'Graded evidence on natural supplements. Answers must link back to their sources; see /disclaimer.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    paths,
    webhooks: describeEvents(plugins.flatMap(({ events = [] }) => events)),
    components: {
      schemas: { Problem, FieldProblem },
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: keyText },
      },
    },
  };
};
