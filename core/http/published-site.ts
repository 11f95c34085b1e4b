/**
 * The published site as readers ask for it: addresses from the index, what was asked for lately in memory with its
 * headers ready, the rest on disk. A new build is seen within half a second; what it did not change stays in memory.
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
/** Of a page in memory beside its bodies: headers, entry, bookkeeping. */
const OVERHEAD_BYTES = 6_000;
/** How often another build is looked for, in milliseconds. */
const LOOK_EVERY = 500;

/**
 * A reader may see a page a minute old, and one that a cache is just renewing. A correction must not take longer; a
 * cache may show an older page only while it cannot reach us.
 */
const PAGE_CACHE = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400';
/** The name of an asset changes with its content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';

/** How long caches may keep what is published at an address. */
export const cacheControlOf = (path: string): string => (path.startsWith('/assets/') ? ASSET_CACHE : PAGE_CACHE);

/** One of the forms of a page, ready to be sent. */
export interface Form extends Validators {
  readonly encoding: Encoding;
  readonly body: Buffer;
  /** Of a whole answer. */
  readonly headers: HeaderBlock;
  /** Those that a 304 repeats. */
  readonly unchangedHeaders: HeaderBlock;
}

export interface PublishedPage {
  readonly path: string;
  /** The pattern that the log names: never the address, which may hold what ails somebody. */
  readonly route: string;
  entry: SiteEntry;
  /** Of the build that the entry was last found in. */
  generation: number;
  readonly forms: Partial<Record<Encoding, Form>>;
  readonly pending: Partial<Record<Encoding, Promise<Form>>>;
}

export interface PublishedSite {
  /** What is published at exactly this address; null for everything else. */
  page(path: string): PublishedPage | null;
  /** From disk, and kept. Rejects, and is logged, when it cannot be read even after another look for a newer build. */
  load(page: PublishedPage, encoding: Encoding): Promise<Form>;
  /** Its name; null before the first. */
  build(): string | null;
  /** False until the first build is out; looks again before it says so. */
  isPublished(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the site of this DATA_DIR, published yet or not. */
export const openPublishedSite = async (runtime: Runtime): Promise<PublishedSite> =>
  createPublishedSite(await openSite(join(runtime.config.text('DATA_DIR'), 'site'), runtime.log), runtime);

/** Takes the reader over, and closes it. */
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
  /** One look at a time: who comes meanwhile shares it. */
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
    // At once: those who ask while it is read wait for the same reading.
    keep(fresh);
    return fresh;
  };
  const read = async (wanted: PublishedPage, encoding: Encoding): Promise<Form> => {
    try {
      return formOf(wanted.entry, encoding, await reader.read(wanted.entry, encoding));
    } catch (error) {
      // A build that was swept a moment ago: the next one has the page, or none has.
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

/** Does it again and again, never twice at once; keeps no process alive. Answers how to stop, once the last one is done. */
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

/** `/robots.txt` and its like are few and name nothing private. */
const routeFinder = (pages: readonly Page[]): ((path: string) => string) => {
  const match = pathMatcher(pages.toSorted(bySpecificity).map(({ path }) => path));
  return (path) => {
    if (path.startsWith('/assets/')) return '/assets/{name}';
    if (/^\/sitemap-[a-z0-9-]+\.xml$/.test(path)) return '/sitemap-{part}.xml';
    return match(path) ?? (/^\/[^/]+\.[a-z]{2,5}$/.test(path) ? path : '(published)');
  };
};

const SUFFIX: Readonly<Record<Encoding, string>> = { identity: '', gzip: '-gz', br: '-br' };

/** Each form has a strong tag of its own: a cache may then join ranges, and keeps the three apart. */
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
