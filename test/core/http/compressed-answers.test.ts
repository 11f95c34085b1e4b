/** Tests how live responses are compressed; http-server.test.ts tests how published pages are sent. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, createBrotliDecompress, gunzipSync } from 'node:zlib';
import type { TSchema } from 'typebox';
import { createApp } from '#core/http/app.ts';
import { type Access, definePlugin, defineRoute, type Reply, type Route } from '#core/plugin.ts';
import { api } from '../../support/client.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const words = (bytes: number): string => 'Zinc and the common cold. '.repeat(Math.ceil(bytes / 26)).slice(0, bytes);
const text = words(5_000);
const large = `{"rows":"${words(3_000_000)}"}`;

/** Records how far the source was read and when it fails. */
const source = { given: 0, destroyed: false, failAt: Number.POSITIVE_INFINITY };
const rows = (count: number): Readable => {
  Object.assign(source, { given: 0, destroyed: false });
  const lines = async function* () {
    for (let at = 0; at < count; at += 1) {
      if (at === source.failAt) throw new Error('the database went away');
      source.given += 1;
      // Random text hardly compresses, so rows that a slow reader leaves unread remain unread in the source.
      yield `${Array.from({ length: 400 }, () => Math.random().toString(36)).join(',')}\n`;
    }
  };
  const stream = Readable.from(lines(), { highWaterMark: 1 });
  stream.on('close', () => {
    source.destroyed = true;
  });
  return stream;
};

let more = Promise.withResolvers<void>();
async function* events() {
  yield 'data: first\n\n';
  await more.promise;
  yield `data: ${text}\n\n`;
}

const plain = { type: 'text/plain; charset=utf-8', body: text };
const withHeaders = (headers: Record<string, string>): Reply => ({ ...plain, headers });
const typed = (type: string): Reply => ({ type, body: text });

const REPLIES: Readonly<Record<string, () => Reply>> = {
  text: () => plain,
  html: () => typed('text/html'),
  json: () => ({ body: { text } }),
  csl: () => typed('application/vnd.citationstyles.csl+json'),
  atom: () => typed('application/atom+xml; charset=utf-8'),
  svg: () => typed('image/svg+xml'),
  ndjson: () => typed('application/x-ndjson'),
  bibtex: () => typed('application/x-bibtex'),
  ris: () => typed('application/x-research-info-systems'),
  nbib: () => typed('application/nbib'),
  picture: () => typed('image/webp'),
  bytes: () => typed('application/octet-stream'),
  small: () => ({ ...plain, body: words(1_023) }),
  large: () => ({ type: 'application/json', body: large }),
  tagged: () => withHeaders({ ETag: '"abc"' }),
  weak: () => withHeaders({ ETag: 'W/"abc"' }),
  unchanged: () => ({ status: 304, type: 'text/plain', headers: { ETag: '"abc"' } }),
  nothing: () => ({ status: 204, type: 'text/plain' }),
  part: () => ({ ...withHeaders({ 'Content-Range': 'bytes 0-4999/9000' }), status: 206 }),
  packed: () => withHeaders({ 'Content-Encoding': 'x-of-its-own' }),
  'not-to-transform': () => withHeaders({ 'Cache-Control': 'public, No-Transform', ETag: '"abc"' }),
  'not-to-store': () => withHeaders({ 'Cache-Control': 'private, no-store' }),
  varies: () => withHeaders({ Vary: 'Accept' }),
  events: () => ({
    type: 'text/event-stream',
    body: Readable.from(events()),
    headers: { 'Cache-Control': 'no-cache' },
  }),
  export: () => ({ type: 'text/csv', body: rows(200) }),
  endless: () => ({ type: 'text/csv', body: rows(1_000_000) }),
};

const probe = (name: string, reply: () => Reply, more: Partial<Route> = {}): Route =>
  defineRoute({
    id: `probe.${name}`,
    method: 'GET',
    path: `/api/probe/${name}`,
    summary: '',
    tag: '',
    access: 'public' as Access,
    request: {},
    replies: [],
    raises: [],
    handle: async () => reply(),
    ...more,
  });

const probes = definePlugin({
  name: 'probes',
  summary: 'answers of every kind',
  dependencies: [],
  routes: [
    ...Object.entries(REPLIES).map(([name, reply]) => probe(name, reply)),
    probe('limited', () => plain, { access: 'limited' }),
    probe('admin', () => plain, { access: 'admin' }),
    probe('device', () => plain, { device: 'read' }),
  ],
  start: () => undefined,
});

