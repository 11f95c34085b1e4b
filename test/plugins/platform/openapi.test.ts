import { strict as assert } from 'node:assert';
import { routedPlugins } from '#core/http/core-routes.ts';
import { isCounted } from '#core/http/live-paths.ts';
import { createAjv } from '#core/http/validate.ts';
import type { Route } from '#core/plugin.ts';
import { api } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly allowEmptyValue?: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, { readonly schema?: object }> }
  >;
  readonly security: readonly Record<string, readonly string[]>[];
}

describe('/openapi.json', () => {
  let service: SharedService;
  let document: {
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly schemas: Record<string, object>; readonly securitySchemes: Record<string, object> };
    readonly [name: string]: unknown;
  };
  let operations: (readonly [name: string, path: string, operation: Operation])[];
  let routes: readonly Route[];
  before(async () => {
    service = await sharedService();
    document = (
      await api(service)
        .get('/openapi.json')
        .expect(200)
        .expect('Content-Type', /^application\/json/)
    ).body;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, path, operation] as const),
    );
    routes = routedPlugins(service.runtime).flatMap((plugin) => (plugin.routes ?? []) as readonly Route[]);
  });

  it('is OpenAPI 3.1 of API version 1.0.0, at the public URL', () => {
    assert.equal(document.openapi, '3.1.0');
    const info = document.info as Record<string, unknown>;
    assert.equal(info.version, '1.0.0');
    assert.ok(typeof info.title === 'string' && info.title.length > 0);
    assert.deepEqual(document.servers, [{ url: 'http://evidence.test' }]);
    const known = ['openapi', 'info', 'servers', 'paths', 'components', 'tags', 'webhooks', 'security', 'externalDocs'];
    for (const member of Object.keys(document)) assert.ok(known.includes(member), member);
  });

  it('describes every served route, and no other', () => {
    const served = new Set(routes.map(({ method, path }) => `${method} ${path}`));
    assert.deepEqual(
      operations.filter(([, , { tags }]) => !tags.includes('Pages')).map(([name]) => name),
      operations.map(([name]) => name).filter((name) => served.has(name)),
    );
    assert.equal(operations.filter(([name]) => served.has(name)).length, served.size);
    // The page at the URL of a form is described, too.
    const pages = operations.filter(([, , { tags }]) => tags.includes('Pages')).map(([name]) => name);
    assert.ok(pages.includes('GET /chat'));
    for (const name of pages)
      assert.ok(
        [...served].some((one) => one.endsWith(name.replace('GET ', ' '))),
        name,
      );
    for (const path of ['/api/keys', '/api/keys/me', '/api/sources', '/v1/evidence/search', '/api/health']) {
      assert.ok(path in document.paths, path);
    }
  });

  it('gives every operation a unique ID, a summary, a tag and a success status', () => {
    const ids = operations.map(([, , { operationId }]) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const [name, , { summary, tags, responses }] of operations) {
      assert.ok(summary.length > 0 && tags.length > 0, name);
      assert.ok(
        // A form succeeds with a redirect.
        Object.keys(responses).some((status) => /^(2\d\d|303)$/.test(status)),
        name,
      );
      for (const [status, { description }] of Object.entries(responses)) {
        assert.match(status, /^[2-5]\d\d$/, name);
        assert.ok(description.length > 0, `${name} ${status}`);
      }
    }
  });

  it('declares the parameters of every path, each once and required', () => {
    for (const [name, path, { parameters }] of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const declared = parameters.filter((parameter) => parameter.in === 'path');
      assert.deepEqual(declared.map((parameter) => parameter.name).sort(), inPath.sort(), name);
      assert.ok(
        declared.every(({ required }) => required),
        name,
      );
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      assert.equal(new Set(names).size, names.length, name);
      for (const parameter of parameters) assert.ok(['path', 'query', 'header'].includes(parameter.in), name);
    }
  });

  it('allows an empty value for every optional query parameter', () => {
    for (const [name, , { parameters }] of operations)
      for (const parameter of parameters.filter((one) => one.in === 'query'))
        assert.equal(parameter.allowEmptyValue === true, !parameter.required, `${name} ${parameter.name}`);
  });

  it('makes body fields with a default optional, and declares where null is accepted', () => {
    type Body = { required: string[]; properties: Record<string, object> };
    const bodyOf = (path: string): Body =>
      document.paths[path]?.post?.requestBody?.content['application/json']?.schema as Body;
    assert.deepEqual(bodyOf('/api/ask').required, ['question']);
    assert.deepEqual(bodyOf('/api/keys').required, ['name']);
    assert.deepEqual(bodyOf('/api/ask').properties.max_citations, {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 20,
      default: 8,
    });
    for (const [name, , { requestBody }] of operations) {
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        const { required = [], properties } = schema as Body;
        assert.ok(
          required.every((field) => !('default' in (properties?.[field] ?? {}))),
          name,
        );
        assert.ok(
          Object.values(properties ?? {}).every((property) => !('nullable' in property)),
          name,
        );
      }
    }
  });

  it('declares 413 for every operation with a body', () => {
    for (const [name, , { requestBody, responses }] of operations) if (requestBody) assert.ok('413' in responses, name);
  });

  it('contains valid JSON Schemas with resolvable references', () => {
    const ajv = createAjv();
    const compile = (schema: object, name: string): void => {
      assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
      ajv.compile(JSON.parse(JSON.stringify({ ...schema, components: document.components })));
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) compile(schema, name);
    for (const [name, , { parameters, requestBody, responses }] of operations) {
      for (const parameter of parameters) compile(parameter.schema, `${name} ${parameter.name}`);
      const bodies = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}));
      for (const { schema } of bodies) if (schema) compile(schema, name);
    }
  });

  it('requires a bearer key on key and admin routes, and makes it optional on limited ones', () => {
    assert.equal((document.components.securitySchemes.bearerAuth as { scheme: string }).scheme, 'bearer');
    const expected = {
      public: [],
      limited: [{}, { bearerAuth: [] }],
      key: [{ bearerAuth: [] }],
      admin: [{ bearerAuth: [] }],
    };
    for (const { method, path, access } of routes) {
      const operation = document.paths[path]?.[method.toLowerCase()];
      assert.deepEqual(operation?.security, expected[access], `${method} ${path}`);
    }
  });

  it('declares the bootstrap header only on POST /api/keys', () => {
    const named = operations.filter(([, , { parameters }]) =>
      parameters.some(({ name }) => name === 'X-Admin-Bootstrap'),
    );
    assert.deepEqual(
      named.map(([name]) => name),
      ['POST /api/keys'],
    );
  });

  it('declares the error statuses of each access class', () => {
    const statuses = { public: [], limited: ['401', '429'], key: ['401', '429'], admin: ['401', '403', '429'] };
    for (const { method, path, access, request, replies, throttle } of routes) {
      const told = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
      const wanted = [...statuses[access], '500', '503', ...(request.body || request.query ? ['422'] : [])];
      assert.deepEqual(
        wanted.filter((status) => !told.includes(status)),
        [],
        `${method} ${path}`,
      );
      // A page that looks up a key declares 401 itself.
      const isOwn = replies.some(({ status }) => status === 401);
      if (access !== 'public') continue;
      assert.ok(told.includes('401') === isOwn && told.includes('429') === (!!throttle || isCounted(path)), path);
    }
  });

  it('describes errors as they are sent', async () => {
    const ajv = createAjv();
    const check = ajv.compile({ ...document.components.schemas.Problem, components: document.components });
    for (const path of ['/api/keys/me', '/api/sources?page=x', '/api/nope', '/v1/evidence/search']) {
      const reply = await api(service).get(path);
      assert.ok(reply.status >= 400);
      assert.ok(check(reply.body), `${path}: ${ajv.errorsText(check.errors)}`);
    }
  });

  it('describes successful responses as they are sent', async () => {
    const ajv = createAjv();
    for (const path of ['/api/health', '/api/stats', '/api/pipeline/status', '/api/sources', '/api/methodology']) {
      const { body } = await api(service).get(path).expect(200);
      const schema = document.paths[path]?.get?.responses['200']?.content?.['application/json']?.schema ?? {};
      const check = ajv.compile(schema);
      assert.ok(check(body), `${path}: ${ajv.errorsText(check.errors)}`);
    }
  });
});
