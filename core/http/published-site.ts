/**
 * The published pages, and the style sheets and scripts that they were made with: `DATA_DIR/site/current` is a link that `generate` moves in one step. Files are kept in memory up
 * to a limit; a published file never changes, a new build is a new folder.
 */
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from './lru.ts';
import type { HttpContext } from './request-state.ts';

const CACHE_BYTES = 64 * 1024 * 1024;
/** How long a look at the link is trusted, in milliseconds. */
const LINK_TTL = 500;

interface PublishedFile {
  readonly etag: string;
  readonly modified: Date;
  readonly type: string;
  readonly identity: Buffer;
  readonly gzip: Buffer | null;
  readonly br: Buffer | null;
}

export interface PublishedSite {
  /** Null also for a page whose style sheets or scripts nobody has any more: it is better made anew. */
  find(path: string): Promise<PublishedFile | null>;
  /** An asset of a build that is still there, by its address; the program itself may have another by now. */
  asset(path: string): Promise<Buffer | null>;
  /** False until the first build is out. */
  isPublished(): Promise<boolean>;
}

/** The file behind an address: `/` is index.html, `/a/b` is a/b.html; anything odd has none. */
export const fileOf = (path: string): string | null => {
  if (path === '/') return 'index.html';
  if (/^\/(robots\.txt|sitemap[a-z0-9-]*\.xml)$/.test(path)) return path.slice(1);
  if (!/^(\/[A-Za-z0-9][A-Za-z0-9._~-]*)+$/.test(path)) return null;
  return `${path.slice(1)}.html`;
};

const typeOf = (file: string): string =>
  file.endsWith('.html')
    ? 'text/html; charset=utf-8'
    : file.endsWith('.xml')
      ? 'application/xml; charset=utf-8'
      : 'text/plain; charset=utf-8';

const ASSET = /^\/assets\/[a-z0-9-]+\.[0-9a-f]{10}\.[a-z0-9]{2,5}$/;

const assetsNamedIn = (html: Buffer): Set<string> =>
  new Set([...html.toString('latin1').matchAll(/"(\/assets\/[^"?#]+)"/g)].map(([, path = '']) => path));

/** @param hasAsset whether the program itself serves the asset of that address. */
export const publishedSite = (dataDir: string, hasAsset: (path: string) => boolean): PublishedSite => {
  const link = join(dataDir, 'site', 'current');
  const cache = new LRUCache<PublishedFile>(CACHE_BYTES);
  let folder: { name: string | null; readAt: number } = { name: null, readAt: 0 };
  const currentFolder = async (trusted: number): Promise<string | null> => {
    const now = Date.now();
    if (now - folder.readAt < trusted) return folder.name;
    const target = await readlink(link).catch(() => null);
    folder = { name: target && join(dataDir, 'site', target), readAt: now };
    return folder.name;
  };
  const builds = join(dataDir, 'site', 'builds');
  const asset = async (path: string): Promise<Buffer | null> => {
    if (!ASSET.test(path)) return null;
    // The newest first; the one before may still lie in a browser's cache.
    for (const build of (await readdir(builds).catch(() => [])).toSorted().reverse()) {
      const body = await readFile(join(builds, build, path)).catch(() => null);
      if (body) return body;
    }
    return null;
  };
  const isWhole = async (html: Buffer): Promise<boolean> => {
    for (const path of assetsNamedIn(html)) if (!hasAsset(path) && !(await asset(path))) return false;
    return true;
  };
  const look = async (base: string, file: string): Promise<PublishedFile | null> => {
    const full = join(base, file);
    const cached = cache.get(full);
    if (cached) return cached;
    const read = await readPublished(full);
    if (read && full.endsWith('.html') && !(await isWhole(read.identity))) return null;
    if (read) cache.set(full, read, read.identity.length + (read.gzip?.length ?? 0) + (read.br?.length ?? 0) + 200);
    return read;
  };
  return {
    asset,
    isPublished: async () => (await currentFolder(LINK_TTL)) !== null,
    find: async (path) => {
      const [base, file] = [await currentFolder(LINK_TTL), fileOf(path)];
      if (!file) return null;
      const found = base && (await look(base, file));
      if (found) return found;
      // Builds that follow each other closely sweep the folder that the link named a moment ago.
      const now = await currentFolder(0);
      return now && now !== base ? look(now, file) : null;
    },
  };
};

const readPublished = async (full: string): Promise<PublishedFile | null> => {
  const info = await stat(full).catch(() => null);
  if (!info?.isFile()) return null;
  const twin = (ending: string) => readFile(`${full}${ending}`).catch(() => null);
  const [identity, gzip, br] = await Promise.all([twin(''), twin('.gz'), twin('.br')]);
  if (!identity) return null;
  // Weak: it stands for the page in all three encodings.
  const etag = `W/"${info.mtimeMs.toString(36)}-${identity.length.toString(36)}"`;
  return { etag, modified: info.mtime, type: typeOf(full), identity, gzip, br };
};

/** Sends the published file of this address when there is one. */
export const sendPublished = async (ctx: HttpContext, site: PublishedSite): Promise<boolean> => {
  const file = await site.find(ctx.path);
  if (!file) return false;
  ctx.status = 200;
  ctx.set('Content-Type', file.type);
  ctx.set('ETag', file.etag);
  ctx.set('Last-Modified', file.modified.toUTCString());
  ctx.set('Cache-Control', 'public, max-age=60');
  ctx.set('Vary', 'Accept-Encoding');
  if (ctx.fresh) {
    ctx.status = 304;
    return true;
  }
  // Asked one by one: browsers write gzip first and mean no preference by it.
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && ctx.acceptsEncodings(name) === name);
  if (encoding) ctx.set('Content-Encoding', encoding);
  ctx.body = file[encoding ?? 'identity'];
  return true;
};
