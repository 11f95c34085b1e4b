/**
 * Serves the published site: addresses are looked up in the index, recently requested pages are cached in memory with
 * their headers, and the others are read from disk. A new build is detected within half a second; pages that it did not
 * change stay in the cache.
 */
import { join } from 'node:path';
import type { Page } from '../plugin.ts';
import { bySpecificity } from '../registry.ts';
import type { Runtime } from '../runtime.ts';
import { openSite, type SiteEntry, type SiteReader } from '../site/site-reader.ts';
import type { Encoding } from './accepted-encoding.ts';
import type { Validators } from './conditional-headers.ts';
import { type HeaderBlock, headerBlock } from './header-block.ts';
import { LRUCache } from './lru.ts';
import { pathMatcher } from './path-pattern.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const CACHE_BYTES = 64 * 1024 * 1024;
/** Estimated memory of a cached page in addition to its bodies (headers, entry, bookkeeping), in bytes. */
const OVERHEAD_BYTES = 6_000;
/** Interval between checks for a new build, in milliseconds. */
const LOOK_EVERY = 500;

/**
 * Pages may be served up to one minute old, and stale while a cache revalidates them. A correction must not take longer
 * to appear; a cache may serve an older page only while the server is unreachable.
 */
const PAGE_CACHE = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400';
/** Assets are immutable, because their name changes with their content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';

/** Returns the Cache-Control value for a published address. */
export const cacheControlOf = (path: string): string => (path.startsWith('/assets/') ? ASSET_CACHE : PAGE_CACHE);

/** One encoding of a page, ready to be sent. */
export interface Form extends Validators {
  readonly encoding: Encoding;
  readonly body: Buffer;
  /** Headers of a complete response (200). */
  readonly headers: HeaderBlock;
  /** Headers that a 304 response repeats. */
  readonly unchangedHeaders: HeaderBlock;
}

export interface PublishedPage {
  readonly path: string;
  /** The path pattern for logs, which never contain the path itself because it may name a reader's illness. */
  readonly route: string;
  entry: SiteEntry;
  /** Generation of the build in which the entry was last found. */
  generation: number;
  readonly forms: Partial<Record<Encoding, Form>>;
  readonly pending: Partial<Record<Encoding, Promise<Form>>>;
}

