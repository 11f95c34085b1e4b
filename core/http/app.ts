/**
 * The request, top to bottom: published already? then it is answered in published-answers.ts and never comes here.
 * Everything else: id, log and deadline → match → access and quota → validate → handle → reply → compress.
 * One catch turns every failure into an answer.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import Router from '@koa/router';
import Koa from 'koa';
import { type AppError, coreErrors, notFound } from '../errors.ts';
import type { Reply, Route, ShownPage } from '../plugin.ts';
import { bySpecificity } from '../registry.ts';
import type { Runtime } from '../runtime.ts';
import { admit, GUESSES } from './access.ts';
import { bodyOnce, bodyReader } from './body.ts';
import { createBodyBudget, createUploadBudgets } from './body-budget.ts';
import { clientAddressFinder, quotaAddress } from './client-address.ts';
import { compressedAnswers } from './compressed-answers.ts';
import { routedPlugins } from './core-routes.ts';
import { deviceOf, ensureDevice, forgetDevice, refuseCrossSite } from './device.ts';
import { asAppError, errorReply } from './error-reply.ts';
import type { Principal } from './gatekeeper.ts';
import { onceOnly, REPEATS } from './idempotency.ts';
import { innerCalls, throttledAs } from './inner-calls.ts';
import { createKeyWatch } from './key-watch.ts';
import { createLiveLimit, type LiveLimit } from './live-limit.ts';
import { markdownTwins } from './markdown-twins.ts';
import type { OverloadGuard } from './overload.ts';
import { mountPages } from './pages.ts';
import { pathMatcher } from './path-pattern.ts';
import type { PublishedSite } from './published-site.ts';
import type { RequestCounts } from './request-counts.ts';
import { newRequestId } from './request-id.ts';
import { contextFor, type HttpContext, type RequestState, routerPath } from './request-state.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { NO_SESSION, sessionOf } from './session.ts';
import { sessions } from './session-cookies.ts';
import { createThrottles } from './throttle.ts';
import { requestChecker } from './validate.ts';
import { wantsJson } from './wants-json.ts';

const DEADLINE_MS = 30_000;
/** A reader that takes nothing from a stream for so long is cut off. */
const STALLED_MS = 120_000;
/** A line may be slow, and not silent. */
const SILENT_MS = 60_000;
const MEGABYTE = 1_048_576;
const BODY_RETRY_SECONDS = 5;

export interface AppOptions {
  readonly deadlineMs?: number;
  /** How long the sender of an upload may be silent. */
  readonly silentMs?: number;
  /** How long any other body may take. */
  readonly bodyMs?: number;
  /** Of bodies in memory; BODY_MEMORY_MB unless told otherwise. */
  readonly bodyBytes?: number;
  /** Of uploads on disk; UPLOADS_AT_ONCE_MB unless told otherwise. */
  readonly uploadBytes?: number;
  /** What is published; null: nothing is. */
  readonly site?: PublishedSite | null;
  readonly counts?: RequestCounts;
  /** Sends requests away while there is too much to do; unset, none is. */
  readonly overload?: OverloadGuard;
}

/** Builds the whole app; nothing listens yet. */
export const createApp = (runtime: Runtime, options: AppOptions = {}): Koa<RequestState> => {
  const { deadlineMs = DEADLINE_MS, silentMs = SILENT_MS, bodyMs, site = null, counts, overload } = options;
  const app = new Koa<RequestState>();
  app.silent = true;
  const router = new Router<RequestState>();
  const findAddress = clientAddressFinder(runtime.config.list('TRUSTED_PROXIES'));
  app.use(surround(runtime, { findAddress, deadlineMs, counts, overload }));
  app.use(compressedAnswers());
  app.use(crossOrigin(runtime));
  app.use(sessions(app, runtime));
  const megabytes = (name: string): number => runtime.config.integer(name) * MEGABYTE;
  const budget = createBodyBudget(options.bodyBytes ?? megabytes('BODY_MEMORY_MB'), BODY_RETRY_SECONDS);
  const uploads = createUploadBudgets(options.uploadBytes ?? megabytes('UPLOADS_AT_ONCE_MB'));
  const limitLive = createLiveLimit(runtime.config);
  const readBody = bodyReader({ dataDir: runtime.config.text('DATA_DIR'), budget, uploads, silentMs, bodyMs });
  mountRoutes(router, runtime, { readBody, limitLive });
  mountPages(router, runtime, { site, limitLive });
  app.use(markdownTwins(runtime, site));
  app.use(router.routes());
  app.use(async (ctx) => {
    await limitLive(ctx);
    if (ctx.matched?.length) throw otherMethod(ctx.method, ctx.matched);
    throw notFound(wantsJson(ctx.path) ? 'Path' : 'Page', ctx.path.slice(0, 200));
  });
  return app;
};

