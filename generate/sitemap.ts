/** robots.txt and the sitemaps, from what is published: never from a second list. */
import { Readable } from 'node:stream';
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap';
import type { SitemapPart } from '#core/plugin.ts';

/** The protocol's limit of addresses per file. */
const MAX_URLS = 50_000;
/** Parts with a fixed name; they are served even when empty, and named in the index when not. */
const NAMED: readonly SitemapPart[] = ['static', 'supplements', 'conditions', 'interactions', 'articles', 'biomarkers'];

export interface DiscoveryFile {
  /** As it is asked for: `/robots.txt`. */
  readonly path: string;
  /** Null: as it is published. */
  readonly text: string | null;
}

/** A published page as sitemaps list it. */
export interface ListedPage {
  readonly url: string;
  readonly part: SitemapPart | null;
  /** Milliseconds since 1970; null when unknown. */
  readonly changedAt: number | null;
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Addresses of pages are percent-encoded; these are what is left for XML to mind. */
const escaped = (text: string): string =>
  /[&'<]/.test(text) ? text.replace(/&/g, '&amp;').replace(/'/g, '&apos;').replace(/</g, '&lt;') : text;

const timeOf = (changedAt: number | null): { lastmod?: string } =>
  changedAt === null ? {} : { lastmod: new Date(changedAt).toISOString() };

const EMPTY = `${XML}<urlset ${SCHEMA}></urlset>\n`;

const urlset = async (pages: readonly ListedPage[], baseUrl: string): Promise<string> => {
  if (!pages.length) return EMPTY;
  const xmlns = { news: false, xhtml: false, image: false, video: false };
  const stream = new SitemapStream({ hostname: baseUrl, xmlns });
  const items = pages.map(({ url, changedAt }) => ({ url, ...timeOf(changedAt) }));
  return `${await streamToPromise(Readable.from(items).pipe(stream))}\n`;
};

/** Neighbours often changed together. */
const lastmodOf = (): ((changedAt: number | null) => string) => {
  let kept: [number | null, string] = [null, ''];
  return (changedAt) => {
    if (changedAt !== kept[0])
      kept = [changedAt, changedAt === null ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`];
    return kept[1];
  };
};

/**
 * The same, for the products: 100,000 of them through the package's streams take two seconds, each time one changes; put
 * together here, a tenth of one. Their addresses are numbers, so there is next to nothing to get wrong.
 */
const longUrlset = (pages: readonly ListedPage[], baseUrl: string): string => {
  const lastmod = lastmodOf();
  let text = `${XML}<urlset ${SCHEMA}>`;
  for (const { url, changedAt } of pages)
    text += `<url><loc>${baseUrl}${escaped(url)}</loc>${lastmod(changedAt)}</url>`;
  return `${text}</urlset>\n`;
};

const latest = (pages: readonly ListedPage[]): number | null =>
  pages.reduce<number | null>(
    (last, { changedAt }) => (changedAt !== null && (last === null || changedAt > last) ? changedAt : last),
    null,
  );

const chunks = (part: SitemapPart, pages: readonly ListedPage[]): { name: string; pages: readonly ListedPage[] }[] => {
  const count = Math.ceil(pages.length / MAX_URLS);
  const numbered = part === 'products';
  return Array.from({ length: Math.max(count, numbered ? 0 : 1) }, (_, at) => ({
    name: numbered || at ? `sitemap-${part}-${at + 1}.xml` : `sitemap-${part}.xml`,
    pages: pages.slice(at * MAX_URLS, (at + 1) * MAX_URLS),
  }));
};

interface Known {
  readonly baseUrl: string;
  /** Whether a file with pages of a part is published, and still right. */
  stays(path: string, part: SitemapPart): boolean;
}

/** Every discovery file of a build. */
export async function* discoveryFiles(
  pages: readonly ListedPage[],
  { baseUrl, stays }: Known,
): AsyncIterable<DiscoveryFile> {
  const byPart = Map.groupBy(pages, ({ part }) => part);
  const items: { url: string; lastmod?: string }[] = [];
  for (const part of [...NAMED, 'products'] as const) {
    for (const { name, pages: listed } of chunks(part, byPart.get(part) ?? [])) {
      if (listed.length) items.push({ url: `${baseUrl}/${name}`, ...timeOf(latest(listed)) });
      const path = `/${name}`;
      if (stays(path, part)) yield { path, text: null };
      else yield { path, text: part === 'products' ? longUrlset(listed, baseUrl) : await urlset(listed, baseUrl) };
    }
  }
  const index = `${await streamToPromise(Readable.from(items).pipe(new SitemapIndexStream()))}\n`;
  yield { path: '/sitemap.xml', text: index };
  yield { path: '/robots.txt', text: `User-agent: *\nDisallow: /api/\n\nSitemap: ${baseUrl}/sitemap.xml\n` };
}
