import assert from 'node:assert/strict';
import { startService, type TestService } from '../../support/service.ts';

const LIMIT = 5;

describe('limit for requests without a key', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ settings: { LIVE_RPM: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' } });
  });
  after(() => service.stop());

  const ask = (path: string, from: string, accept = 'text/html') =>
    fetch(`${service.url}${path}`, { headers: { 'X-Forwarded-For': from, Accept: accept } });

  it('counts live pages, missing pages and public routes together for each address', async () => {
    const paths = ['/search?q=magnesium', '/supplements/none', '/no/such/page', '/graph-data', '/wearables/status'];
    assert.equal(paths.length, LIMIT);
    for (const path of paths) assert.notEqual((await ask(path, '203.0.113.1')).status, 429, path);
    for (const path of paths) {
      const refused = await ask(path, '203.0.113.1');
      assert.equal(refused.status, 429, path);
      assert.ok(Number(refused.headers.get('Retry-After')) >= 1);
    }
    const { detail, 'violated-policies': policies } = (await (
      await ask('/graph-data', '203.0.113.1', 'application/json')
    ).json()) as Record<string, unknown>;
    assert.deepEqual([detail, policies], [`Quota exceeded (live): ${LIMIT + 1}/${LIMIT}`, ['live']]);
    assert.equal((await ask('/graph-data', '203.0.113.2')).status, 200);
  });

  it('returns 429 with a page of at most one kilobyte that repeats nothing of the request', async () => {
    const path = `/no/such/page/${'x'.repeat(500)}`;
    for (let times = 0; times < LIMIT; times += 1) await ask(path, '203.0.113.4');
    const refused = await ask(path, '203.0.113.4');
    assert.equal(refused.status, 429);
    const text = await refused.text();
    assert.ok(Buffer.byteLength(text) <= 1_024, `${Buffer.byteLength(text)} bytes`);
    assert.match(text, /<h1>Too many requests<\/h1>.*Please try again in \d+ seconds/s);
    assert.ok(text.includes(refused.headers.get('X-Request-Id') ?? '-'));
    assert.ok(!text.includes('xxx'));
  });

  it('does not count health checks, assets or routes with their own quota', async () => {
    for (let times = 0; times < 2 * LIMIT; times += 1) {
      assert.equal((await ask('/api/health', '203.0.113.3')).status, 200);
      assert.equal((await ask('/api/brands', '203.0.113.3')).status, 200);
    }
    assert.equal((await ask('/graph-data', '203.0.113.3')).status, 200);
  });
});