interface Matched {
  readonly path: string | RegExp;
  readonly methods: readonly string[];
}

const parametersIn = ({ path }: Matched): number => String(path).split(/[:*]/).length;

/** Of routes and pages whose address it is: of several patterns the one with the fewest parameters says so. */
const allowedMethods = (matched: readonly Matched[]): readonly string[] => {
  const least = Math.min(...matched.map(parametersIn));
  const own = matched.filter((one) => parametersIn(one) === least);
  return [...new Set(own.flatMap(({ methods }) => methods))].sort();
};

const otherMethod = (method: string, matched: readonly Matched[]): AppError =>
  coreErrors.method_not_allowed({ method }, { headers: { Allow: allowedMethods(matched).join(', ') } });

/** An address that stands there word for word is no value of another route's parameter, whatever the method. */
const refuseOtherMethod = ({ method, matched = [] }: { method: string; matched?: readonly Matched[] }): void => {
  if (!allowedMethods(matched).includes(method)) throw otherMethod(method, matched);
};

/** `GET http://[ HTTP/1.1` reaches us too: an address that cannot be read names nothing here. */
const isReadable = (address: string): boolean => address.startsWith('/') || URL.canParse(address);

interface Surrounding {
  readonly findAddress: (peer: string, forwarded: string | undefined) => string;
  readonly deadlineMs: number;
  readonly counts: RequestCounts | undefined;
  readonly overload: OverloadGuard | undefined;
}

/** Request id, log line, deadline, security headers and the one catch. */
const surround = (runtime: Runtime, around: Surrounding): Koa.Middleware<RequestState> => {
  const { findAddress, deadlineMs, counts, overload } = around;
  return async (ctx, next) => {
    const startedAt = performance.now();
    const aborter = new AbortController();
    const late = Promise.withResolvers<never>();
    const expire = (): void => {
      aborter.abort(new Error('deadline'));
      late.reject(coreErrors.reduced_capacity({}, { headers: { 'Retry-After': '2' }, body: { retry_after: 2 } }));
    };
    ctx.state.endKey = () => {
      aborter.abort(new Error('key ended'));
      late.reject(coreErrors.key_deactivated());
      // What is on its way is broken off, so that nobody takes a part for the whole.
      if (ctx.res.headersSent) ctx.res.destroy();
    };
    let timer = setTimeout(expire, deadlineMs);
    ctx.state.holdDeadline = () => clearTimeout(timer);
    ctx.state.startDeadline = (milliseconds = deadlineMs) => {
      clearTimeout(timer);
      timer = setTimeout(expire, milliseconds);
    };
    if (!isReadable(ctx.url)) ctx.url = '/*';
    ctx.state.requestId = newRequestId();
    ctx.state.address = findAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For') || undefined);
    ctx.state.signal = aborter.signal;
    ctx.state.matched = '(none)';
    ctx.set(SECURITY_HEADERS);
    ctx.set('X-Request-Id', ctx.state.requestId);
    ctx.res.on('close', () => {
      clearTimeout(timer);
      if (!ctx.res.writableFinished) aborter.abort(new Error('client left'));
    });
    let endWork: (() => void) | undefined;
    ctx.state.beginWork = () => {
      endWork ??= counts?.begin();
    };
    try {
      if (overload?.refuses(ctx, wantsJson)) return;
      if (ctx.method === 'GET' || ctx.method === 'HEAD') ctx.state.beginWork();
      // A handler that comes too late changes nothing: the answer is out by then.
      await Promise.race([next(), late.promise]);
    } catch (error) {
      await sendError(ctx, runtime, error);
    } finally {
      endWork?.();
      tellLive(ctx, runtime, { counts, milliseconds: performance.now() - startedAt });
    }
  };
};

const tellLive = (
  ctx: HttpContext,
  { log }: Runtime,
  { counts, milliseconds }: { readonly counts: RequestCounts | undefined; readonly milliseconds: number },
): void => {
  if (!ctx.res.headersSent) ctx.set('Server-Timing', `total;dur=${milliseconds.toFixed(1)}`);
  const { requestId: id, matched: route } = ctx.state;
  const { method, status } = ctx;
  counts?.live({ route, method, status, milliseconds });
  log.request({ id, method, route, status, milliseconds });
};

