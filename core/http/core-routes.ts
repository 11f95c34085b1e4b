/** Defines the routes about the service itself: health, pipeline status, the OpenAPI document and its viewer. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { JobRun } from '../db/entities.ts';
import { notFound } from '../errors.ts';
import { type AnyPlugin, definePlugin, defineRoute, type Job, type Reply, type Route } from '../plugin.ts';
import { publisherOf } from '../publisher.ts';
import type { Runtime } from '../runtime.ts';
import { describeApi } from './openapi.ts';

export const API_VERSION = '1.0.0';

type State = 'ok' | 'degraded' | 'down';
const STATES: readonly State[] = ['ok', 'degraded', 'down'];

const Health = Type.Object({
  status: Type.String({ enum: [...STATES] }),
  version: Type.String(),
  time: Type.String({ format: 'date-time' }),
  uptime_s: Type.Integer(),
  checks: Type.Record(Type.String(), Type.String({ enum: [...STATES] })),
  index_version: Type.String(),
  retrieval_version: Type.String(),
});

const checkAll = async (runtime: Runtime): Promise<Record<string, State>> => {
  const database: State = (await runtime.db.answers()) ? 'ok' : 'down';
  const others = await Promise.all(
    runtime.plugins.map((plugin) =>
      plugin.checks?.(runtime.servicesOf(plugin)).catch(() => ({ [plugin.name]: 'degraded' as const })),
    ),
  );
  return Object.assign({ database }, runtime.models.checks(), runtime.counters.checks(), ...others);
};

const health = (runtime: Runtime): Route =>
  defineRoute({
    id: 'health',
    method: 'GET',
    path: '/api/health',
    summary: 'Is the service well?',
    tag: 'Service',
    access: 'public',
    request: {},
    replies: [
      { status: 200, mediaType: 'application/json', description: 'Well, or degraded', schema: Health },
      { status: 503, mediaType: 'application/json', description: 'Down', schema: Health },
    ],
    raises: [],
    handle: async (): Promise<Reply> => {
      const checks = await checkAll(runtime);
      const status = STATES[Math.max(...Object.values(checks).map((state) => STATES.indexOf(state)))] ?? 'ok';
      const versions = Object.assign(
        {},
        ...runtime.plugins.map((plugin) => plugin.versions?.(runtime.servicesOf(plugin)) ?? {}),
      );
      const uptime = Math.floor((Date.now() - runtime.startedAt.getTime()) / 1000);
      const body = {
        status,
        version: API_VERSION,
        time: new Date().toISOString(),
        uptime_s: uptime,
        checks,
        ...versions,
      };
      return { status: status === 'down' ? 503 : 200, headers: { 'Cache-Control': 'no-store' }, body };
    },
  });

const Stage = Type.Object({
  name: Type.String(),
  status: Type.String({ enum: ['ok', 'running', 'failed', 'stale'] }),
  last_started_at: Type.Union([Type.String(), Type.Null()]),
  last_success_at: Type.Union([Type.String(), Type.Null()]),
  items: Type.Integer(),
  total: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  error: Type.Union([Type.String(), Type.Null()]),
  next_run_at: Type.Union([Type.String(), Type.Null()]),
});
const Pipeline = Type.Object({
  stages: Type.Array(Stage),
  overall: Type.String({ enum: ['ok', 'running', 'failed', 'stale'] }),
  lag_hours: Type.Union([Type.Number(), Type.Null()]),
});

/**
 * Builds the pipeline stage of a job. A job is stale when it never ran, when its last run was stopped by the server's
 * shutdown, or when it has been running for longer than its timeout because its process died.
 */
const stageOf = async (runtime: Runtime, job: Job) => {
  const [last, good] = await runtime.db.read(async (em) => [
    await em.findOne(JobRun, { job: job.id }, { orderBy: { id: 'desc' } }),
    await em.findOne(JobRun, { job: job.id, status: 'ok' }, { orderBy: { id: 'desc' } }),
  ]);
  const dead = last?.status === 'running' && Date.now() - last.startedAt.getTime() > job.timeoutSeconds * 1000;
  const next = runtime.nextRunOf(job.id);
  return {
    name: job.id,
    status: !last || dead || last.status === 'stopped' ? 'stale' : last.status,
    last_started_at: last?.startedAt.toISOString() ?? null,
    last_success_at: good?.finishedAt?.toISOString() ?? null,
    items: Object.values(last?.counts ?? {}).reduce((sum, count) => sum + count, 0),
    error: last?.status === 'failed' ? 'The last run failed; the operator’s log says why.' : null,
    next_run_at: next?.toISOString() ?? null,
  };
};

