/**
 * Serves the endpoints for operators, only on PRIVATE_PORT: `/healthz` (liveness: restart the process when it does not
 * respond), `/readyz` (readiness: the process may receive traffic) and `/metrics` (Prometheus).
 */
import Koa from 'koa';
import { EXPOSITION_TYPE, exposition } from '../metrics/exposition.ts';
import type { Runtime } from '../runtime.ts';
import { type Figures, familiesOf } from './service-figures.ts';

export interface Readiness {
  /** Returns whether the process is shutting down and must not receive new traffic. */
  isEnding(): boolean;
}

export const privateApp = (runtime: Runtime, figures: Figures, readiness: Readiness): Koa => {
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    if (ctx.path === '/healthz') ctx.body = 'ok\n';
    else if (ctx.path === '/readyz') await ready(ctx, runtime, readiness);
    else if (ctx.path === '/metrics') {
      ctx.body = exposition(await familiesOf(runtime, figures));
      ctx.type = EXPOSITION_TYPE;
    }
  });
  return app;
};

/** Answers the readiness check. Content is not checked, because it is loaded before the server listens. */
const ready = async (ctx: Koa.Context, runtime: Runtime, { isEnding }: Readiness): Promise<void> => {
  const reason = isEnding()
    ? 'the server is stopping'
    : (await runtime.db.answers())
      ? ''
      : 'the database does not answer';
  ctx.status = reason ? 503 : 200;
  ctx.body = `${reason || 'ready'}\n`;
};
