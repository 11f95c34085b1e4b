/** Tests published pages over real sockets, with a stand-in for the app. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { rm, truncate } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createHttpServer } from '#core/http/http-server.ts';
import { createPublishedSite, type PublishedSite } from '#core/http/published-site.ts';
import { createRequestCounts } from '#core/http/request-counts.ts';
import { createLog } from '#core/log.ts';
import { openSite } from '#core/site/site-reader.ts';
import { rawExchange, rawRequest } from '../../support/raw-http.ts';
import { newDataDir } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { publishMade } from '../site/support.ts';

const small = `<!doctype html><title>small</title>${'<p>Evidence.</p>'.repeat(100)}`;
const large = `<!doctype html><title>large</title>${Array.from({ length: 4000 }, (_, at) => `<p>Trial ${at}: é</p>`).join('')}`;
const modified = new Date('2026-03-04T05:06:07.890Z');
const files = [
  { path: '/', text: 'home', modified, plain: true },
  { path: '/small', text: small, modified },
  { path: '/large', text: large, modified },
  { path: '/assets/site.0123456789.css', text: 'body{color:teal}', type: 'text/css; charset=utf-8' },
];

describe('HTTP server', () => {
  let siteDir: string;
  let site: PublishedSite;
  let url: string;
  let front: ReturnType<typeof createHttpServer>;
  let lines: string[];
  const counts = createRequestCounts();
  const published = (): number =>
    counts
      .families()
      .find(({ name }) => name === 'http_published_answers_total')
      ?.samples.find(({ labels }) => labels?.status === '2xx')?.value ?? 0;

  before(async () => {
    siteDir = join(await newDataDir(), 'site');
    await publishMade(siteDir, 'b000001', files);
    lines = [];
    const log = createLog('info', (line) => lines.push(line));
    site = createPublishedSite(await openSite(siteDir), { plugins: [], log });
    front = createHttpServer({ site, log, counts }, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.setHeader('Content-Type', 'text/plain');
      response.end(`app: ${request.method} ${request.url} ${Buffer.concat(chunks)}`);
    });
    front.server.listen(0, '127.0.0.1');
    await once(front.server, 'listening');
    url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
  });
  it('returns 400 for two Host headers or an invalid one, on published pages and in the app', async () => {
    const ask = (path: string, hosts: string) =>
      rawExchange(url, `GET ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    for (const path of ['/small', '/elsewhere'])
      for (const hosts of [
        'Host: a\r\nHost: b\r\n',
        'Host: a\r\nhost: a\r\n',
        'Host: a\r\nHost:\r\n',
        'Host: a/b\r\n',
        'Host: a, b c\r\n',
        'Host: user@a\r\n',
      ])
        assert.match(await ask(path, hosts), /^HTTP\/1\.1 400 /, `${path} ${hosts}`);
    for (const host of ['a', 'a.test:8080', '127.0.0.1', '[::1]:80', ''])
      assert.match(await ask('/elsewhere', `Host: ${host}\r\n`), /^HTTP\/1\.1 200 /, host);
  });

  after(async () => {
    front.endIdle();
    front.server.closeAllConnections();
    front.server.close();
    await site.close();
    await rm(join(siteDir, '..'), { recursive: true });
  });

  /** The tests run twice: node:http takes over the connection of a request with an unusual header, here TE. */
  const ways = [
    { name: 'in the express lane', headers: {} },
    { name: 'by node:http', headers: { TE: 'trailers' } },
  ];

  for (const way of ways) {
    describe(way.name, () => {
      const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
        rawRequest(`${url}${path}`, { headers: { ...way.headers, ...headers }, method });

      for (const [path, text] of [
        ['/small', small],
        ['/large', large],
      ] as const) {
        it(`sends ${path} in each encoding, each with its own strong ETag`, async () => {
          const tags = new Set<string>();
          for (const [accepted, sent, decode] of [
            ['', undefined, (body: Buffer) => body],
            ['gzip', 'gzip', gunzipSync],
            ['br, gzip', 'br', brotliDecompressSync],
          ] as const) {
            const reply = await get(path, accepted ? { 'Accept-Encoding': accepted } : {});
            assert.equal(reply.status, 200);
            assert.ok(decode(reply.body).equals(Buffer.from(text)));
            assert.equal(reply.headers['content-encoding'], sent);
            assert.equal(reply.headers['content-length'], String(reply.body.length));
            assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8');
            assert.equal(reply.headers.vary, 'Accept-Encoding');
            assert.equal(reply.headers['last-modified'], 'Wed, 04 Mar 2026 05:06:07 GMT');
            assert.match(reply.headers.etag ?? '', /^"[\w-]+"$/);
            tags.add(reply.headers.etag ?? '');
          }
          assert.equal(tags.size, 3);
        });
      }

      for (const [accepted, sent] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['br;q=0.5, gzip', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
        ['*', 'br'],
        ['*;q=0', undefined],
        ['gzip;q=0, *', 'br'],
        ['identity, br;q=0.5', undefined],
        ['identity;q=0', undefined],
        ['identity;q=0, gzip', 'gzip'],
        ['deflate', undefined],
        ['BR', 'br'],
        ['x-gzip', 'gzip'],
        ['br;q=2, gzip;q=0.1', 'gzip'],
        [';;,=', undefined],
      ] as const)
        it(`answers Accept-Encoding: ${accepted} with ${sent ?? 'the plain form'}`, async () => {
          assert.equal((await get('/small', { 'Accept-Encoding': accepted })).headers['content-encoding'], sent);
        });

      it('lets caches store a page for a minute and an asset for a year', async () => {
        assert.match(
          (await get('/small')).headers['cache-control'] ?? '',
          /^public, max-age=60, stale-while-revalidate/,
        );
        const asset = await get('/assets/site.0123456789.css');
        assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
        assert.equal(asset.headers['content-type'], 'text/css; charset=utf-8');
      });

      it('sends security headers and a request id', async () => {
        const { headers } = await get('/small');
        assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'$/);
        assert.equal(headers['x-content-type-options'], 'nosniff');
        assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
        assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
        assert.match(String(headers['permissions-policy']), /camera=\(\)/);
        assert.match(String(headers['x-request-id']), /^req_[0-9a-z]{24}$/);
        assert.ok(Math.abs(Date.parse(headers.date ?? '') - Date.now()) < 3_000);
      });

      it('returns 304 to a client that has this representation', async () => {
        for (const encoding of ['identity', 'gzip', 'br']) {
          const { etag = '', ...first } = (await get('/small', { 'Accept-Encoding': encoding })).headers;
          for (const condition of [
            { 'If-None-Match': etag },
            { 'If-None-Match': `W/${etag}` },
            { 'If-None-Match': `"other", ${etag}` },
            { 'If-None-Match': '*' },
            { 'If-Modified-Since': first['last-modified'] ?? '' },
            { 'If-Modified-Since': 'Fri, 01 Jan 2027 00:00:00 GMT' },
            { 'If-None-Match': etag, 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
          ] as Record<string, string>[]) {
            const reply = await get('/small', { 'Accept-Encoding': encoding, ...condition });
            assert.deepEqual([reply.status, reply.body.length], [304, 0], JSON.stringify(condition));
            assert.equal(reply.headers.etag, etag);
            assert.equal(reply.headers['cache-control'], first['cache-control']);
            assert.equal(reply.headers.vary, 'Accept-Encoding');
            assert.equal(reply.headers['content-length'], undefined);
          }
        }
      });

      it('returns 200 to a client that has another page or another encoding', async () => {
        const { etag = '' } = (await get('/small', { 'Accept-Encoding': 'br' })).headers;
        for (const condition of [
          { 'If-None-Match': '"other"' },
          { 'If-None-Match': etag },
          { 'If-None-Match': etag.slice(1, -1) },
          { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
          { 'If-Modified-Since': 'a while ago' },
          { 'If-None-Match': '"other"', 'If-Modified-Since': 'Fri, 01 Jan 2027 00:00:00 GMT' },
        ] as Record<string, string>[])
          assert.equal((await get('/small', { 'Accept-Encoding': 'gzip', ...condition })).status, 200);
      });

      it('returns 412 when If-Match or If-Unmodified-Since fails', async () => {
        const { etag = '' } = (await get('/small')).headers;
        for (const [condition, status] of [
          [{ 'If-Match': '"other"' }, 412],
          [{ 'If-Match': `W/${etag}` }, 412],
          [{ 'If-Match': etag }, 200],
          [{ 'If-Match': '*' }, 200],
          [{ 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412],
          [{ 'If-Unmodified-Since': 'Fri, 01 Jan 2027 00:00:00 GMT' }, 200],
        ] as [Record<string, string>, number][])
          assert.equal((await get('/small', condition)).status, status, JSON.stringify(condition));
      });

      it('answers HEAD with the headers of the page and no body', async () => {
        const whole = await get('/large', { 'Accept-Encoding': 'gzip' });
        const head = await get('/large', { 'Accept-Encoding': 'gzip' }, 'HEAD');
        const unlike = ['x-request-id', 'date', 'connection', 'keep-alive'];
        const plain = (headers: object) => Object.entries(headers).filter(([name]) => !unlike.includes(name));
        assert.deepEqual([head.status, head.body.length], [200, 0]);
        assert.deepEqual(plain(head.headers), plain(whole.headers));
      });

      it('returns the requested range of the uncompressed page', async () => {
        const bytes = Buffer.from(large);
        for (const [range, from, to] of [
          ['bytes=0-0', 0, 1],
          ['bytes=10-99', 10, 100],
          ['bytes=100-', 100, bytes.length],
          ['bytes=-50', bytes.length - 50, bytes.length],
          ['bytes=5-99999999', 5, bytes.length],
          ['bytes=-99999999', 0, bytes.length],
        ] as const) {
          const reply = await get('/large', { Range: range });
          assert.equal(reply.status, 206, range);
          assert.ok(reply.body.equals(bytes.subarray(from, to)), range);
          assert.equal(reply.headers['content-range'], `bytes ${from}-${to - 1}/${bytes.length}`);
          assert.equal(reply.headers['content-length'], String(to - from));
        }
      });

      it('returns the whole page when the range is invalid or does not apply', async () => {
        const { etag = '' } = (await get('/large')).headers;
        for (const headers of [
          { Range: 'bytes=0-1,4-5' },
          { Range: 'bytes=9-2' },
          { Range: 'bytes=-' },
          { Range: 'lines=0-1' },
          { Range: 'bytes=0-1', 'Accept-Encoding': 'br' },
          { Range: 'bytes=0-1', 'If-Range': '"other"' },
          { Range: 'bytes=0-1', 'If-Range': `W/${etag}` },
          { Range: 'bytes=0-1', 'If-Range': 'Thu, 01 Jan 1970 00:00:00 GMT' },
        ] as Record<string, string>[])
          assert.equal((await get('/large', headers)).status, 200, JSON.stringify(headers));
        assert.equal((await get('/large', { Range: 'bytes=0-1' }, 'HEAD')).status, 200);
        assert.equal((await get('/large', { Range: 'bytes=0-1', 'If-Range': etag })).status, 206);
      });

      it('returns 416 for a range beyond the end', async () => {
        for (const range of ['bytes=99999999-', 'bytes=-0']) {
          const reply = await get('/large', { Range: range });
          assert.equal(reply.status, 416);
          assert.equal(reply.headers['content-range'], `bytes */${Buffer.byteLength(large)}`);
          assert.equal(reply.body.length, 0);
        }
      });

      it('passes every request to the app unless its path is exactly that of a page', async () => {
        for (const path of [
          '/?',
          '/small?a=1',
          '/small/',
          '//small',
          '/./small',
          '/sm%61ll',
          '/small%00',
          '/a/../small',
          '/%2e%2e/current',
          '/..%2f..%2fapp-secret',
          '/builds/b000001/index',
          '/packs/b000001-0.pack',
          '/current',
          '/Small',
          '/constructor',
          `/${'x'.repeat(2_000)}`,
        ])
          assert.match((await rawRequest(url, { path, headers: way.headers })).body.toString(), /^app: GET /, path);
        for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
          assert.match((await get('/small', {}, method)).body.toString(), new RegExp(`^app: ${method} /small`));
      });
    });
  }

  const exchange = (...requests: string[]): Promise<string> => rawExchange(url, requests.join(''));
  const plain = 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n';
  const last = 'GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const statusesIn = (text: string): string[] =>
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);

  it('answers pipelined requests in order, whether the app or the server answers them', async () => {
    const other = 'GET /small?a HTTP/1.1\r\nHost: x\r\n\r\n';
    const text = await exchange(plain, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n', plain, other, plain, last);
    assert.deepEqual(statusesIn(text), ['200', '200', '200', '200', '200', '200']);
    assert.ok(text.indexOf('<title>large') < text.indexOf('app: GET /small?a'));
    assert.equal(text.split('<title>small').length, 5);
  });

  it('passes a complete body to the app, whatever request came before it', async () => {
    const body = 'x'.repeat(100_000);
    const text = await exchange(
      plain,
      `POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      last,
    );
    assert.equal(statusesIn(text).length, 3);
    assert.ok(text.includes(`app: POST /small ${body}`));
  });

  it('accepts request headers that arrive in pieces', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const closed = once(socket, 'close');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    for (const piece of [plain, 'GET /sm', 'all HTTP/1.1\r\nHo', 'st: x\r\n\r', '\n', last]) {
      socket.write(piece);
      await sleep(10);
    }
    await closed;
    assert.deepEqual(statusesIn(text), ['200', '200', '200']);
  });

  it('leaves malformed requests to node:http', async () => {
    for (const wrong of [
      'GET /small HTTP/1.1\r\n\r\n',
      'GET /small HTTP/1.1\r\nHost : x\r\n\r\n',
      'GET /small HTTP/1.1\r\nHost: x\r\nX: a\nb: c\r\n\r\n',
      'GET /small HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      `GET /small HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n`,
      'GET /small HTTP/3.0\r\nHost: x\r\n\r\n',
      'EHLO x\r\n\r\n',
    ])
      assert.deepEqual(statusesIn(await exchange(wrong)), ['400'], JSON.stringify(wrong));
    assert.deepEqual(statusesIn(await exchange(`GET /small HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)), [
      '431',
    ]);
  });

  it('answers an HTTP/1.0 client and closes the connection', async () => {
    const text = await exchange('GET /small HTTP/1.0\r\n\r\n');
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*<title>small/);
  });

  it('passes a request target with a scheme to the app', async () => {
    assert.ok(
      (await exchange('GET http://x/small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).includes(
        'app: GET http://x/small',
      ),
    );
  });

  it('answers a thousand pipelined requests of a slow client within a memory limit', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000) + last);
    await sleep(100);
    assert.ok(process.memoryUsage().arrayBuffers < 300_000_000);
    let bytes = 0;
    for await (const chunk of socket) bytes += (chunk as Buffer).length;
    assert.ok(bytes > 1000 * Buffer.byteLength(large));
  });

  it('closes idle connections when it stops, and others after their response', async () => {
    const log = createLog('silent');
    const another = createHttpServer({ site, log, counts }, (_, response) => response.end());
    another.server.listen(0, '127.0.0.1');
    await once(another.server, 'listening');
    const sockets = [1, 2].map(() => connect((another.server.address() as AddressInfo).port, '127.0.0.1'));
    for (const socket of sockets) await once(socket, 'connect');
    const closed = sockets.map((socket) => once(socket, 'close'));
    const texts = sockets.map((socket) => {
      const chunks: string[] = [];
      socket.on('data', (chunk) => chunks.push(String(chunk)));
      return chunks;
    });
    sockets[0]?.write(plain);
    await sleep(50);
    sockets[1]?.write(plain);
    await sleep(20);
    another.endIdle();
    const ended = once(another.server, 'close');
    another.server.close();
    await Promise.all([...closed, ended]);
    for (const chunks of texts) assert.deepEqual(statusesIn(chunks.join('')), ['200']);
  });

  it('lets a client that was answered early send for a limited time', async () => {
    const log = createLog('silent');
    const hasty = createHttpServer(
      { site, log, counts },
      (_, response) => response.writeHead(413).end('too large'),
      150,
    );
    hasty.server.listen(0, '127.0.0.1');
    await once(hasty.server, 'listening');
    try {
      const startedAt = performance.now();
      const socket = connect((hasty.server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nfirst');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 413 /);
      socket.write('more');
      await once(socket, 'close');
      assert.ok(performance.now() - startedAt > 140);
    } finally {
      hasty.endIdle();
      hasty.server.closeAllConnections();
      hasty.server.close();
    }
  });

  it('survives clients that disconnect during a response', async () => {
    for (let round = 0; round < 20; round += 1) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
      await sleep(round % 3);
      socket.resetAndDestroy();
    }
    assert.equal((await rawRequest(`${url}/small`)).status, 200);
  });

  it('reads the rest of refused bodies from a few connections at a time', async () => {
    const requests: IncomingMessage[] = [];
    const refusing = createHttpServer(
      { site, log: createLog('silent', () => undefined), counts },
      (request, response) => {
        requests.push(request);
        response.writeHead(429).end();
      },
    );
    refusing.server.listen(0, '127.0.0.1');
    await once(refusing.server, 'listening');
    const { port } = refusing.server.address() as AddressInfo;
    const clients = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'));
    try {
      const answered = clients.map((client) => once(client, 'data'));
      for (const client of clients)
        client.write(`POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(500)}`);
      for (const [reply] of await Promise.all(answered)) assert.match(String(reply), /^HTTP\/1\.1 429 /);
      const flowing = () => requests.filter((request) => !request.isPaused() && !request.closed).length;
      await until(() => flowing() === 8);
      // As bodies end, the next ones are read, until none is left.
      for (const client of clients) client.write('x'.repeat(500));
      await until(() => requests.every(({ complete }) => complete));
    } finally {
      for (const client of clients) client.destroy();
      refusing.server.close();
    }
  });

  it('logs one line per request, without its path, and counts the requests', async () => {
    lines.length = 0;
    const before = published();
    const ids = [];
    for (const headers of [{}, { TE: 'trailers' }])
      ids.push((await rawRequest(`${url}/small`, { headers })).headers['x-request-id']);
    const told = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      told.map(({ request_id }) => request_id),
      ids,
    );
    for (const { time, ms, request_id, ...line } of told) {
      assert.deepEqual(line, { level: 'info', event: 'request', method: 'GET', route: '(published)', status: 200 });
      assert.ok(Date.parse(time) && typeof ms === 'number');
    }
    assert.equal(published() - before, 2);
  });

  describe('after another build is published', () => {
    it('serves the next build within a second, with the same ETag for unchanged pages and without removed ones', async () => {
      const kept = (await rawRequest(`${url}/small`)).headers.etag;
      await publishMade(siteDir, 'b000002', [
        { path: '/', text: 'another home', modified, plain: true },
        { path: '/small', text: small, modified },
      ]);
      await until(async () => (await rawRequest(url)).body.toString() === 'another home');
      assert.equal((await rawRequest(`${url}/small`)).headers.etag, kept);
      assert.match((await rawRequest(`${url}/large`)).body.toString(), /^app: /);
    });

    it('lets the app render a page that cannot be read, and logs a warning', async () => {
      await publishMade(siteDir, 'b000003', [
        { path: '/torn', text: small, plain: true },
        { path: '/torn-too', text: small, plain: true },
        { path: '/whole', text: small, plain: true },
      ]);
      await until(async () => (await rawRequest(`${url}/whole`)).body.toString() === small);
      await truncate(join(siteDir, 'packs', 'b000003-0.pack'), 10);
      lines.length = 0;
      assert.equal((await rawRequest(`${url}/torn`)).body.toString(), 'app: GET /torn ');
      assert.equal(
        (await rawRequest(`${url}/torn-too`, { headers: { TE: 'trailers' } })).body.toString(),
        'app: GET /torn-too ',
      );
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)).map(({ level, event }) => [level, event]),
        [
          ['warn', 'published_page_unreadable'],
          ['warn', 'published_page_unreadable'],
        ],
      );
    });
  });
});
