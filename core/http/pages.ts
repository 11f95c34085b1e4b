/** Serves live pages: those that are not published, or that are requested with parameters. */
import type Router from '@koa/router';
import type { TSchema } from 'typebox';
import { coreErrors } from '../errors.ts';
import type { AnyPlugin, Page } from '../plugin.ts';
import { bySpecificity } from '../registry.ts';
import { assetType } from '../render/assets.ts';
import type { Runtime } from '../runtime.ts';
import { visitingDevice } from './device.ts';
import type { LiveLimit } from './live-limit.ts';
import { mountLlms } from './llms.ts';
import type { PublishedSite } from './published-site.ts';
import { parseQueryString } from './query-string.ts';
import { contextFor, type HttpContext, type RequestState, routerPath } from './request-state.ts';
import { sessionOf } from './session.ts';
import { requestChecker } from './validate.ts';

const LIVE_CACHE = 'public, max-age=60';

interface PageParts {
  readonly site: PublishedSite | null;
  readonly liveLimit: LiveLimit;
}

export const mountPages = (router: Router<RequestState>, runtime: Runtime, { site, liveLimit }: PageParts): void => {
  mountAssets(router, runtime);
  mountDiscovery(router, site);
  mountLlms(router, runtime, site);
  const all = runtime.plugins.flatMap((plugin) => (plugin.pages ?? []).map((page) => ({ plugin, page: page as Page })));
  for (const { plugin, page } of all.sort((a, b) => bySpecificity(a.page, b.page))) {
    const schemas = { params: page.params as TSchema, query: page.query as TSchema };
    const check = requestChecker(schemas, page.scope === 'device');
    router.get(routerPath(page.path), async (koa) => {
      const ctx = koa as unknown as HttpContext & { params: Record<string, string> };
      ctx.state.matched = page.path;
      if (hasTrailingSlash(ctx)) return redirectToPlain(ctx);
      await liveLimit.count(ctx);
      const { params, query } = check({
        params: ctx.params,
        query: parseQueryString(ctx.querystring),
        body: undefined,
      });
      await liveLimit.build(ctx, () => sendLive(ctx, runtime, plugin, page, { params, query }));
    });
  }
};

const sendLive = async (
  ctx: HttpContext,
  runtime: Runtime,
  plugin: AnyPlugin,
  page: Page,
  request: { params: Record<string, unknown>; query: Record<string, unknown> },
): Promise<void> => {
  const principal = { kind: 'anonymous', address: ctx.state.address } as const;
  const device = page.scope === 'device' ? visitingDevice(ctx, runtime.config.text('BASE_URL')) : null;
  const context = contextFor(runtime, plugin, ctx.state, { principal, device, session: sessionOf(ctx) });
  const answer = await page.load(context, request);
  if ('redirect' in answer) {
    ctx.status = answer.status ?? 303;
    ctx.redirect(answer.redirect);
    return;
  }
  if ('missing' in answer) {
    const { resource, id, near = [] } = answer.missing;
    throw coreErrors.not_found({ resource, id }, { body: { resource, id, near } });
  }
  const { isSecret } = answer.head;
  const noindex = page.scope === 'device' || isSecret || answer.head.noindex;
  const noStore = page.scope === 'device' || isSecret || answer.head.noStore;
  ctx.set('Cache-Control', noStore ? 'no-store' : LIVE_CACHE);
  if (isSecret) ctx.set('Referrer-Policy', 'no-referrer');
  if (noindex) ctx.set('X-Robots-Tag', 'noindex');
  ctx.body = runtime.pages.render(page, ctx.path, answer.head, answer.view);
  ctx.type = 'text/html';
};

const hasTrailingSlash = ({ path }: HttpContext): boolean => path.length > 1 && path.endsWith('/');

/** Redirects to the address without trailing slashes. The path matched a page, so it cannot lead to another host. */
const redirectToPlain = (ctx: HttpContext): void => {
  ctx.status = 301;
  ctx.set('Cache-Control', LIVE_CACHE);
  ctx.redirect(ctx.path.replace(/\/+$/, '') + ctx.search);
};

const mountAssets = (router: Router<RequestState>, runtime: Runtime): void => {
  router.get('/assets/:name', async (ctx) => {
    const body = runtime.pages.assets.find(ctx.path)?.body;
    if (!body) throw coreErrors.not_found({ resource: 'Asset', id: String(ctx.params.name) });
    ctx.state.matched = '/assets/{name}';
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('Content-Type', assetType(ctx.path));
    ctx.body = body;
  });
  // Browsers and phones request these paths by default.
  router.get(['/favicon.ico', '/apple-touch-icon.png'], (ctx) => {
    const icon = runtime.pages.assets.find(runtime.pages.assets.url(ctx.path.slice(1)));
    ctx.state.matched = ctx.path;
    ctx.set('Cache-Control', 'public, max-age=86400');
    ctx.set('Content-Type', icon?.type ?? 'application/octet-stream');
    ctx.body = icon?.body;
  });
};

/** Serves robots.txt and the sitemaps, which exist only as published files. */
const mountDiscovery = (router: Router<RequestState>, site: PublishedSite | null): void => {
  router.get(['/robots.txt', '/sitemap.xml', '/sitemap-:part.xml'], async (koa) => {
    const ctx = koa as unknown as HttpContext;
    ctx.state.matched = koa.path.startsWith('/sitemap-') ? '/sitemap-{part}.xml' : koa.path;
    // Crawlers retry after a 503; a 404 would mean "no restrictions" for robots.txt and "none" for a sitemap.
    const comeBack = { headers: { 'Retry-After': '30' } };
    if (!site || !(await site.isPublished())) throw coreErrors.reduced_capacity({}, comeBack);
    const page = site.page(ctx.path);
    if (!page) throw coreErrors.not_found({ resource: 'File', id: koa.path });
    const form = await site.load(page, 'identity').catch(() => null);
    if (!form) throw coreErrors.reduced_capacity({}, comeBack);
    ctx.set('Cache-Control', LIVE_CACHE);
    ctx.type = page.entry.type;
    ctx.body = form.body;
  });
};
