/** Tests the metrics, liveness and readiness that operators read on the private port. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { privateApp } from '#core/http/private-app.ts';
import { createRequestCounts } from '#core/http/request-counts.ts';
import { runJob } from '#core/jobs/scheduler.ts';
import { exposition } from '#core/metrics/exposition.ts';
import { createHistogram } from '#core/metrics/histogram.ts';
import { definePlugin, defineRoute, type Job } from '#core/plugin.ts';
import { api } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { startService, type TestService } from '../../support/service.ts';

const job: Job = {
  id: 'test_metrics',
  summary: 'fails',
  schedule: null,
  timeoutSeconds: 60,
  run: () => Promise.reject(new Error('no')),
};

const plugin = definePlugin({
  name: 'test-metrics',
  summary: 'For a test',
  dependencies: [],
  jobs: [job],
  routes: [
    defineRoute({
      id: 'test.metrics',
      method: 'GET',
      path: '/api/test-metrics/{name}',
      summary: 'For a test',
      tag: 'Test',
      access: 'public',
      request: {},
      replies: [],
      raises: [],
      handle: async () => ({ body: {} }),
    }),
  ],
  gauges: async () => [{ name: 'queue_length', help: 'For a test', value: 7, labels: { kind: 'made "up"\n' } }],
  start: () => undefined,
});
const broken = definePlugin({
  name: 'test-broken',
  summary: 'For a test',
  dependencies: [],
  gauges: () => Promise.reject(new Error('no figures')),
  start: () => undefined,
});

/** Every line is a comment or `name{labels} value`. */
const LINE =
  /^(# (HELP|TYPE) [a-zA-Z_:][a-zA-Z0-9_:]* .+|[a-zA-Z_:][a-zA-Z0-9_:]*(\{[a-z_]+="(?:[^"\\\n]|\\.)*"(,[a-z_]+="(?:[^"\\\n]|\\.)*")*\})? (-?[0-9.e+-]+|NaN))$/;

describe('private port', () => {
  let service: TestService;
  let operators: string;
  const figures = async (): Promise<string> => (await fetch(`${operators}/metrics`)).text();
  const value = async (sample: string): Promise<number> => {
    const line = (await figures()).split('\n').find((each) => each.startsWith(`${sample} `));
    return Number(line?.slice(sample.length + 1) ?? Number.NaN);
  };
  before(async () => {
    const port = await freePort();
    operators = `http://127.0.0.1:${port}`;
    service = await startService({ settings: { PRIVATE_PORT: String(port) }, more: [plugin, broken] });
  });
  after(() => service.stop());

  it('serves metrics in the Prometheus text format, with each name declared once', async () => {
    const reply = await fetch(`${operators}/metrics`);
    assert.equal(reply.headers.get('Content-Type'), 'text/plain; version=0.0.4; charset=utf-8');
    const lines = (await reply.text()).trimEnd().split('\n');
    assert.deepEqual(
      lines.filter((line) => !LINE.test(line)),
      [],
    );
    const told = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
    assert.equal(new Set(told).size, told.length);
  });

  it('counts and times live responses by route pattern, never by path', async () => {
    for (const name of ['my-illness', 'another']) await api(service).get(`/api/test-metrics/${name}`).expect(200);
    await api(service).get('/my-illness').expect(404);
    const labels = 'route="/api/test-metrics/{name}",method="GET"';
    assert.equal(await value(`http_requests_total{${labels},status="200"}`), 2);
    assert.equal(await value(`http_request_duration_seconds_count{${labels}}`), 2);
    assert.equal(await value(`http_request_duration_seconds_bucket{${labels},le="+Inf"}`), 2);
    assert.equal(await value('http_requests_total{route="(none)",method="GET",status="404"}'), 1);
    assert.equal(await value('http_requests_in_flight'), 0);
    assert.ok(!(await figures()).includes('my-illness'));
  });

  it('reports the process, the build and the database', async () => {
    for (const name of [
      'process_resident_memory_bytes',
      'process_heap_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_delay_seconds{of="p99"}',
      'nodejs_eventloop_utilization',
      'ekb_database_work_seconds_count{kind="read"}',
      'ekb_database_connections{state="open"}',
      'ekb_database_waiting',
      'ekb_published_build',
    ])
      assert.ok((await value(name)) >= 0, name);
    const text = await figures();
    assert.match(
      text,
      new RegExp(
        `^ekb_build_info\\{version="[0-9.]+",node="${process.version}",database="${service.runtime.db.kind}"\\} 1$`,
        'm',
      ),
    );
  });

  it('collects gauges from plugins, and tolerates one that fails', async () => {
    assert.equal(await value('ekb_queue_length{plugin="test-metrics",kind="made \\"up\\"\\n"}'), 7);
    for (const name of ['labs', 'wearables', 'answers', 'webhooks'])
      assert.equal(await value(`ekb_queue_length{plugin="${name}"}`), 0);
    assert.ok((await value('ekb_index_documents{plugin="evidence"}')) > 100);
    assert.ok((await value('ekb_index_revision{plugin="evidence"}')) > 0);
  });

  it('reports the last run of each job', async () => {
    await runJob(service.runtime, plugin, job);
    const label = '{job="test_metrics"}';
    assert.equal(await value(`ekb_job_last_run_failed${label}`), 1);
    assert.equal(await value(`ekb_job_failures_30d${label}`), 1);
    assert.ok(Math.abs((await value(`ekb_job_last_run_timestamp_seconds${label}`)) - Date.now() / 1000) < 60);
    assert.ok((await value(`ekb_job_last_duration_seconds${label}`)) >= 0);
    assert.ok(Number.isNaN(await value(`ekb_job_last_success_timestamp_seconds${label}`)), 'it never did');
  });

  it('serves metrics and liveness while the database is unavailable, and reports not ready', async () => {
    const { runtime } = service;
    const away = () => Promise.reject(new Error('away'));
    const db = { ...runtime.db, read: away, write: away, answers: async () => false };
    const parts = {
      counts: createRequestCounts(),
      process: { families: () => [], stop: () => undefined },
      site: { build: () => null },
    };
    const server = createServer(
      privateApp({ ...runtime, db } as typeof runtime, parts, { isEnding: () => false }).callback(),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const ready = await fetch(`${url}/readyz`);
      assert.deepEqual([ready.status, await ready.text()], [503, 'the database does not answer\n']);
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      assert.match(await (await fetch(`${url}/metrics`)).text(), /^ekb_build_info/m);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('exposes cumulative histogram buckets', () => {
    const histogram = createHistogram([0.1, 1]);
    for (const seconds of [0.05, 0.1, 0.5, 3]) histogram.observe('a', () => ({ kind: 'a' }), seconds);
    assert.equal(
      exposition([{ name: 'x', type: 'histogram', help: 'h', samples: histogram.samples() }]),
      [
        '# HELP x h',
        '# TYPE x histogram',
        'x_bucket{kind="a",le="0.1"} 2',
        'x_bucket{kind="a",le="1"} 3',
        'x_bucket{kind="a",le="+Inf"} 4',
        'x_sum{kind="a"} 3.65',
        'x_count{kind="a"} 4',
        '',
      ].join('\n'),
    );
  });
});
