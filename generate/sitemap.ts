/** robots.txt and the sitemaps, from the plan: never from a second list. */
import { Readable } from 'node:stream';
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap';
import type { SitemapPart } from '#core/plugin.ts';
import type { PlannedPage } from './plan.ts';

/** The protocol's limit of addresses per file. */
const MAX_URLS = 50_000;
/** Parts with a fixed name; they are served even when empty, and named in the index when not. */
const NAMED: readonly SitemapPart[] = ['static', 'supplements', 'conditions', 'interactions', 'articles', 'biomarkers'];

export interface DiscoveryFile {
  readonly file: string;
  readonly text: string;
}

const EMPTY =
  '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>\n';

const urlset = async (pages: readonly PlannedPage[], baseUrl: string): Promise<string> => {
  if (!pages.length) return EMPTY;
  const stream = new SitemapStream({
    hostname: baseUrl,
    xmlns: { news: false, xhtml: false, image: false, video: false },
  });
  const items = pages.map(({ url, instance }) => ({ url, ...(instance.changedAt && { lastmod: instance.changedAt }) }));
  return `${await streamToPromise(Readable.from(items).pipe(stream))}\n`;
};

const latest = (pages: readonly PlannedPage[]): string | undefined =>
  pages.reduce<string | undefined>(
    (last, { instance: { changedAt } }) => (changedAt && (!last || changedAt > last) ? changedAt : last),
    undefined,
  );

const chunks = (
  part: SitemapPart,
  pages: readonly PlannedPage[],
): { name: string; pages: readonly PlannedPage[] }[] => {
  const count = Math.ceil(pages.length / MAX_URLS);
  const numbered = part === 'products';
  return Array.from({ length: Math.max(count, numbered ? 0 : 1) }, (_, at) => ({
    name: numbered ? `sitemap-${part}-${at + 1}.xml` : at ? `sitemap-${part}-${at + 1}.xml` : `sitemap-${part}.xml`,
    pages: pages.slice(at * MAX_URLS, (at + 1) * MAX_URLS),
  }));
};

/** Every discovery file of a build. */
export const discoveryFiles = async (
  plan: readonly PlannedPage[],
  baseUrl: string,
): Promise<readonly DiscoveryFile[]> => {
  const byPart = Map.groupBy(plan, ({ page }) => page.sitemap);
  const parts = [...NAMED, 'products' as const].flatMap((part) => chunks(part, byPart.get(part) ?? []));
  const files = await Promise.all(
    parts.map(async ({ name, pages }) => ({ file: name, text: await urlset(pages, baseUrl) })),
  );
  const index = new SitemapIndexStream();
  const items = parts
    .filter(({ pages }) => pages.length)
    .map(({ name, pages }) => ({ url: `${baseUrl}/${name}`, lastmod: latest(pages) }));
  const indexText = `${await streamToPromise(Readable.from(items).pipe(index))}\n`;
  const robots = `User-agent: *\nDisallow: /api/\n\nSitemap: ${baseUrl}/sitemap.xml\n`;
  return [...files, { file: 'sitemap.xml', text: indexText }, { file: 'robots.txt', text: robots }];
};