export interface PublishedSite {
  /** Returns the page published at exactly this path; null for everything else. */
  page(path: string): PublishedPage | null;
  /** Reads a form from disk and caches it. Rejects and logs when it is unreadable even after a check for a newer build. */
  load(page: PublishedPage, encoding: Encoding): Promise<Form>;
  /** Returns the name of the build; null before the first one. */
  build(): string | null;
  /** Returns whether a build is published; checks for a new build before it returns false. */
  isPublished(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the site of this DATA_DIR, whether or not a build is published. */
export const openPublishedSite = async (runtime: Runtime): Promise<PublishedSite> =>
  createPublishedSite(await openSite(join(runtime.config.text('DATA_DIR'), 'site'), runtime.log), runtime);

/** Creates the site from a reader, which it owns and closes. */
export const createPublishedSite = (reader: SiteReader, { plugins, log }: Pick<Runtime, 'plugins' | 'log'>) => {
  const cache = new LRUCache<PublishedPage>(CACHE_BYTES);
  const routeOf = routeFinder(plugins.flatMap(({ pages = [] }) => pages as readonly Page[]));
  let generation = 0;
  const lookOnce = async (): Promise<boolean> => {
    const isNew = await reader.refresh();
    if (isNew) generation += 1;
    return isNew;
  };
  let looking: Promise<boolean> | null = null;
  /** Checks for a new build; concurrent callers share one check. */
  const look = (): Promise<boolean> => {
    looking ??= lookOnce().finally(() => {
      looking = null;
    });
    return looking;
  };
  const stopLooking = every(LOOK_EVERY, () =>
    look().catch((error) => {
      log.warn('published_site_unreadable', { error });
    }),
  );
  const keep = (page: PublishedPage): void => {
    const bodies = Object.values(page.forms).reduce((sum, { body }) => sum + body.length, 0);
    cache.set(page.path, page, bodies + OVERHEAD_BYTES);
  };
  const page = (path: string): PublishedPage | null => {
    const known = cache.get(path);
    if (known?.generation === generation) return known;
    const entry = reader.find(path);
    if (entry && known && isSame(entry, known.entry)) return Object.assign(known, { entry, generation });
    cache.delete(path);
    if (!entry) return null;
    const fresh: PublishedPage = { path, route: routeOf(path), entry, generation, forms: {}, pending: {} };
    // The page is cached before it is read, so that concurrent requests share one read.
    keep(fresh);
    return fresh;
  };
  const read = async (wanted: PublishedPage, encoding: Encoding): Promise<Form> => {
    try {
      return formOf(wanted.entry, encoding, await reader.read(wanted.entry, encoding));
    } catch (error) {
      // The build may have been deleted a moment ago; then the next build has the page, or no build has it.
      const entry = (await look().catch(() => false)) ? reader.find(wanted.path) : null;
      if (!entry) throw error;
      Object.assign(wanted, { entry, generation, forms: {} });
      return formOf(entry, encoding, await reader.read(entry, encoding));
    }
  };
  const load = async (wanted: PublishedPage, encoding: Encoding): Promise<Form> => {
    wanted.pending[encoding] ??= read(wanted, encoding);
    try {
      const form = await wanted.pending[encoding];
      wanted.forms[encoding] = form;
      if (wanted.generation === generation) keep(wanted);
      return form;
    } catch (error) {
      log.warn('published_page_unreadable', { route: wanted.route, error });
      throw error;
    } finally {
      delete wanted.pending[encoding];
    }
  };
  const site: PublishedSite = {
    page,
    load,
    build: () => reader.build(),
    isPublished: async () => {
      if (reader.build() === null) await look().catch(() => false);
      return reader.build() !== null;
    },
    close: async () => {
      await stopLooking();
      await reader.close();
    },
  };
  return site;
};

/**
 * Repeats the work at an interval, without overlap and without keeping the process alive. Returns a function that stops it
 * and waits for the last run.
 */
const every = (milliseconds: number, work: () => Promise<unknown>): (() => Promise<void>) => {
  let running: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = work().finally(() => {
      isBusy = false;
    });
  }, milliseconds).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
};

const isSame = (a: SiteEntry, b: SiteEntry): boolean =>
  a.etag === b.etag && a.type === b.type && a.modified.getTime() === b.modified.getTime();

/** Returns a function that finds the route of a path for logs. Files such as `/robots.txt` are few and not private. */
const routeFinder = (pages: readonly Page[]): ((path: string) => string) => {
  const match = pathMatcher(pages.toSorted(bySpecificity).map(({ path }) => path));
  return (path) => {
    if (path.startsWith('/assets/')) return '/assets/{name}';
    if (/^\/sitemap-[a-z0-9-]+\.xml$/.test(path)) return '/sitemap-{part}.xml';
    return match(path) ?? (/^\/[^/]+\.[a-z]{2,5}$/.test(path) ? path : '(published)');
  };
};

const SUFFIX: Readonly<Record<Encoding, string>> = { identity: '', gzip: '-gz', br: '-br' };

/** Builds a form with a strong ETag of its own, so that caches may combine ranges and store the encodings separately. */
const formOf = (entry: SiteEntry, encoding: Encoding, body: Buffer): Form => {
  const etag = `"${entry.etag}${SUFFIX[encoding]}"`;
  const modifiedSeconds = Math.floor(entry.modified.getTime() / 1000);
  const unchanged = {
    ETag: etag,
    'Last-Modified': new Date(modifiedSeconds * 1000).toUTCString(),
    'Cache-Control': cacheControlOf(entry.path),
    Vary: 'Accept-Encoding',
    ...SECURITY_HEADERS,
  };
  const whole = {
    'Content-Type': entry.type,
    'Content-Length': String(body.length),
    ...(encoding === 'identity' ? { 'Accept-Ranges': 'bytes' } : { 'Content-Encoding': encoding }),
    ...unchanged,
  };
  return {
    encoding,
    etag,
    modifiedSeconds,
    body,
    headers: headerBlock(whole),
    unchangedHeaders: headerBlock(unchanged),
  };
};
