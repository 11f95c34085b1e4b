/** For operators, on PRIVATE_PORT only: liveness, readiness and Prometheus figures. */
import Koa from 'koa';
import type { Runtime } from '../runtime.ts';
import type { RequestCounts } from './request-counts.ts';

export const privateApp = (runtime: Runtime, counts: RequestCounts): Koa => {
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    if (ctx.path === '/healthz') ctx.body = 'ok\n';
    else if (ctx.path === '/readyz') await ready(ctx, runtime);
    else if (ctx.path === '/metrics') metrics(ctx, runtime, counts);
  });
  return app;
};

const ready = async (ctx: Koa.Context, runtime: Runtime): Promise<void> => {
  const isReady = await runtime.db.answers();
  ctx.status = isReady ? 200 : 503;
  ctx.body = isReady ? 'ready\n' : 'the database does not answer\n';
};

const metrics = (ctx: Koa.Context, runtime: Runtime, counts: RequestCounts): void => {
  const { rss, heapUsed } = process.memoryUsage();
  const lines = [
    ['process_resident_memory_bytes', 'gauge', rss],
    ['process_heap_bytes', 'gauge', heapUsed],
    ['process_uptime_seconds', 'counter', Math.round((Date.now() - runtime.startedAt.getTime()) / 1000)],
  ].flatMap(([name, type, value]) => [`# TYPE ${name} ${type}`, `${name} ${value}`]);
  const requests = counts
    .all()
    .map(({ from, statusClass, count }) => `http_requests_total{from="${from}",status="${statusClass}"} ${count}`);
  if (requests.length) lines.push('# TYPE http_requests_total counter', ...requests);
  ctx.type = 'text/plain; version=0.0.4';
  ctx.body = `${lines.join('\n')}\n`;
};
