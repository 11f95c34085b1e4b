import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Type } from 'typebox';
import { createApp } from '#core/http/app.ts';
import { definePage, definePlugin, defineRoute } from '#core/plugin.ts';
import { api, bearer, bootstrapAdmin } from '../../support/client.ts';
import { connectTo } from '../../support/database.ts';
import { rawExchange } from '../../support/raw-http.ts';
import { startService, type TestService } from '../../support/service.ts';

const SECRET = 'what-somebody-searched-for';

/** Routes that fail in the same ways as a bug would. */
const faulty = definePlugin({
  name: 'faulty',
  summary: 'fails',
  dependencies: [],
  routes: [
    defineRoute({
      id: 'faulty.throws',
      method: 'GET',
      path: '/api/faulty/throws',
      summary: '',
      tag: '',
      access: 'public',
      request: {},
      replies: [],
      raises: [],
      handle: () => Promise.reject(new Error('a fault of ours')),
    }),
    defineRoute({
      id: 'faulty.database',
      method: 'GET',
      path: '/api/faulty/database',
      summary: '',
      tag: '',
      access: 'public',
      request: {},
      replies: [],
      raises: [],
      handle: () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    }),
    defineRoute({
      id: 'faulty.statement',
      method: 'GET',
      path: '/api/faulty/statement',
      summary: '',
      tag: '',
      access: 'public',
      request: {},
      replies: [],
      raises: [],
      handle: async ({ db }) => ({ body: await db.read((em) => em.execute('select cast(? as integer)', [SECRET])) }),
    }),
  ],
  pages: [
    definePage({
      id: 'faulty.page',
      path: '/faulty',
      summary: '',
      template: 'pages/documents',
      view: Type.Object({}),
      scope: 'public',
      sitemap: null,
      revision: 1,
      load: () => Promise.reject(new Error('a fault of ours')),
    }),
  ],
  start: () => undefined,
});

