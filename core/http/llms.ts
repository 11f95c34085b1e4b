/**
 * Serves /llms.txt and /llms-full.txt (llmstxt.org), which are built from the published pages that opt in. The texts are
 * built on demand, cached, and rebuilt in the background; a page that did not change is not read again.
 */
import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type Router from '@koa/router';
import { coreErrors } from '../errors.ts';
import type { Page } from '../plugin.ts';
import { type FullPage, fullText, type IndexedPage, indexText } from '../render/llms-text.ts';
import { headOf, markdownBrief, twinOf } from '../render/markdown-twin.ts';
import { pageAddress } from '../render/page-address.ts';
import type { Runtime } from '../runtime.ts';
import { systemContext } from '../system-context.ts';
import type { PublishedSite } from './published-site.ts';
import type { HttpContext, RequestState } from './request-state.ts';

/** Time for which the texts are served without a rebuild, in milliseconds. */
const FRESH = 300_000;

interface Text {
  readonly body: Buffer;
  readonly etag: string;
}

interface Texts {
  readonly '/llms.txt': Text;
  readonly '/llms-full.txt': Text;
}

/** The cached chapters by the path of their page. */
type Chapters = ReadonlyMap<string, { readonly etag: string; readonly page: FullPage }>;

export const mountLlms = (router: Router<RequestState>, runtime: Runtime, site: PublishedSite | null): void => {
  const comeBack = { headers: { 'Retry-After': '30' } };
  let chapters: Chapters = new Map();
  let kept: { readonly texts: Texts; readonly madeAt: number } | null = null;
  let making: Promise<Texts> | null = null;
  const make = async (published: PublishedSite): Promise<Texts> => {
    chapters = await readChapters(runtime, published, chapters);
    const texts = textsOf(
      [...chapters.values()].map(({ page }) => page),
      runtime.config.text('BASE_URL'),
    );
    kept = { texts, madeAt: Date.now() };
    return texts;
  };
  const current = async (published: PublishedSite): Promise<Texts> => {
    if (kept && Date.now() - kept.madeAt < FRESH) return kept.texts;
    making ??= make(published).finally(() => {
      making = null;
    });
    if (!kept) return making;
    making.catch((error) => runtime.log.warn('llms_not_made', { error }));
    return kept.texts;
  };
  router.get(['/llms.txt', '/llms-full.txt'], async (koa) => {
    const ctx = koa as unknown as HttpContext;
    ctx.state.matched = ctx.path;
    if (!site || !(await site.isPublished())) throw coreErrors.reduced_capacity({}, comeBack);
    const { body, etag } = (await current(site))[ctx.path as keyof Texts];
    ctx.status = 200;
    ctx.set({ 'Cache-Control': 'public, max-age=300', ETag: etag, 'Content-Type': 'text/plain; charset=utf-8' });
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = body;
  });
};

const textsOf = (pages: readonly FullPage[], baseUrl: string): Texts => {
  const text = (words: string): Text => {
    const body = Buffer.from(words);
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
  };
  return { '/llms.txt': text(indexText(pages, baseUrl)), '/llms-full.txt': text(fullText(pages, baseUrl)) };
};

/** Builds the chapters in the order of plugins, pages and their lists. */
const readChapters = async (runtime: Runtime, site: PublishedSite, before: Chapters): Promise<Chapters> => {
  const now = new Map<string, { etag: string; page: FullPage }>();
  const signal = AbortSignal.timeout(120_000);
  for (const plugin of runtime.plugins)
    for (const page of (plugin.pages ?? []) as readonly Page[]) {
      if (!page.llms || !page.list) continue;
      const address = pageAddress(page.path);
      for await (const { params } of page.list(systemContext(runtime, plugin, signal))) {
        const path = address(params);
        const known = before.get(path);
        const published = site.page(path);
        if (!published) continue;
        if (known?.etag === published.entry.etag) now.set(path, known);
        else {
          const html = (await site.load(published, 'identity')).body.toString();
          now.set(path, { etag: published.entry.etag, page: chapterOf(html, path, page.llms, runtime) });
          // Yield to other requests between two pages.
          await breathe();
        }
      }
    }
  return now;
};

const chapterOf = (html: string, path: string, llms: NonNullable<Page['llms']>, { config }: Runtime): FullPage => {
  const baseUrl = config.text('BASE_URL');
  const { name, title, description } = headOf(html);
  const listed: IndexedPage = {
    section: llms.section,
    title: name || title,
    description,
    href: `${baseUrl}${twinOf(path)}`,
  };
  return { ...listed, text: llms.isInFull ? markdownBrief(html, baseUrl) : null, address: `${baseUrl}${path}` };
};
