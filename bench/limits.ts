/**
 * Measures the cost of a rate limit per request, by the store of the counters: the embedded database, PostgreSQL, Redis, this
 * process. The same calls are made in one run, first to the counters directly, then over HTTP, next to a route without limits.
 * Usage: node bench/limits.ts [calls, default 3000]
 * PostgreSQL is that of TEST_DATABASE_URL, Redis that of TEST_REDIS_URL or a redis-server started here; a missing store is
 * skipped and reported.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { boot } from '#core/boot.ts';
import { createThrottles } from '#core/http/throttle.ts';
import { createLog } from '#core/log.ts';
import { definePlugin, defineRoute, type ThrottleRule } from '#core/plugin.ts';
import { serve } from '#core/serve.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { startRedis } from './scale/servers.ts';
import { percentile } from './search/rankings.ts';

const calls = Number(process.argv[2] ?? 3_000);
const AT_ONCE = 16;
const MANY = 1_000_000_000;
const throttle: ThrottleRule = { bucket: 'bench', perMinute: MANY };

const route = (name: string, more: object) =>
  defineRoute({
    id: `bench.${name}`,
    method: 'GET',
    path: `/api/bench/${name}`,
    summary: 'For the benchmark',
    tag: 'Bench',
    access: 'public',
    request: {},
    replies: [{ status: 200, mediaType: 'application/json', description: 'Nothing' }],
    raises: [],
    handle: async () => ({ body: {} }),
    ...more,
  });

const benchPlugin = definePlugin({
  name: 'bench-limits',
  summary: 'For the benchmark',
  dependencies: [],
  routes: [route('nothing', {}), route('quota', { access: 'limited' }), route('throttle', { throttle })],
  start: () => undefined,
});

/** Returns the duration of each call in milliseconds, with `atOnce` concurrent calls. */
const timesOf = async (
  work: () => Promise<unknown>,
  atOnce: number,
): Promise<{ times: number[]; perSecond: number }> => {
  for (let warm = 0; warm < calls / 10; warm += 1) await work();
  const times: number[] = [];
  let left = calls;
  const startedAt = performance.now();
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const from = performance.now();
      await work();
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return {
    times: times.sort((a, b) => a - b),
    perSecond: Math.round((calls * 1000) / (performance.now() - startedAt)),
  };
};

const told = async (work: () => Promise<unknown>): Promise<string[]> => {
  const [single, many] = [await timesOf(work, 1), await timesOf(work, AT_ONCE)];
  const figure = (share: number): string => percentile(single.times, share).toFixed(3);
  return [figure(0.5), figure(0.99), String(many.perSecond)];
};

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const fetched = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (reply) => {
      reply.resume().on('end', () => (reply.statusCode === 200 ? resolve() : reject(new Error(`${reply.statusCode}`))));
    }).on('error', reject);
  });

const print = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

const measure = async (name: string, settings: Readonly<Record<string, string>>): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
  const contentDir = join(dataDir, 'content');
  await mkdir(contentDir);
  const environment = {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ANON_RPM: String(MANY),
    ANON_DAILY: String(MANY),
    ...settings,
  };
  const runtime = await boot({
    plugins: [keysPlugin, benchPlugin],
    role: 'serve',
    environment,
    dotEnvPath: null,
    contentDir,
    log: createLog('silent'),
  });
  const serving = await serve(runtime);
  try {
    const { gatekeeper, counters } = runtime;
    if (!gatekeeper) throw new Error('Nobody counts');
    const caller = { kind: 'anonymous', address: '203.0.113.1' } as const;
    const hit = createThrottles(counters);
    const state = counters.checks().counters;
    if (state === 'degraded') throw new Error('Redis does not answer');
    print([name, 'quota: minute and day', ...(await told(() => gatekeeper.charge(caller, 'bench')))]);
    print([name, 'throttle: one window', ...(await told(() => hit(throttle, 'bench')))]);
    for (const path of ['nothing', 'quota', 'throttle']) {
      const what = path === 'nothing' ? 'HTTP, nothing counted' : `HTTP, ${path}`;
      print([name, what, ...(await told(() => fetched(`${serving.url}/api/bench/${path}`)))]);
    }
  } finally {
    await serving.close();
    await runtime.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const withPostgres = async (url: string): Promise<void> => {
  const name = `ekb_bench_${randomBytes(4).toString('hex')}`;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  try {
    const own = new URL(url);
    own.pathname = `/${name}`;
    await measure('PostgreSQL (throttle too)', { DATABASE_URL: own.href });
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
};

console.log(`${calls} calls, one after the other and ${AT_ONCE} at once; load average ${loadavg()[0]?.toFixed(1)}\n`);
print(['counted in', 'what', 'p50 ms', 'p99 ms', `calls/s, ${AT_ONCE} at once`]);
print(['---', '---', '---', '---', '---']);
await measure('embedded database (throttle: memory)', {});
const { TEST_DATABASE_URL: postgres, TEST_REDIS_URL: given } = process.env;
if (postgres) await withPostgres(postgres);
else console.log('PostgreSQL: TEST_DATABASE_URL is not set');
const own = given ? null : await startRedis();
const redis = given ?? own?.url;
if (redis) await measure('Redis (both)', { REDIS_URL: redis });
else console.log('Redis: there is no redis-server, and TEST_REDIS_URL is not set');
await own?.stop();
agent.destroy();
