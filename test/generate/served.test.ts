import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import supertest from 'supertest';
import { type Serving, serve } from '#core/serve.ts';
import { rawRequest } from '../support/raw-http.ts';
import { longText, readBuilt, useSite } from './support.ts';

describe('serving a generated site', () => {
  const site = useSite();
  const long = { slug: 'long', text: longText('zinc'), changedAt: '2026-01-02T03:04:05.000Z' };
  let serving: Serving;
  let loads: string[] = [];

  before(async () => {
    site.material.onLoad = (slug) => void loads.push(slug);
    site.put(long, { slug: 'short', text: 'short' });
    await site.generate();
    serving = await serve(site.runtime);
  });
  after(() => serving.close());
  beforeEach(() => {
    loads = [];
  });

  const get = (path: string, headers: Record<string, string> = {}) => rawRequest(`${serving.url}${path}`, { headers });
  /** Polls until the response matches, because the server checks for a new build only a few times a second. */
  const until = async (path: string, wanted: (text: string, status: number) => boolean): Promise<void> => {
    for (;;) {
      const { text = '', status } = await supertest(serving.url).get(path);
      if (wanted(text, status)) return;
      await sleep(25);
    }
  };

  it('returns the published file compressed and with an ETag, without loading the page', async () => {
    const reply = await get('/made/long', { 'Accept-Encoding': 'br' });
    assert.equal(reply.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(reply.body).toString(), await readBuilt(site, '/made/long'));
    const again = await get('/made/long', { 'Accept-Encoding': 'br', 'If-None-Match': String(reply.headers.etag) });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
    assert.deepEqual(loads, []);
  });

  it('serves its sitemaps and every address in them', async () => {
    const index = await supertest(serving.url)
      .get('/sitemap.xml')
      .expect(200)
      .expect('Content-Type', /^application\/xml/);
    const sitemaps = [...index.text.matchAll(/<loc>http:\/\/evidence\.test(.*?)<\/loc>/g)].map(([, path = '']) => path);
    assert.deepEqual(sitemaps, ['/sitemap-articles.xml']);
    const { text } = await supertest(serving.url).get('/sitemap-articles.xml').expect(200);
    const paths = [...text.matchAll(/<loc>http:\/\/evidence\.test(.*?)<\/loc>/g)].map(([, path = '']) => path);
    assert.deepEqual(paths, ['/made/long', '/made/short']);
    for (const path of paths)
      await supertest(serving.url)
        .get(path)
        .expect(200)
        .expect('Content-Type', /^text\/html/);
    await supertest(serving.url)
      .get('/robots.txt')
      .expect(200)
      .expect('Content-Type', /^text\/plain/);
    for (const part of ['static', 'supplements', 'conditions', 'interactions', 'articles'])
      await supertest(serving.url).get(`/sitemap-${part}.xml`).expect(200);
    for (const name of ['products-0', 'products-1', 'articles-2', 'none'])
      await supertest(serving.url).get(`/sitemap-${name}.xml`).expect(404);
  });

  it('renders a page with a query live and serves the generated page without one', async () => {
    assert.match((await supertest(serving.url).get('/made?filter=zinc').expect(200)).text, /filter: zinc</);
    assert.match((await supertest(serving.url).get('/made').expect(200)).text, /filter: none</);
  });

  it('switches to the next build without a restart, keeps ETags of unchanged pages and drops removed pages', async () => {
    const { etag } = (await get('/made/long')).headers;
    const { etag: short } = (await get('/made/short')).headers;
    site.put(long, { slug: 'short', text: 'changed' }, { slug: 'new', text: 'new' });
    await site.generate();
    await until('/made/short', (text) => text.includes('changed'));
    assert.notEqual((await get('/made/short')).headers.etag, short);
    assert.equal((await get('/made/long')).headers.etag, etag);
    await supertest(serving.url).get('/made/new').expect(200);
    site.put(long);
    await site.generate();
    await until('/made/new', (_, status) => status === 404);
    const { text } = await supertest(serving.url).get('/sitemap-articles.xml');
    assert.doesNotMatch(text, /new|short/);
  });

  it('serves an uncached file after several builds in quick succession', async () => {
    await get('/made/long');
    for (const round of [1, 2, 3]) {
      site.put({ ...long, text: longText(`quick-${round}`) });
      await site.generate({ full: true });
    }
    // No test in this suite has requested this file before, so no cache contains it.
    await supertest(serving.url).get('/sitemap-biomarkers.xml').expect(200);
  });

  it('serves complete files at all times during many builds', async () => {
    let [building, asked] = [true, 0];
    const reader = (async () => {
      while (building) {
        for (const path of ['/made/long', '/sitemap.xml', '/robots.txt']) {
          const { text } = await supertest(serving.url).get(path).expect(200);
          assert.match(
            text,
            path === '/made/long' ? /<\/html>$/ : path === '/robots.txt' ? /sitemap\.xml\n$/ : />\s*$/,
          );
          asked += 1;
        }
      }
    })();
    for (let round = 0; round < 8; round += 1) {
      site.put({ ...long, text: longText(`round-${round}`) });
      await site.generate({ full: round % 2 === 0 });
    }
    building = false;
    await reader;
    assert.ok(asked > 3);
    await until('/made/long', (text) => text.includes('round-7'));
  });
});
