import assert from 'node:assert/strict';
import { createLiveLimit } from '#core/http/live-limit.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

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

  it('reads each parameter of a long query once', async () => {
    const { getAll } = URLSearchParams.prototype;
    let lookups = 0;
    URLSearchParams.prototype.getAll = function (name) {
      lookups += 1;
      return getAll.call(this, name);
    };
    try {
      const { status } = await ask(`/search?${'a=1&'.repeat(3_000)}q=zinc`, '203.0.113.5');
      assert.equal(status, 200);
      assert.ok(lookups < 100, `${lookups} look-ups`);
    } finally {
      URLSearchParams.prototype.getAll = getAll;
    }
  });

  it('builds two live pages at a time on the embedded database and eight on a server, and releases an aborted one', async () => {
    for (const [kind, most] of [
      ['pglite', 2],
      ['postgresql', 8],
    ] as const) {
      const limit = createLiveLimit({ config: { integer: () => 1 }, db: { kind } }, async () => undefined);
      const aborter = new AbortController();
      const requests = Array.from({ length: 20 }, (_, at) => ({
        state: { signal: at === 0 ? aborter.signal : new AbortController().signal },
      }));
      const ends: (() => void)[] = [];
      let [running, highest] = [0, 0];
      const page = async (): Promise<void> => {
        running += 1;
        highest = Math.max(highest, running);
        await new Promise<void>((end) => ends.push(end));
        running -= 1;
      };
      const built = requests.map((request) => limit.build(request as never, page));
      await until(() => ends.length === most);
      aborter.abort();
      await until(() => ends.length === most + 1);
      for (let at = 0; at < requests.length; at += 1) {
        await until(() => ends.length > at);
        ends[at]?.();
      }
      await Promise.all(built);
      // The aborted page still runs; it no longer counts.
      assert.equal(highest, most + 1);
    }
  });
});
