/**
 * Serves pages as Markdown: `GET /supplements/zinc.md` returns the page at `/supplements/zinc`, converted from its
 * published or live HTML. Only pages that are generated ahead of time have such a version.
 */
import { createHash } from 'node:crypto';
import type Koa from 'koa';
import type { Page } from '../plugin.ts';
import { bySpecificity } from '../registry.ts';
import { hasTwin, markdownTwin, pageOfTwin, twinOf } from '../render/markdown-twin.ts';
import type { Runtime } from '../runtime.ts';
import { LRUCache } from './lru.ts';
import { pathMatcher } from './path-pattern.ts';
import type { PublishedSite } from './published-site.ts';
import type { HttpContext, RequestState } from './request-state.ts';

const CACHE_BYTES = 16 * 1024 * 1024;
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400';

interface Twin {
  readonly body: Buffer;
  readonly etag: string;
  readonly modified: Date | null;
  readonly isIndexed: boolean;
}

export const markdownTwins = (runtime: Runtime, site: PublishedSite | null): Koa.Middleware<RequestState> => {
  const baseUrl = runtime.config.text('BASE_URL');
  const pages = runtime.plugins.flatMap((plugin) => (plugin.pages ?? []) as readonly Page[]).filter(hasTwin);
  const match = pathMatcher(pages.toSorted(bySpecificity).map(({ path }) => path));
  const cache = new LRUCache<Twin>(CACHE_BYTES);
  const make = (html: string, modified: Date | null): Twin => {
    const body = Buffer.from(markdownTwin(html, { baseUrl, modified }));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    return { body, etag, modified, isIndexed: !html.includes('<meta name="robots" content="noindex">') };
  };
  /** Converts the published page; null when it is not published or cannot be read. */
  const published = async (path: string): Promise<Twin | null> => {
    const page = site?.page(path);
    const form = page && (await site?.load(page, 'identity').catch(() => null));
    if (!form) return null;
    const key = `${path} ${form.etag}`;
    const known = cache.get(key);
    if (known) return known;
    const twin = make(form.body.toString(), new Date(form.modifiedSeconds * 1000));
    cache.set(key, twin, twin.body.length + 500);
    return twin;
  };
  return async (ctx, next) => {
    const path = ctx.method === 'GET' || ctx.method === 'HEAD' ? pageOfTwin(ctx.path) : null;
    const pattern = path === null ? undefined : match(path);
    if (path === null || !pattern) return next();
    const twin = (!ctx.querystring && (await published(path))) || (await live(ctx, path, { next, make }));
    ctx.state.matched = twinOf(pattern);
    if (twin) send(ctx, twin, `${baseUrl}${path}`);
  };
};

interface Making {
  readonly next: () => Promise<unknown>;
  readonly make: (html: string, modified: Date | null) => Twin;
}

/** Converts the live page; for a redirect, returns null and redirects to the Markdown version of the target. */
const live = async (ctx: HttpContext, path: string, { next, make }: Making): Promise<Twin | null> => {
  const asked = ctx.path;
  ctx.path = path;
  try {
    await next();
  } finally {
    ctx.path = asked;
  }
  const location = ctx.response.get('Location');
  if (location) {
    const [to = '', query] = location.split('?');
    ctx.set('Location', to.startsWith('/') ? `${twinOf(to)}${query ? `?${query}` : ''}` : location);
    return null;
  }
  return make(String(ctx.body), null);
};

/** Returns the live page's own Cache-Control if it has one, because the page may show what a reader typed. */
const cacheControl = (ctx: HttpContext): string => ctx.response.get('Cache-Control') || CACHE_CONTROL;

/** Sends the Markdown. It names the page as the canonical address for search engines, and is itself not excluded from them. */
const send = (ctx: HttpContext, { body, etag, modified, isIndexed }: Twin, canonical: string): void => {
  ctx.status = 200;
  ctx.set('Cache-Control', cacheControl(ctx));
  ctx.set('ETag', etag);
  if (modified) ctx.set('Last-Modified', modified.toUTCString());
  ctx.set('Link', `<${canonical}>; rel="canonical"`);
  if (!isIndexed) ctx.set('X-Robots-Tag', 'noindex');
  ctx.set('Content-Type', 'text/markdown; charset=utf-8');
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = body;
};
