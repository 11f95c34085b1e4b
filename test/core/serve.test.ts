import { strict as assert } from 'node:assert';
import { OperatorError } from '#core/errors.ts';
import { definePlugin, defineRoute } from '#core/plugin.ts';
import { serve } from '#core/serve.ts';
import { api } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { startService, type TestService } from '../support/service.ts';

const slow = { started: Promise.withResolvers<void>(), mayEnd: Promise.withResolvers<void>() };

/** A route that takes as long as the test needs. */
const slowPlugin = definePlugin({
  name: 'slow',
  summary: 'takes its time',
  dependencies: [],
  routes: [
    defineRoute({
      id: 'slow',
      method: 'GET',
      path: '/api/slow',
      summary: '',
      tag: '',
      access: 'public',
      request: {},
      replies: [],
      raises: [],
      handle: async () => {
        slow.started.resolve();
        await slow.mayEnd.promise;
        return { body: { ended: true } };
      },
    }),
  ],
  start: () => undefined,
});

describe('serve', () => {
  let service: TestService;
  let operators: string;
  before(async () => {
    const port = await freePort();
    operators = `http://127.0.0.1:${port}`;
    service = await startService({ settings: { PRIVATE_PORT: String(port) }, more: [slowPlugin] });
  });
  after(() => service.stop());

  /** Serves the same runtime with other settings for listening. */
  const listenOn = (values: Record<string, string | number | null>) =>
    serve({
      ...service.runtime,
      config: {
        ...service.runtime.config,
        integer: (name) => (values[name] ?? service.runtime.config.integer(name)) as number,
        optionalInteger: (name) => values[name] as number | null,
        text: (name) => String(values[name] ?? service.runtime.config.text(name)),
      },
    });

  it('reports in one sentence that its port is in use', async () => {
    const taken = Number(new URL(service.url).port);
    await assert.rejects(listenOn({ PORT: taken, HOST: '127.0.0.1', PRIVATE_PORT: null }), (error: Error) => {
      assert.ok(error instanceof OperatorError);
      assert.equal(error.message, `Port ${taken} on 127.0.0.1 is in use: stop what uses it, or set PORT.`);
      return true;
    });
  });

  it('reports in one sentence that its private port is in use, and closes the public one', async () => {
    const taken = Number(new URL(service.url).port);
    const port = await freePort();
    await assert.rejects(listenOn({ PORT: port, HOST: '127.0.0.1', PRIVATE_PORT: taken }), {
      name: 'OperatorError',
      message: `Port ${taken} on 127.0.0.1 is in use: stop what uses it, or set PRIVATE_PORT.`,
    });
    await assert.rejects(fetch(`http://127.0.0.1:${port}/api/health`));
  });

  it('reports in one sentence that its host is not an address of this machine', async () => {
    await assert.rejects(listenOn({ PORT: 0, HOST: '203.0.113.1', PRIVATE_PORT: null }), {
      name: 'OperatorError',
      message: 'HOST 203.0.113.1 is not an address of this machine.',
    });
  });

  it('serves liveness, readiness and memory metrics on the private port', async () => {
    const live = await fetch(`${operators}/healthz`);
    assert.deepEqual([live.status, await live.text()], [200, 'ok\n']);
    const ready = await fetch(`${operators}/readyz`);
    assert.deepEqual([ready.status, await ready.text()], [200, 'ready\n']);
    const metrics = await fetch(`${operators}/metrics`);
    assert.match(metrics.headers.get('Content-Type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.match(
      await metrics.text(),
      /^# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \d+\n/m,
    );
    assert.equal((await fetch(`${operators}/api/health`)).status, 404);
  });

  it('serves request counts by route on the private port', async () => {
    await api(service).get('/api/health').expect(200);
    await api(service).get('/api/nope').expect(404);
    const text = await (await fetch(`${operators}/metrics`)).text();
    assert.match(text, /^# TYPE http_requests_total counter\n/m);
    assert.match(text, /^http_requests_total\{route="\/api\/health",method="GET",status="200"\} [1-9]/m);
    assert.match(text, /^http_requests_total\{route="\(none\)",method="GET",status="404"\} [1-9]/m);
  });

  it('serves no operator endpoint in public', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) await api(service).get(path).expect(404);
  });

  it('completes the request in progress before it closes, and accepts no new one', async () => {
    const place = await listenOn({ PORT: 0, HOST: '127.0.0.1', PRIVATE_PORT: null });
    const running = fetch(`${place.url}/api/slow`);
    await slow.started.promise;
    const ended = place.close();
    await assert.rejects(fetch(`${place.url}/api/health`));
    slow.mayEnd.resolve();
    assert.deepEqual(await (await running).json(), { ended: true });
    await ended;
  });
});