describe('error responses', () => {
  let service: TestService;
  const lines: string[] = [];
  before(async () => {
    service = await startService({ more: [faulty], onLog: (line) => lines.push(line) });
  });
  after(() => service.stop());

  const missingKey = {
    detail: 'Missing API key',
    type: 'http://evidence.test/developers/errors#missing-api-key',
    title: 'Unauthorized',
    status: 401,
    code: 'missing_api_key',
  };

  it('report an unavailable database, not an overload', async () => {
    const reply = await api(service).get('/api/faulty/database').expect(503).expect('Retry-After', '2');
    assert.deepEqual([reply.body.code, reply.body.detail], ['database_unavailable', 'The database cannot be reached']);
  });

  it('are JSON with detail, type, title, status, code and request_id', async () => {
    const reply = await api(service)
      .get('/api/keys/me')
      .expect(401)
      .expect('Content-Type', /^application\/json/);
    assert.deepEqual(reply.body, { ...missingKey, request_id: reply.get('X-Request-Id') });
    assert.equal(reply.get('Cache-Control'), 'no-store');
  });

  it('have their own request id, whatever the client sent', async () => {
    const ids = new Set<string | undefined>();
    for (let times = 0; times < 3; times += 1) {
      const reply = await api(service).get('/api/health').set('X-Request-Id', 'mine');
      assert.match(reply.get('X-Request-Id') ?? '', /^req_[0-9a-z]{20,}$/);
      ids.add(reply.get('X-Request-Id'));
    }
    assert.equal(ids.size, 3);
  });

  it('are problem+json for a client that asks for it', async () => {
    const reply = await api(service)
      .get('/api/keys/me')
      .set('Accept', 'application/problem+json, application/json;q=0.5')
      .expect(401)
      .expect('Content-Type', /^application\/problem\+json/);
    assert.deepEqual(JSON.parse(reply.text), { ...missingKey, request_id: reply.get('X-Request-Id') });
  });

  it('list the problems in errors[] next to a summary as problem+json', async () => {
    const reply = await api(service)
      .get('/api/sources?page=x')
      .set('Accept', 'application/problem+json')
      .expect(422)
      .expect('Content-Type', /^application\/problem\+json/);
    assert.deepEqual(JSON.parse(reply.text), {
      detail: 'Invalid request',
      type: 'http://evidence.test/developers/errors#validation-failed',
      title: 'Unprocessable Content',
      status: 422,
      code: 'validation_failed',
      request_id: reply.get('X-Request-Id'),
      errors: [
        {
          type: 'int_parsing',
          loc: ['query', 'page'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
          input: 'x',
        },
      ],
    });
  });

  for (const path of ['/api/nope', '/api', '/v1/nope', '/api/keys/me/nope']) {
    it(`are a JSON 404 for ${path}`, async () => {
      const reply = await api(service)
        .get(path)
        .expect(404)
        .expect('Content-Type', /^application\/json/);
      assert.deepEqual(reply.body, {
        detail: `Path '${path}' not found`,
        type: 'http://evidence.test/developers/errors#not-found',
        title: 'Not Found',
        status: 404,
        code: 'not_found',
        request_id: reply.get('X-Request-Id'),
        resource: 'path',
        id: path,
        did_you_mean: [],
      });
    });
  }

  it('are a 405 for a fixed path, even where a parameter of another method’s route matches it', async () => {
    const image = await api(service).post('/api/label-image/stats').expect(405);
    assert.equal(image.get('Allow'), 'GET, HEAD');
    const webhook = await api(service).delete('/api/webhooks/event-types').expect(405);
    assert.equal(webhook.get('Allow'), 'GET, HEAD');
  });

  it('are a 405 that lists the methods of the path', async () => {
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const reply = await api(service)[method]('/api/health').expect(405);
      assert.equal(reply.body.code, 'method_not_allowed', method);
      assert.equal(reply.get('Allow'), 'GET, HEAD');
    }
    assert.equal((await api(service).get('/api/ask').expect(405)).get('Allow'), 'POST');
    const page = await api(service).delete('/supplements/magnesium').set('Accept', 'text/html').expect(405);
    assert.match(page.text, /Method DELETE is not for this address\./);
  });

  for (const path of ['/nope', '/apix', '/v2/nope', '/supplements/unobtainium', '/assets/nope.css', '/docs/nope']) {
    it(`are an HTML 404 page for ${path}`, async () => {
      const reply = await api(service)
        .get(path)
        .expect(404)
        .expect('Content-Type', /^text\/html/);
      assert.match(reply.text, /^<!doctype html>/i);
      assert.match(reply.text, /noindex/);
    });
  }

  it('are an HTML 404 page for an invalid request target', async () => {
    for (const address of ['http://[::1', '*', '//[', '/%', '/%00', `/${'a'.repeat(5000)}`]) {
      const method = address === '*' ? 'OPTIONS' : 'GET';
      const text = await rawExchange(
        service.url,
        `${method} ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.match(text, /^HTTP\/1\.1 404 /, address);
      assert.match(text, /X-Request-Id: req_/, address);
    }
  });

  it('are a plain 500 for an internal error, which the log explains under the request id', async () => {
    lines.length = 0;
    const reply = await api(service).get('/api/faulty/throws').expect(500);
    assert.deepEqual(reply.body, {
      detail: 'Internal server error',
      type: 'http://evidence.test/developers/errors#internal-error',
      title: 'Internal Server Error',
      status: 500,
      code: 'internal_error',
      request_id: reply.get('X-Request-Id'),
    });
    const told = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request_failed');
    assert.equal(told.length, 1);
    assert.equal(told[0].request_id, reply.get('X-Request-Id'));
    assert.equal(told[0].error.message, 'a fault of ours');
  });

  it('are an HTML page with the request id for a page that fails', async () => {
    const reply = await api(service)
      .get('/faulty')
      .expect(500)
      .expect('Content-Type', /^text\/html/);
    assert.ok(reply.text.includes(reply.get('X-Request-Id') ?? '?'));
    assert.ok(!reply.text.includes('a fault of ours'));
  });

  it('omit the value that a statement failed on from the log', async () => {
    lines.length = 0;
    await api(service).get('/api/faulty/statement').expect(500);
    const told = lines.filter((line) => line.includes('request_failed'));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /invalid input syntax/);
    assert.ok(!lines.join('').includes(SECRET));
  });

  it('are a 503 for a body that is sent too slowly, however long its handler may take', async () => {
    const server = createServer(createApp(service.runtime, { deadlineMs: 100 }).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1');
      socket.write('POST /chat HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"q');
      const [reply] = (await once(socket, 'data')) as [Buffer];
      assert.match(reply.toString(), /^HTTP\/1\.1 503 /);
      socket.destroy();
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('are a 503 with Retry-After for a request that waits for the database for too long', async () => {
    const admin = await bootstrapAdmin(service);
    const server = createServer(createApp(service.runtime, { deadlineMs: 100 }).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const other = await connectTo(service.environment);
    try {
      await other.query('begin');
      await other.query('lock table api_key in access exclusive mode');
      const { port } = server.address() as AddressInfo;
      const reply = await fetch(`http://127.0.0.1:${port}/api/keys/me`, {
        headers: { Authorization: `Bearer ${admin.key}` },
      });
      assert.equal(reply.status, 503);
      assert.equal(reply.headers.get('Retry-After'), '2');
      const body = (await reply.json()) as Record<string, unknown>;
      assert.equal(body.detail, 'Temporarily overloaded');
      assert.equal(body.code, 'reduced_capacity');
    } finally {
      await other.query('rollback');
      await other.end();
      server.close();
      server.closeAllConnections();
    }
    await api(service)
      .get('/api/keys/me')
      .set(...bearer(admin.key))
      .expect(200);
  });
});
