import { strict as assert } from 'node:assert';
import { rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fileOf } from '#core/http/published-site.ts';
import { publish, writePage } from '#generate/write.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const page = (name: string): string => `<!doctype html><title>${name}</title>${'<p>Evidence.</p>'.repeat(200)}`;
const robots = 'User-agent: *\n';

describe('the published site', () => {
  let service: SharedService;
  const build = async (name: string, html = page(name)): Promise<void> => {
    const siteDir = join(service.dataDir, 'site');
    await writePage(join(siteDir, 'builds', name), 'index.html', html);
    await writePage(join(siteDir, 'builds', name), 'robots.txt', robots);
    await writePage(join(siteDir, 'builds', name), 'sitemap.xml', '<urlset/>');
    await publish(siteDir, name);
  };
  before(async () => {
    service = await sharedService();
    await build('b000001');
  });
  after(() => rm(join(service.dataDir, 'site'), { recursive: true }));

  const get = (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
    rawRequest(`${service.url}${path}`, { headers, method });

  it('serves a page as it was written, with its validators', async () => {
    const reply = await get('/');
    assert.equal(reply.status, 200);
    assert.equal(reply.body.toString(), page('b000001'));
    assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(reply.headers['content-encoding'], undefined);
    assert.equal(reply.headers['cache-control'], 'public, max-age=60');
    assert.equal(reply.headers.vary, 'Accept-Encoding');
    assert.match(reply.headers.etag ?? '', /^W\/"[^"]+"$/);
    assert.ok(!Number.isNaN(Date.parse(reply.headers['last-modified'] ?? '')));
  });

  for (const [accepted, sent, decode] of [
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
    ['deflate', undefined, (body: Buffer) => body],
    ['gzip;q=0', undefined, (body: Buffer) => body],
  ] as const) {
    it(`answers Accept-Encoding: ${accepted} with ${sent ?? 'the plain page'}`, async () => {
      const reply = await get('/', { 'Accept-Encoding': accepted });
      assert.equal(reply.headers['content-encoding'], sent);
      assert.equal(Number(reply.headers['content-length']), reply.body.length);
      assert.equal(decode(reply.body).toString(), page('b000001'));
    });
  }

  it('answers 304 to a client that has the page, in whatever encoding', async () => {
    const first = await get('/', { 'Accept-Encoding': 'br' });
    for (const headers of [
      { 'If-None-Match': first.headers.etag ?? '' },
      { 'If-None-Match': `"other", ${first.headers.etag}`, 'Accept-Encoding': 'gzip' },
      { 'If-Modified-Since': first.headers['last-modified'] ?? '' },
    ]) {
      const reply = await get('/', headers);
      assert.equal(reply.status, 304);
      assert.equal(reply.body.length, 0);
      assert.equal(reply.headers.etag, first.headers.etag);
      assert.equal(reply.headers.vary, 'Accept-Encoding');
    }
  });

  it('sends the page to a client that has another one', async () => {
    for (const headers of [
      { 'If-None-Match': '"other"' },
      { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      { 'If-None-Match': '"other"', 'If-Modified-Since': new Date(Date.now() + 86_400_000).toUTCString() },
    ]) {
      assert.equal((await get('/', headers)).status, 200, JSON.stringify(headers));
    }
  });

  it('answers HEAD with the headers of the page alone', async () => {
    const reply = await get('/', { 'Accept-Encoding': 'gzip' }, 'HEAD');
    assert.equal(reply.status, 200);
    assert.equal(reply.body.length, 0);
    assert.equal(reply.headers['content-encoding'], 'gzip');
    assert.ok(Number(reply.headers['content-length']) > 0);
  });

  it('serves robots.txt and sitemaps in their own types', async () => {
    const text = await get('/robots.txt');
    assert.equal(text.headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(text.body.toString(), robots);
    assert.equal((await get('/sitemap.xml')).headers['content-type'], 'application/xml; charset=utf-8');
    assert.equal((await get('/sitemap-products-0.xml')).status, 404);
  });

  it('makes a page with a query live, for the published one answers no query', async () => {
    const reply = await get('/?utm_source=mail');
    assert.equal(reply.status, 200);
    assert.ok(!reply.body.toString().includes('b000001'));
  });

  it('has a file for plain addresses only', () => {
    assert.equal(fileOf('/'), 'index.html');
    assert.equal(fileOf('/supplements/vitamin-d'), 'supplements/vitamin-d.html');
    for (const odd of [
      '/..',
      '/a/../b',
      '/.env',
      '/a//b',
      '/a/',
      '/a%2fb',
      '/a\\b',
      '/a b',
      '//a',
      '',
      '/a/.b',
      '/ä',
    ]) {
      assert.equal(fileOf(odd), null, odd);
    }
  });

  it('shows nothing but its pages', async () => {
    for (const path of ['/index', '/index.html', '/robots.txt.gz', '/..%2f..%2f.env', '/%2e%2e/db.owner', '/builds']) {
      assert.equal((await get(path)).status, 404, path);
    }
  });

  it('shows the next build once it is published', async () => {
    const etag = (await get('/')).headers.etag;
    await build('b000002');
    let reply = await get('/');
    while (reply.headers.etag === etag) {
      await sleep(20);
      reply = await get('/');
    }
    assert.equal(reply.body.toString(), page('b000002'));
  });

  const styled = (sheet: string): string => `${page('styled')}<link rel="stylesheet" href="${sheet}">`;
  const until = async (is: (html: string) => boolean): Promise<string> => {
    for (;;) {
      const html = (await get('/')).body.toString();
      if (is(html)) return html;
      await sleep(20);
    }
  };

  it('keeps the style of its pages when the program has another by now', async () => {
    const sheet = '/assets/site.0123456789.css';
    await writePage(join(service.dataDir, 'site', 'builds', 'b000003'), sheet.slice(1), 'body{color:teal}');
    await build('b000003', styled(sheet));
    await until((html) => html.includes(sheet));
    const reply = await get(sheet);
    assert.equal(reply.status, 200);
    assert.equal(reply.body.toString(), 'body{color:teal}');
    assert.equal(reply.headers['content-type'], 'text/css; charset=utf-8');
    assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable');
    await build('b000004');
    await until((html) => html.includes('b000004'));
    assert.equal((await get(sheet)).status, 200, 'a page in a browser’s cache may still ask for it');
  });

  it('makes a page anew whose style nobody has any more, so that no page is without', async () => {
    const lost = '/assets/site.ffffffffff.css';
    assert.equal((await get(lost)).status, 404);
    await build('b000005', styled(lost));
    const html = await until((text) => !text.includes('b000004'));
    assert.ok(!html.includes(lost));
    const sheets = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(sheets.length > 0);
    for (const path of sheets) assert.equal((await get(path)).status, 200, path);
  });

  it('shows no file as an asset that is none', async () => {
    for (const path of ['/assets/..%2findex.html', '/assets/index.html', '/assets/..%2f..%2fcurrent', '/assets/x.css'])
      assert.equal((await get(path)).status, 404, path);
  });
});