/** Returns the stages of the background work of plugins and of the publisher. */
const backgroundStages = (runtime: Runtime) =>
  [
    ...runtime.plugins.flatMap((plugin) => plugin.stages?.(runtime.servicesOf(plugin)) ?? []),
    ...[publisherOf(runtime)?.stage()].filter((stage) => stage !== undefined),
  ].map(({ name, status, startedAt, succeededAt, done, total, note }) => ({
    name,
    status,
    last_started_at: startedAt?.toISOString() ?? null,
    last_success_at: succeededAt?.toISOString() ?? null,
    items: done,
    total,
    error: note ?? (status === 'failed' ? 'The last run failed; the operator’s log says why.' : null),
    next_run_at: null,
  }));

const pipeline = (runtime: Runtime): Route =>
  defineRoute({
    id: 'pipeline',
    method: 'GET',
    path: '/api/pipeline/status',
    summary: 'How the scheduled work is doing',
    tag: 'Service',
    access: 'public',
    request: {},
    replies: [{ status: 200, mediaType: 'application/json', description: 'One stage per job', schema: Pipeline }],
    raises: [],
    handle: async () => {
      const jobs = runtime.plugins.flatMap((plugin) => (plugin.jobs ?? []) as readonly Job[]);
      const stages = [...(await Promise.all(jobs.map((job) => stageOf(runtime, job)))), ...backgroundStages(runtime)];
      // A job that never ran, for instance because it is not configured, is left out of the overall status.
      const begun = stages.filter(
        ({ last_started_at, status }) => last_started_at || status === 'running' || status === 'failed',
      );
      const has = (status: string): boolean => begun.some((stage) => stage.status === status);
      const successes = stages.flatMap(({ last_success_at }) => (last_success_at ? [Date.parse(last_success_at)] : []));
      const lag = successes.length ? Math.round((Date.now() - Math.min(...successes)) / 360_000) / 10 : null;
      const overall = has('failed') ? 'failed' : has('stale') ? 'stale' : has('running') ? 'running' : 'ok';
      return { headers: { 'Cache-Control': 'no-store' }, body: { stages, overall, lag_hours: lag } };
    },
  });

const openapi = (runtime: Runtime): Route => {
  let text: string | null = null;
  return defineRoute({
    id: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description',
    tag: 'Service',
    access: 'public',
    request: {},
    replies: [{ status: 200, mediaType: 'application/json', description: 'OpenAPI 3.1' }],
    raises: [],
    handle: async () => {
      text ??= JSON.stringify(describeApi(routedPlugins(runtime), runtime.config.text('BASE_URL')));
      return { type: 'application/json', body: text, headers: { 'Cache-Control': 'public, max-age=300' } };
    },
  });
};

const swaggerFolder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const SWAGGER_FILES: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

const DOCS_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API documentation</title><meta name="description" content="Every endpoint of the Supplement Evidence Base, to try out.">
<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><noscript><p>This viewer needs script. The description itself is at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/start.js"></script></body></html>
`;
const DOCS_START = `window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', validatorUrl: null, deepLinking: true, persistAuthorization: false });\n`;

const docsCsp =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const docs = defineRoute({
  id: 'docs',
  method: 'GET',
  path: '/docs',
  summary: 'API documentation to read and try out',
  tag: 'Service',
  access: 'public',
  request: {},
  replies: [{ status: 200, mediaType: 'text/html', description: 'Swagger UI, served from here' }],
  raises: [],
  handle: async () => ({
    type: 'text/html',
    body: DOCS_PAGE,
    headers: { 'Content-Security-Policy': docsCsp, 'Cache-Control': 'public, max-age=300' },
  }),
});

const docsAsset = defineRoute<unknown, { params: ReturnType<typeof assetParams> }>({
  id: 'docs.asset',
  method: 'GET',
  path: '/docs/assets/{name}',
  summary: 'A file of the documentation viewer',
  tag: 'Service',
  access: 'public',
  request: { params: assetParams() },
  replies: [{ status: 200, mediaType: 'application/octet-stream', description: 'The file' }],
  raises: ['not_found', 'validation_failed'],
  handle: async (_context, { params }) => {
    const headers = { 'Cache-Control': 'public, max-age=86400' };
    if (params.name === 'start.js') return { type: 'text/javascript; charset=utf-8', body: DOCS_START, headers };
    const type = SWAGGER_FILES.get(params.name);
    if (!type) throw notFound('File', params.name);
    return { type, body: await readFile(join(swaggerFolder, params.name)), headers };
  },
});

function assetParams() {
  return Type.Object({ name: Type.String({ maxLength: 100 }) });
}

const cache = new WeakMap<Runtime, readonly AnyPlugin[]>();

/** Returns every plugin, with the routes of core itself as one more plugin. */
export const routedPlugins = (runtime: Runtime): readonly AnyPlugin[] => {
  const known = cache.get(runtime);
  if (known) return known;
  const core = definePlugin({
    name: 'core',
    summary: 'The service itself',
    dependencies: [],
    routes: [health(runtime), pipeline(runtime), openapi(runtime), docs, docsAsset],
    start: () => undefined,
  });
  const all = [...runtime.plugins, core];
  cache.set(runtime, all);
  return all;
};
