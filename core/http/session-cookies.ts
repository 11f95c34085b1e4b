/** Reads and writes the session cookies. It is separate from session.ts because commands and pages do not need it. */
import type Koa from 'koa';
import createSession from 'koa-session';
import type { Runtime } from '../runtime.ts';
import { pathMatcher } from './path-pattern.ts';
import type { RequestState } from './request-state.ts';
import { HOURS_12, nameFor } from './session.ts';

/** Returns the paths with a session: those of pages and routes that use the device. */
const pathsOf = ({ plugins }: Runtime): string[] =>
  plugins.flatMap(({ pages = [], routes = [] }) => [
    ...pages.filter(({ scope }) => scope === 'device').map(({ path }) => path),
    ...routes.filter(({ device, access }) => device && access === 'public').map(({ path }) => path),
  ]);

export const sessions = (app: Koa<RequestState>, runtime: Runtime): Koa.Middleware<RequestState> => {
  const baseUrl = runtime.config.text('BASE_URL');
  const isSecure = baseUrl.startsWith('https:');
  app.keys = [...runtime.secrets.signingKeys('session')];
  const session = createSession(
    { key: nameFor(baseUrl), maxAge: HOURS_12, httpOnly: true, sameSite: 'lax', signed: true, secure: isSecure },
    app as never,
  ) as unknown as Koa.Middleware<RequestState>;
  const has = pathMatcher(pathsOf(runtime));
  return (ctx, next) => {
    if (!has(ctx.path)) return next();
    // Behind a proxy this connection is not encrypted; only the one to the browser matters.
    if (isSecure) (ctx.cookies as { secure?: boolean }).secure = true;
    return session(ctx, next);
  };
};
