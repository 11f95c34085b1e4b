/** Tests the published site together with the app; http-server.test.ts tests how published pages are sent. */
import { strict as assert } from 'node:assert';
import { rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rawExchange, rawRequest } from '../../support/raw-http.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { type MadeFile, publishMade } from '../site/support.ts';

const page = (name: string): string => `<!doctype html><title>${name}</title>${'<p>Evidence.</p>'.repeat(200)}`;
const robots = 'User-agent: *\n';

describe('published site', () => {
  let service: SharedService;
  const get = (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
    rawRequest(service.url, { path, headers, method });
  const text = async (path: string): Promise<string> => (await get(path)).body.toString();
  const build = async (name: string, more: readonly MadeFile[] = []): Promise<void> => {
    await publishMade(join(service.dataDir, 'site'), name, [
      { path: '/disclaimer', text: page(name) },
      { path: '/robots.txt', text: robots, type: 'text/plain; charset=utf-8', role: 'discovery' },
      { path: '/sitemap.xml', text: '<urlset/>', type: 'application/xml; charset=utf-8', role: 'discovery' },
      ...more,
    ]);
    while (!(await text('/disclaimer')).includes(name)) await sleep(20);
  };
  before(async () => {
    service = await sharedService();
    await build('b000001', [{ path: '/supplements/magnesium', text: page('magnesium') }]);
  });
  after(async () => {
    await rm(join(service.dataDir, 'site'), { recursive: true });
    while ((await text('/disclaimer')).includes('<title>b0')) await sleep(20);
  });

  it('serves robots.txt and sitemaps with their media types, even with a query', async () => {
    for (const path of ['/robots.txt', '/robots.txt?from=crawler']) {
      const reply = await get(path);
      assert.equal(reply.headers['content-type'], 'text/plain; charset=utf-8');
      assert.equal(reply.body.toString(), robots);
    }
    assert.equal((await get('/sitemap.xml')).headers['content-type'], 'application/xml; charset=utf-8');
    assert.equal((await get('/sitemap-products-0.xml')).status, 404);
  });

  it('renders a page with a query live', async () => {
    const reply = await get('/disclaimer?utm_source=mail');
    assert.equal(reply.status, 200);
    assert.ok(!reply.body.toString().includes('b000001'));
  });

  it('renders a page live when it is unpublished or its path is spelled differently', async () => {
    for (const path of ['/supplements/zinc', '/supplements/%6Dagnesium']) {
      const reply = await get(path);
      assert.equal(reply.status, 200, path);
      assert.equal(reply.headers.etag, undefined, path);
    }
  });

  it('redirects a page path with a trailing slash to the page, and never to another host', async () => {
    for (const [path, target] of [
      ['/disclaimer/', '/disclaimer'],
      ['/supplements/magnesium/', '/supplements/magnesium'],
      ['/supplements/?q=a%2Fb', '/supplements?q=a%2Fb'],
    ] as const) {
      const reply = await get(path);
      assert.deepEqual([reply.status, reply.headers.location], [301, target], path);
    }
    for (const path of [
      '//elsewhere.test/',
      '//elsewhere.test',
      '/\\elsewhere.test/',
      '/nope/',
      '//disclaimer/',
      '///',
    ])
      assert.equal((await get(path)).status, 404, path);
  });

  it('logs the route pattern of a published path', async () => {
    service.lines.length = 0;
    await get('/supplements/magnesium');
    const [line] = service.lines.map((each) => JSON.parse(each)).filter(({ event }) => event === 'request');
    assert.deepEqual([line.method, line.route, line.status], ['GET', '/supplements/{slug}', 200]);
  });

  it('sends the same headers for published and live pages', async () => {
    const [published, live] = [await get('/disclaimer'), await get('/disclaimer?a')];
    for (const name of [
      'content-security-policy',
      'x-content-type-options',
      'referrer-policy',
      'cross-origin-opener-policy',
      'permissions-policy',
      'content-type',
    ])
      assert.equal(published.headers[name], live.headers[name], name);
  });

  it('serves nothing but its pages', async () => {
    for (const path of [
      '/index',
      '/current',
      '/builds',
      '/builds/b000001/index',
      '/packs/b000001-0.pack',
      '/site/current',
      '/robots.txt.gz',
      '/..%2f..%2fapp-secret',
      '/%2e%2e/db.owner',
      '/../app-secret',
      '/..\\app-secret',
      '/disclaimer/..%2f..%2f..%2fapp-secret',
      '/assets/..%2fcurrent',
      '/assets/%2e%2e%2f%2e%2e%2fapp-secret',
      '/assets/../../app-secret',
      '/assets/x.css',
      '/%00',
      '/disclaimer%00.html',
      '/etc/passwd',
      '//etc/passwd',
      '/file:///etc/passwd',
    ])
      assert.ok([404, 422].includes((await get(path)).status), path);
    const raw = await rawExchange(service.url, 'GET ../../app-secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(raw, /^HTTP\/1\.1 4\d\d/);
    const absolute = 'GET http://x/../app-secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    assert.match(await rawExchange(service.url, absolute), /^HTTP\/1\.1 404/);
  });

  it('serves the style sheet of its own build even when the program has a newer one', async () => {
    const sheet = '/assets/site.0123456789.css';
    await build('b000003', [{ path: sheet, text: 'body{color:teal}', type: 'text/css; charset=utf-8', role: 'asset' }]);
    const reply = await get(sheet);
    assert.equal(reply.status, 200);
    assert.equal(reply.body.toString(), 'body{color:teal}');
    assert.equal(reply.headers['content-type'], 'text/css; charset=utf-8');
    assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable');
  });

  it('serves the style sheets of pages that are rendered live', async () => {
    const sheets = [...(await text('/supplements/zinc')).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(sheets.length > 0);
    for (const path of sheets) assert.equal((await get(path)).status, 200, path);
  });
});