const sendError = async (ctx: HttpContext, runtime: Runtime, error: unknown): Promise<void> => {
  const failure = asAppError(error, runtime.log, ctx.state.requestId);
  const problem = ctx.get('Accept').includes('application/problem+json');
  const reply = errorReply(failure, ctx.state.requestId, runtime.config.text('BASE_URL'), problem);
  // A form of a page, sent without script, is read by a person.
  const isRead = isForm(ctx) && ctx.accepts('json', 'html') === 'html';
  // A program that sends a file to a path of pages says by Accept what it reads.
  const acceptsJsonOnly = ctx.accepts('html', 'json') === 'json';
  const isProgram =
    ctx.state.isForPrograms || wantsJson(ctx.path) || Boolean(ctx.is('application/json')) || acceptsJsonOnly;
  const isApi = (isProgram && !isRead) || ctx.path === '/docs';
  const page = isApi ? null : await errorPage(ctx, runtime, failure);
  ctx.set({ ...reply.headers });
  ctx.status = reply.status;
  ctx.body = page?.text ?? JSON.stringify(reply.body);
  ctx.type = page?.type ?? reply.type;
};

/** A broken template must not hide what failed before it. */
const errorPage = async (ctx: HttpContext, runtime: Runtime, failure: AppError) => {
  const { requestId } = ctx.state;
  try {
    return { type: 'text/html', text: await runtime.pages.errorPage(failure, requestId, ctx.path) };
  } catch (error) {
    runtime.log.error('error_page_failed', { request_id: requestId, error });
    return { type: 'text/plain', text: `${failure.detail} (${requestId})\n` };
  }
};

/** Public and limited reads may be called from any site; everything else only from ours. */
const crossOrigin = (runtime: Runtime): Koa.Middleware<RequestState> => {
  const openTo = pathMatcher(
    routedPlugins(runtime)
      .flatMap((plugin) => plugin.routes ?? [])
      .filter(
        ({ method, access, device }) => method === 'GET' && !device && (access === 'public' || access === 'limited'),
      )
      .map(({ path }) => path),
  );
  return async (ctx, next) => {
    if (!openTo(ctx.path)) return next();
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Link');
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (ctx.method !== 'OPTIONS') return next();
    ctx.set('Access-Control-Allow-Methods', 'GET, HEAD');
    ctx.set('Access-Control-Allow-Headers', 'Authorization, Accept');
    ctx.set('Access-Control-Max-Age', '86400');
    ctx.status = 204;
  };
};

interface RouteParts {
  readonly readBody: ReturnType<typeof bodyReader>;
  readonly limitLive: LiveLimit;
}

const mountRoutes = (router: Router<RequestState>, runtime: Runtime, { readBody, limitLive }: RouteParts): void => {
  const throttle = createThrottles(runtime.counters);
  const newOnce = onceOnly(runtime);
  const baseUrl = runtime.config.text('BASE_URL');
  const all = routedPlugins(runtime).flatMap((plugin) => (plugin.routes ?? []).map((route) => ({ plugin, route })));
  const inner = innerCalls(runtime, throttle);
  const keys = createKeyWatch(runtime.gatekeeper, runtime.log);
  for (const { plugin, route } of all.sort((a, b) => bySpecificity(a.route, b.route))) {
    const check = requestChecker(route.request, route.isPrivate === true);
    router.register(routerPath(route.path), [route.method], async (koa) => {
      const ctx = koa as unknown as HttpContext & { params: Record<string, string> };
      ctx.state.matched = route.path;
      ctx.state.isForPrograms = route.isForPrograms === true;
      refuseOtherMethod(koa);
      if (isOpenWrite(route, ctx)) refuseCrossSite(ctx, baseUrl);
      // A large upload on a slow line may take its time; any other body comes in the usual one. Then the handler's begins.
      const isLong = Boolean(route.upload || route.stream);
      const body = bodyOnce(() => {
        if (isLong) ctx.state.holdDeadline();
        return readBody(route, ctx as never, () => {
          if (isLong || route.deadlineSeconds)
            ctx.state.startDeadline(route.deadlineSeconds && route.deadlineSeconds * 1000);
        });
      });
      const once = newOnce(plainHeaders(ctx.req)['idempotency-key'], route, ctx.url);
      const isResumed = async (principal: Principal): Promise<boolean> => {
        const device = route.device ? deviceOf(ctx, baseUrl) : null;
        const context = contextFor(runtime, plugin, ctx.state, { principal, device, session: NO_SESSION });
        return (await route.resumes?.(context, plainHeaders(ctx.req))) ?? false;
      };
      const isRepeat = (principal: Principal) => once.begin(principal, async () => (await body.read()).body);
      try {
        const { principal, headers, counts } = await admit(route, runtime.gatekeeper, {
          ...accessRequest(ctx),
          isResumed,
          isRepeat,
          countGuess: () => throttle(GUESSES, quotaAddress(ctx.state.address)),
        });
        ctx.set({ ...headers });
        const stopWatching = keys.watch(principal, ctx.state.endKey);
        if (ctx.res.closed) stopWatching();
        else ctx.res.once('close', stopWatching);
        once.check();
        const subject = throttledAs(ctx.state.address, principal);
        if (counts === 'repeat') await throttle(REPEATS, subject);
        else if (route.throttle && counts === 'new') await throttle(route.throttle, subject);
        else if (route.access === 'public') await limitLive(ctx);
        if (route.admits) {
          const context = contextFor(runtime, plugin, ctx.state, { principal, device: null, session: NO_SESSION });
          if (!route.admits(context, ctx.params)) {
            await throttle(GUESSES, quotaAddress(ctx.state.address));
            throw notFound('Path', route.path);
          }
        }
        const sent = await body.read();
        if (!route.stream) ctx.state.beginWork();
        const checked = check({
          params: ctx.params,
          query: ctx.query,
          body: sent.body,
          isForm: route.upload !== undefined || isForm(ctx),
        });
        const made = route.device === 'make' ? ensureDevice(ctx, baseUrl) : null;
        const device = made?.device ?? deviceOf(ctx, baseUrl);
        const context = contextFor(runtime, plugin, ctx.state, {
          principal,
          device: route.device ? device : null,
          session: route.device ? sessionOf(ctx) : NO_SESSION,
        });
        const input = {
          ...checked,
          files: sent.files,
          stream: sent.stream,
          headers: plainHeaders(ctx.req),
          call: inner(ctx, principal),
        };
        const reply = await once.run(context, () => route.handle(context, input as never));
        if ((reply.status ?? 200) < 400) made?.keep();
        if (reply.forgetsDevice) forgetDevice(ctx, baseUrl);
        if (reply.page) show(ctx, runtime, reply.page, reply.status);
        else send(ctx, route, reply);
      } finally {
        await body.discard();
        await once.end();
      }
    });
  }
};

