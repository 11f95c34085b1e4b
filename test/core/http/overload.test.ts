/** Tests that an overloaded server rejects requests at once and recovers as soon as it can. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { definePlugin, defineRoute } from '#core/plugin.ts';
import { freePort } from '../../support/free-port.ts';
import { startService, type TestService } from '../../support/service.ts';

/** Routes that wait for the test or block the event loop for a while. */
let gate = Promise.withResolvers<void>();
const common = { summary: 'For a test', tag: 'Test', access: 'public', replies: [], raises: [] } as const;
const plugin = definePlugin({
  name: 'test-load',
  summary: 'For a test',
  dependencies: [],
  routes: [
    defineRoute({
      ...common,
      id: 'test.slow',
      method: 'GET',
      path: '/api/test/slow',
      request: {},
      handle: async () => {
        await gate.promise;
        return { body: { done: true } };
      },
    }),
    defineRoute({
      ...common,
      id: 'test.body',
      method: 'POST',
      path: '/api/test/body',
      request: { body: Type.Object({}) },
      handle: async () => ({ body: { done: true } }),
    }),
    defineRoute({
      ...common,
      id: 'test.busy',
      method: 'GET',
      path: '/api/test/busy',
      request: {},
      handle: async () => {
        const until = Date.now() + 400;
        while (Date.now() < until);
        return { body: { done: true } };
      },
    }),
  ],
  start: () => undefined,
});

describe('overloaded server', () => {
  let service: TestService;
  let operators: string;
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.url}${path}`, { headers });
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${operators}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1) ?? 0,
    );
  };
  before(async () => {
    const port = await freePort();
    operators = `http://127.0.0.1:${port}`;
    service = await startService({
      settings: { PRIVATE_PORT: String(port), MAX_REQUESTS_AT_ONCE: '20', MAX_EVENT_LOOP_DELAY: '250' },
      more: [plugin],
    });
  });
  after(() => service.stop());

  const whenInFlight = async (count: number): Promise<void> => {
    while ((await metric('http_requests_in_flight')) !== count) await sleep(10);
  };

  it('completes requests in progress, and rejects others with 503, Retry-After and the usual body', async () => {
    gate = Promise.withResolvers();
    const begun = Array.from({ length: 20 }, () => get('/api/test/slow'));
    await whenInFlight(20);
    const more = await Promise.all(Array.from({ length: 30 }, () => get('/api/test/slow')));
    assert.deepEqual([...new Set(more.map(({ status }) => status))], [503]);
    const [refused] = more;
    assert.match(refused?.headers.get('Retry-After') ?? '', /^[1-5]$/);
    assert.match(refused?.headers.get('X-Request-Id') ?? '', /^req_/);
    assert.equal(refused?.headers.get('X-Content-Type-Options'), 'nosniff');
    const body = (await refused?.json()) as Record<string, unknown>;
    assert.deepEqual(
      [body.code, body.detail, String(body.retry_after)],
      ['reduced_capacity', 'Temporarily overloaded', refused?.headers.get('Retry-After')],
    );
    gate.resolve();
    const answered = await Promise.all(begun);
    assert.deepEqual([...new Set(answered.map(({ status }) => status))], [200]);
  });

  it('explains the overload on a page in one sentence, and still answers health checks', async () => {
    gate = Promise.withResolvers();
    const begun = Array.from({ length: 20 }, () => get('/api/test/slow'));
    await whenInFlight(20);
    const page = await get('/search?q=zinc', { Accept: 'text/html' });
    assert.equal(page.status, 503);
    assert.match(await page.text(), /^The server is overloaded at the moment\. Try again in [1-5] seconds\. \(req_/);
    assert.equal((await get('/api/health')).status, 200);
    assert.equal((await fetch(`${operators}/readyz`)).status, 200);
    gate.resolve();
    await Promise.all(begun);
    await whenInFlight(0);
    assert.equal((await get('/search?q=zinc', { Accept: 'text/html' })).status, 200, 'and goes on');
    assert.ok((await metric('http_requests_refused_total{why="requests"}')) >= 31);
  });

  it('does not count requests whose body is still arriving, so that slow senders cannot block it', async () => {
    const ending: (() => void)[] = [];
    const senders = Array.from({ length: 40 }, () =>
      fetch(`${service.url}/api/test/body`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        duplex: 'half',
        body: new ReadableStream({
          start: (controller) => {
            controller.enqueue(Buffer.from('{'));
            ending.push(() => {
              controller.enqueue(Buffer.from('}'));
              controller.close();
            });
          },
        }),
      } as RequestInit),
    );
    while (ending.length < 40) await sleep(10);
    assert.equal((await get('/api/stats')).status, 200);
    for (const end of ending) end();
    const answers = await Promise.all(senders);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });

  it('rejects live requests while the event loop is delayed, and recovers afterwards', async () => {
    const seen = new Set<number>();
    let isOver = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { status } = await get('/api/test/busy');
        seen.add(status);
        // A client should wait as long as Retry-After says, but a short wait is enough for a test.
        if (status === 503) await sleep(50);
      }
    });
    const deadline = Date.now() + 60_000;
    while (!seen.has(503) && Date.now() < deadline) await sleep(50);
    assert.ok(seen.has(503), 'it said so');
    assert.equal((await get('/api/health')).status, 200);
    isOver = true;
    await Promise.all(load);
    let status = 503;
    while (status !== 200 && Date.now() < deadline + 10_000) {
      await sleep(100);
      ({ status } = await get('/api/stats'));
    }
    assert.equal(status, 200);
    assert.ok((await metric('http_requests_refused_total{why="delay"}')) >= 1);
  });
});
