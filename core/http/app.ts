/**
 * Builds the Koa application for every request that `published-answers.ts` does not answer from the published site.
 * A request passes through these steps: id, log and deadline → match → access and quota → validate → handle → reply →
 * compress. One catch block converts every failure into an error response.
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
import { createTurns, type NextTurn } from './event-loop-turns.ts';
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
import { parseQueryString } from './query-string.ts';
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
/** Time after which a connection is closed when the client reads nothing from a streamed response, in milliseconds. */
const STALLED_MS = 120_000;
/** Default of `silentMs`: an upload may be slow, but not silent for longer than this. */
const SILENT_MS = 60_000;
const MEGABYTE = 1_048_576;
const BODY_RETRY_SECONDS = 5;

export interface AppOptions {
  readonly deadlineMs?: number;
  /** Longest time without data during an upload, in milliseconds. */
  readonly silentMs?: number;
  /** Longest time that the client may take to send any other body, in milliseconds. */
  readonly bodyMs?: number;
  /** Memory for bodies, in bytes; the default is the setting BODY_MEMORY_MB. */
  readonly bodyBytes?: number;
  /** Disk space for concurrent uploads, in bytes; the default is the setting UPLOADS_AT_ONCE_MB. */
  readonly uploadBytes?: number;
  /** The published site; null when nothing is published. */
  readonly site?: PublishedSite | null;
  readonly counts?: RequestCounts;
  /** Rejects requests while the process is overloaded; without it, no request is rejected for load. */
  readonly overload?: OverloadGuard;
}

/** Builds the whole application; it does not listen on a port. */
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
  const nextTurn = createTurns();
  const liveLimit = createLiveLimit(runtime, nextTurn);
  const readBody = bodyReader({
    dataDir: runtime.config.text('DATA_DIR'),
    budget,
    uploads,
    silentMs,
    bodyMs,
    nextTurn,
  });
  mountRoutes(router, runtime, { readBody, liveLimit, nextTurn });
  mountPages(router, runtime, { site, liveLimit });
  app.use(markdownTwins(runtime, site));
  app.use(router.routes());
  app.use(async (ctx) => {
    await liveLimit.count(ctx);
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

/** Returns the methods of the most specific matched patterns, which are those with the fewest parameters, sorted. */
const allowedMethods = (matched: readonly Matched[]): readonly string[] => {
  const least = Math.min(...matched.map(parametersIn));
  const own = matched.filter((one) => parametersIn(one) === least);
  return [...new Set(own.flatMap(({ methods }) => methods))].sort();
};

const otherMethod = (method: string, matched: readonly Matched[]): AppError =>
  coreErrors.method_not_allowed({ method }, { headers: { Allow: allowedMethods(matched).join(', ') } });

/**
 * Throws `method_not_allowed` when the most specific pattern of this path does not support the method. A literal path is
 * never treated as a parameter value of another route, whatever the method.
 */
const refuseOtherMethod = ({ method, matched = [] }: { method: string; matched?: readonly Matched[] }): void => {
  if (!allowedMethods(matched).includes(method)) throw otherMethod(method, matched);
};

/** Returns whether the request target can be parsed. Node also accepts invalid targets such as `GET http://[ HTTP/1.1`. */
const isReadable = (address: string): boolean => address.startsWith('/') || URL.canParse(address);

interface Surrounding {
  readonly findAddress: (peer: string, forwarded: string | undefined) => string;
  readonly deadlineMs: number;
  readonly counts: RequestCounts | undefined;
  readonly overload: OverloadGuard | undefined;
}

/** Sets the request id, the log line, the deadline and the security headers, and catches every error. */
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
      // Destroying the connection prevents the client from taking a partial response for a complete one.
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
      // A handler that finishes after the deadline has no effect, because the error response was already sent.
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
  // A page's form that a browser submits without script gets an error page for a person.
  const isRead = isForm(ctx) && ctx.accepts('json', 'html') === 'html';
  // The Accept header shows whether a program sends a file to the path of a page.
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

/** Renders the error page, or plain text when the template itself fails, so that the original error is not hidden. */
const errorPage = async (ctx: HttpContext, runtime: Runtime, failure: AppError) => {
  const { requestId } = ctx.state;
  try {
    return { type: 'text/html', text: await runtime.pages.errorPage(failure, requestId, ctx.path) };
  } catch (error) {
    runtime.log.error('error_page_failed', { request_id: requestId, error });
    return { type: 'text/plain', text: `${failure.detail} (${requestId})\n` };
  }
};

/** Allows cross-origin requests for GET routes that are public or limited and do not use a device cookie; no others. */
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
  readonly liveLimit: LiveLimit;
  readonly nextTurn: NextTurn;
}

const mountRoutes = (router: Router<RequestState>, runtime: Runtime, parts: RouteParts): void => {
  const { readBody, liveLimit, nextTurn } = parts;
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
      // A large upload over a slow connection may take long; any other body must arrive within the default deadline.
      // The handler's own deadline starts after the body was read.
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
        else if (route.access === 'public') await liveLimit.count(ctx);
        if (route.admits) {
          const context = contextFor(runtime, plugin, ctx.state, { principal, device: null, session: NO_SESSION });
          if (!route.admits(context, ctx.params)) {
            await throttle(GUESSES, quotaAddress(ctx.state.address));
            throw notFound('Path', route.path);
          }
        }
        const sent = await body.read();
        if (route.request.body) await nextTurn();
        if (!route.stream) ctx.state.beginWork();
        const checked = check({
          params: ctx.params,
          query: parseQueryString(ctx.querystring),
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

/** Renders the page that answers a submission; it is sent to one client and never cached. */
const show = (ctx: HttpContext, runtime: Runtime, { page, head, view }: ShownPage, status = 200): void => {
  ctx.state.mayHoldSecret = true;
  ctx.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' });
  ctx.status = status;
  ctx.body = runtime.pages.render(page, ctx.path, head, view as never);
  ctx.type = 'text/html';
};

/**
 * Returns whether a route that changes data accepts requests without an API key, so that cross-site requests must be
 * refused. A request with a key may come from any site, because another site cannot make a browser send the key.
 * HEAD and OPTIONS routes belong to routes that write, and a GET route that creates a device also writes.
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

/** Removes the deadline for a streamed response, which may last as long as the client reads from it. */
const letStream = (ctx: HttpContext): void => {
  ctx.state.holdDeadline();
  ctx.res.setTimeout(STALLED_MS);
};

/**
 * Returns whether a response may contain a secret, so that it must not be compressed. Another site cannot make a browser
 * send an API key, so a response that is uncacheable only because it needs a key is safe to compress. The browser sends
 * cookies automatically.
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