const BR = { 'Accept-Encoding': 'gzip, deflate, br' };

describe('compression of live responses', () => {
  let service: SharedService;
  let server: Server;
  let url: string;
  before(async () => {
    service = await sharedService();
    const runtime = { ...service.runtime, plugins: [probes], gatekeeper: null, contextOf: () => ({}) as never };
    server = createServer(createApp(runtime).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/probe`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const get = (name: string, headers: Record<string, string> = BR, method = 'GET') =>
    rawRequest(`${url}/${name}`, { headers, method });

  it('uses the encoding that the client accepts and sends Vary: Accept-Encoding', async () => {
    for (const [accepted, sent, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0.5, gzip', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync],
      ['gzip;q=0', undefined, (body: Buffer) => body],
      ['identity', undefined, (body: Buffer) => body],
      ['zstd', undefined, (body: Buffer) => body],
      ['', undefined, (body: Buffer) => body],
    ] as const) {
      const reply = await get('text', { 'Accept-Encoding': accepted });
      assert.equal(reply.headers['content-encoding'], sent, accepted);
      assert.equal(reply.headers.vary, 'Accept-Encoding', accepted);
      assert.equal(reply.headers['content-length'], String(reply.body.length));
      assert.equal(reply.headers['content-type'], 'text/plain; charset=utf-8');
      assert.ok(decode(reply.body).equals(Buffer.from(text)), accepted);
      assert.equal(reply.body.length < 500, sent !== undefined);
    }
  });

  it('applies to every text type', async () => {
    for (const name of ['html', 'json', 'csl', 'atom', 'svg', 'ndjson', 'bibtex', 'ris', 'nbib'])
      assert.equal((await get(name)).headers['content-encoding'], 'br', name);
  });

  it('preserves large responses, which are compressed in another thread', async () => {
    assert.ok(brotliDecompressSync((await get('large')).body).equals(Buffer.from(large)));
    assert.ok(gunzipSync((await get('large', { 'Accept-Encoding': 'gzip' })).body).equals(Buffer.from(large)));
  });

  it('does not apply below one kilobyte', async () => {
    const reply = await get('small');
    assert.equal(reply.headers['content-encoding'], undefined);
    assert.equal(reply.body.toString(), words(1_023));
  });

  it('does not apply to binary, already encoded, partial or no-transform responses', async () => {
    for (const name of ['picture', 'bytes', 'packed', 'part', 'not-to-transform']) {
      const reply = await get(name);
      assert.equal(reply.headers['content-encoding'], name === 'packed' ? 'x-of-its-own' : undefined, name);
      assert.equal(reply.headers.vary, undefined, name);
      assert.ok(reply.body.equals(Buffer.from(text)), name);
    }
    assert.equal((await get('not-to-transform')).headers.etag, '"abc"');
  });

  it('does not add a body or an encoding to an empty response', async () => {
    const reply = await get('nothing');
    assert.deepEqual([reply.status, reply.headers['content-encoding'], reply.body.length], [204, undefined, 0]);
  });

  it('sends the same weak ETag in every encoding and in a 304, which has no encoding', async () => {
    for (const accepted of ['br', 'gzip', 'identity'])
      for (const name of ['tagged', 'weak', 'unchanged']) {
        const reply = await get(name, { 'Accept-Encoding': accepted });
        assert.equal(reply.headers.etag, 'W/"abc"', `${name} ${accepted}`);
        assert.equal(reply.headers.vary, 'Accept-Encoding');
        if (name === 'unchanged')
          assert.deepEqual([reply.status, reply.headers['content-encoding'], reply.body.length], [304, undefined, 0]);
      }
  });

  it('answers a request with that ETag with 304', async () => {
    for (const path of ['/changes.atom', '/disclaimer.md', '/graph-data']) {
      const first = await rawRequest(service.url + path, { headers: BR });
      assert.match(first.headers['content-encoding'] ?? '', /^(br|gzip)$/, path);
      const etag = first.headers.etag ?? '';
      assert.match(etag, /^W\/"/, path);
      const again = await rawRequest(service.url + path, { headers: { ...BR, 'If-None-Match': etag } });
      assert.deepEqual([again.status, again.headers.etag, again.body.length], [304, etag, 0], path);
      assert.equal(again.headers.vary, 'Accept-Encoding', path);
    }
  });

  it('appends to an existing Vary header', async () => {
    assert.equal((await get('varies')).headers.vary, 'Accept, Accept-Encoding');
  });

  it('sends the headers of GET for HEAD', async () => {
    for (const name of ['text', 'large', 'small', 'export']) {
      const [whole, head] = [await get(name), await get(name, BR, 'HEAD')];
      assert.equal(head.body.length, 0, name);
      for (const header of ['content-encoding', 'content-length', 'content-type', 'vary', 'etag'])
        assert.equal(head.headers[header], whole.headers[header], `${name} ${header}`);
    }
  });

  describe('of streams', () => {
    const open = async (name: string, headers: Record<string, string> = BR): Promise<IncomingMessage> => {
      const sent = request(`${url}/${name}`, { headers });
      sent.on('error', () => undefined).end();
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      reply.on('error', () => undefined);
      return reply;
    };
    const settled = async (is: () => boolean): Promise<void> => {
      for (let times = 0; times < 200 && !is(); times += 1) await sleep(10);
      assert.ok(is());
    };

    it('sends the whole stream', async () => {
      const reply = await get('export');
      assert.deepEqual([reply.headers['content-encoding'], reply.headers['content-length']], ['br', undefined]);
      assert.equal(brotliDecompressSync(reply.body).toString().split('\n').length, 201);
      assert.equal(source.destroyed, true);
    });

    it('waits for a slow reader', async () => {
      const reply = await open('endless');
      reply.pause();
      let before = -1;
      while (source.given !== before) {
        before = source.given;
        await sleep(150);
      }
      assert.ok(before < 10_000, `${before} of a million rows were read for somebody who reads none`);
      reply.destroy();
      await settled(() => source.destroyed);
    });

    it('destroys the source when the reader disconnects', async () => {
      const reply = await open('endless');
      await once(reply.pipe(createBrotliDecompress()), 'data');
      assert.equal(source.destroyed, false);
      reply.destroy();
      await settled(() => source.destroyed);
      const { given } = source;
      await sleep(30);
      assert.equal(source.given, given);
    });

    it('aborts the response when its source fails, at once or partway, so that it is never complete', async () => {
      for (const failAt of [0, 150]) {
        source.failAt = failAt;
        const reply = await open('export').catch(() => null);
        if (reply) {
          await new Promise((resolve) => reply.on('close', resolve).resume());
          assert.equal(reply.complete, false, `at ${failAt}`);
        }
        await settled(() => source.destroyed);
      }
      source.failAt = Number.POSITIVE_INFINITY;
    });

    it('does not read the stream for HEAD', async () => {
      const reply = await get('endless', BR, 'HEAD');
      assert.deepEqual([reply.status, reply.headers['content-encoding']], [200, 'br']);
      await settled(() => source.destroyed);
      assert.equal(source.given, 0);
    });

    it('sends events as they arrive, uncompressed', async () => {
      more = Promise.withResolvers();
      const reply = await open('events');
      const [chunk] = await once(reply, 'data');
      assert.equal(String(chunk), 'data: first\n\n');
      assert.deepEqual([reply.headers['content-encoding'], reply.headers.vary], [undefined, undefined]);
      more.resolve();
      reply.resume();
      await once(reply, 'end');
    });
  });

  describe('of responses that may contain secrets', () => {
    const ask = (path: string, { headers = {}, ...options }: Parameters<typeof rawRequest>[1] = {}) =>
      rawRequest(service.url + path, {
        ...options,
        headers: { ...BR, Authorization: `Bearer ${service.admin.key}`, ...headers },
      });
    const json = { 'Content-Type': 'application/json' };

    it('does not apply to no-store, device or admin responses', async () => {
      for (const name of ['not-to-store', 'device', 'admin']) {
        const reply = await get(name);
        assert.equal(reply.headers['content-encoding'], undefined, name);
        assert.ok(reply.body.equals(Buffer.from(text)), name);
      }
    });

    it('does not apply to a new key or the details of a key', async () => {
      const scopes = Array(50).fill('interactions');
      const body = JSON.stringify({ name: 'mine', is_admin: true, scopes });
      const made = await ask('/api/keys', { method: 'POST', headers: json, body });
      assert.deepEqual([made.status, made.headers['content-encoding']], [200, undefined]);
      assert.ok(made.body.length > 1_024);
      const { id, key } = JSON.parse(made.body.toString());
      const told = await ask('/api/keys/me', { headers: { Authorization: `Bearer ${key}` } });
      assert.deepEqual([told.status, told.headers['content-encoding']], [200, undefined]);
      assert.ok(told.body.length > 1_024);
      const next = await ask(`/api/keys/${id}/rotate`, { method: 'POST', headers: { 'Idempotency-Key': id } });
      assert.deepEqual([next.status, next.headers['content-encoding']], [200, undefined]);
      const again = await ask(`/api/keys/${id}/rotate`, { method: 'POST', headers: { 'Idempotency-Key': id } });
      assert.deepEqual([again.headers['idempotency-replayed'], again.headers['content-encoding']], ['true', undefined]);
      assert.ok(again.body.equals(next.body) && next.body.length > 1_024);
      const gone = await ask(`/api/keys/${id}/deactivate`, { method: 'POST' });
      assert.deepEqual([gone.status, gone.headers['content-encoding']], [200, undefined]);
    });

    it('does not apply to a sandbox key, as JSON or as a page', async () => {
      const send = (type: string, body: string) =>
        api(service)
          .post('/developers/sandbox')
          .set({
            'Accept-Encoding': 'br',
            'Content-Type': type,
            Accept: type === 'application/json' ? type : 'text/html',
          })
          .set('X-Forwarded-For', '10.66.66.66')
          .send(body)
          .expect(200);
      for (const reply of [
        await send('application/json', JSON.stringify({ app_name: 'a'.repeat(100), accept_terms: true })),
        await send('application/x-www-form-urlencoded', 'app_name=tried&accept_terms=true'),
      ]) {
        assert.equal(reply.headers['cache-control'], 'no-store');
        assert.equal(reply.headers['content-encoding'], undefined);
        assert.match(reply.text, /ekb_test_/);
      }
    });

    it('does not apply to a page that repeats a reader’s input', async () => {
      const page = await ask('/chat?seed=does+zinc+help');
      assert.equal(page.headers['cache-control'], 'no-store');
      assert.deepEqual([page.status, page.headers['content-encoding']], [200, undefined]);
    });

    it('applies to private responses to a key that contain no secret', async () => {
      const found = await ask('/v1/evidence/search?q=zinc+common+cold');
      assert.deepEqual([found.status, found.headers['content-encoding']], [200, 'br']);
      assert.equal(found.headers['cache-control'], 'private, no-store');
      assert.ok(JSON.parse(brotliDecompressSync(found.body).toString()).results.length > 0);
      assert.equal((await get('limited')).headers['content-encoding'], 'br');
    });

    it('does not apply to any route that can return a key, a token or a secret', () => {
      const names = (schema: unknown): string[] =>
        schema && typeof schema === 'object'
          ? Object.entries(schema).flatMap(([name, inner]) => [
              ...(name === 'properties' ? Object.keys(inner) : []),
              ...names(inner),
            ])
          : [];
      // The public key that verifies snapshot signatures is not secret.
      const isSecret = (name: string): boolean => name !== 'signing_key' && /(^|_)(key|token|secret)$/.test(name);
      const tells = ({ replies }: Route): boolean =>
        replies.some(({ schema }) => names(schema as TSchema).some(isSecret));
      const routes = service.runtime.plugins.flatMap((plugin) => (plugin.routes ?? []) as readonly Route[]);
      const telling = routes.filter(tells);
      assert.ok(telling.some(({ id }) => id === 'keys.create'));
      assert.deepEqual(
        telling.filter(({ access, device }) => access !== 'admin' && !device).map(({ id }) => id),
        ['keys.rotate', 'developers.sandbox'],
        'a route for others must send no-store itself, and be tried above',
      );
    });
  });

  describe('of this service', () => {
    it('preserves pages, JSON and exports in every encoding', async () => {
      const authorization = { Authorization: `Bearer ${service.admin.key}` };
      for (const path of [
        '/search?q=zinc',
        '/supplements/zinc?a',
        '/openapi.json',
        '/api/supplements',
        '/api/sources?page_size=20',
        '/api/export/csv',
        '/api/export/bibtex',
      ]) {
        const form = (accepted: string) =>
          rawRequest(service.url + path, { headers: { ...authorization, 'Accept-Encoding': accepted } });
        const [identity, br, gzip] = [await form('identity'), await form('br'), await form('gzip')];
        assert.equal(identity.status, 200, path);
        assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip'], path);
        assert.ok(br.body.length < identity.body.length / 2, `${path}: ${br.body.length} of ${identity.body.length}`);
        assert.ok(brotliDecompressSync(br.body).equals(identity.body), path);
        assert.ok(gunzipSync(gzip.body).equals(identity.body), path);
      }
    });
  });
});
