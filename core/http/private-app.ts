/**
 * For operators, on PRIVATE_PORT only. `/healthz`: the process lives, ask it to be restarted when it does not answer;
 * `/readyz`: it may be sent readers; `/metrics`: figures for Prometheus.
 */
import Koa from 'koa';
import { EXPOSITION_TYPE, exposition } from '../metrics/exposition.ts';
import type { Runtime } from '../runtime.ts';
import { type Figures, familiesOf } from './service-figures.ts';

export interface Readiness {
  /** The process ends soon, and no balancer should send it anything new. */
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

/** What it serves is read from content/ before anything listens: who answers here has it. */
const ready = async (ctx: Koa.Context, runtime: Runtime, { isEnding }: Readiness): Promise<void> => {
  const reason = isEnding()
    ? 'the server is stopping'
    : (await runtime.db.answers())
      ? ''
      : 'the database does not answer';
  ctx.status = reason ? 503 : 200;
  ctx.body = `${reason || 'ready'}\n`;
};
