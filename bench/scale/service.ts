/**
 * Starts the service as `npm start` does, with three more routes and one more job: they measure the cost of a request without any
 * work, the additional cost of counting it, the memory after garbage collection, and a real job with a schedule of every two
 * seconds.
 */
import { serveUntilSignal } from '#core/cli.ts';
import { definePlugin, defineRoute, type Job } from '#core/plugin.ts';
import { plugins } from '#plugins/index.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { BENCH_PATH, JOB, TICK_SECONDS } from './made.ts';

const purge = (keysPlugin.jobs ?? []).find(({ id }) => id === 'purge_throttles');
if (!purge) throw new Error('There is no job purge_throttles: choose another real job for bench/scale/service.ts');

/** The real job, which only queries the database, with a separate id and schedule. */
const job: Job = { ...(purge as Job), id: JOB, schedule: `*/${TICK_SECONDS} * * * * *` };

const route = (name: string, access: 'public' | 'limited', body: () => object) =>
  defineRoute({
    id: `bench.${name}`,
    method: 'GET',
    path: `${BENCH_PATH}/${name}`,
    summary: 'For the benchmark',
    tag: 'Bench',
    access,
    request: {},
    replies: [{ status: 200, mediaType: 'application/json', description: 'Nothing' }],
    raises: [],
    handle: async () => ({ body: body() }),
  });

const nothing = { nothing: true };

const benchPlugin = definePlugin({
  name: 'bench-scale',
  summary: 'For the benchmark',
  dependencies: [],
  jobs: [job],
  routes: [
    route('nothing', 'public', () => nothing),
    route('counted', 'limited', () => nothing),
    route('memory', 'public', () => {
      globalThis.gc?.();
      const { rss, heapUsed, external } = process.memoryUsage();
      return { rss, heap: heapUsed, external };
    }),
  ],
  start: () => undefined,
});

process.exit(await serveUntilSignal([...plugins, benchPlugin]));