/** The answer to something that was sent, for one reader, once. */
const show = (ctx: HttpContext, runtime: Runtime, { page, head, view }: ShownPage, status = 200): void => {
  ctx.state.mayHoldSecret = true;
  ctx.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' });
  ctx.status = status;
  ctx.body = runtime.pages.render(page, ctx.path, head, view as never);
  ctx.type = 'text/html';
};

/**
 * A key is no cookie that a foreign page could borrow: who sends one may write from anywhere. A route that is made for
 * HEAD or OPTIONS belongs to others that write, and a GET that makes a device writes as well.
 */
const isOpenWrite = ({ access, method, device }: Route, ctx: HttpContext): boolean =>
  (method !== 'GET' || device === 'make') &&
  (access === 'public' || (access === 'limited' && !ctx.get('Authorization')));

const isForm = (ctx: HttpContext): boolean => Boolean(ctx.is('application/x-www-form-urlencoded'));

const accessRequest = (ctx: HttpContext) => ({
  authorization: ctx.get('Authorization') || undefined,
  bootstrapSecret: ctx.req.headers['x-admin-bootstrap'] === undefined ? undefined : ctx.get('X-Admin-Bootstrap'),
  address: ctx.state.address,
});

const plainHeaders = (request: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value].flat()[0]]));

/** A stream may outlast any handler, as long as its reader goes on taking from it. */
const letStream = (ctx: HttpContext): void => {
  ctx.state.holdDeadline();
  ctx.res.setTimeout(STALLED_MS);
};

/**
 * No page elsewhere can make a browser send a key: what is not to be stored only because a key opened it is safe to
 * compress. A cookie comes along by itself.
 */
const mayHoldSecret = ({ access, device }: Route, { headers }: Reply): boolean =>
  access === 'admin' || device !== undefined || /\bno-store\b/i.test(headers?.['Cache-Control'] ?? '');

const send = (ctx: HttpContext, route: Route, reply: Reply): void => {
  ctx.status = reply.status ?? 200;
  ctx.state.mayHoldSecret = mayHoldSecret(route, reply);
  if (route.access !== 'public' && !reply.headers?.['Cache-Control']) ctx.set('Cache-Control', 'private, no-store');
  if (reply.headers) ctx.set({ ...reply.headers });
  if (reply.type) {
    if (reply.body instanceof Readable) letStream(ctx);
    ctx.body = reply.body;
    ctx.type = reply.type;
    return;
  }
  ctx.body = JSON.stringify(reply.body ?? null);
  ctx.type = 'application/json';
};
