/** robots.txt and the sitemaps, from what is published: never from a second list. */
import type { SitemapPart } from '#core/plugin.ts';

/** The protocol's limit of addresses per file. */
const MAX_URLS = 50_000;
/** Parts with a fixed name; they are served even when empty, and named in the index when not. */
const NAMED: readonly SitemapPart[] = ['static', 'supplements', 'conditions', 'interactions', 'articles', 'biomarkers'];

export interface DiscoveryFile {
  /** As it is asked for: `/robots.txt`. */
  readonly path: string;
  readonly text: string;
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

/** Neighbours often changed together. */
const lastmodOf = (): ((changedAt: number | null) => string) => {
  let kept: [number | null, string] = [null, ''];
  return (changedAt) => {
    if (changedAt !== kept[0])
      kept = [changedAt, changedAt === null ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`];
    return kept[1];
  };
};

const urlset = (pages: readonly ListedPage[], baseUrl: string): string => {
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

/** Every discovery file of a build. */
export const discoveryFiles = (pages: readonly ListedPage[], baseUrl: string): readonly DiscoveryFile[] => {
  const byPart = Map.groupBy(pages, ({ part }) => part);
  const parts = [...NAMED, 'products' as const].flatMap((part) => chunks(part, byPart.get(part) ?? []));
  const files = parts.map(({ name, pages: listed }) => ({ path: `/${name}`, text: urlset(listed, baseUrl) }));
  const named = parts
    .filter(({ pages: listed }) => listed.length)
    .map(({ name, pages: listed }) => `<sitemap><loc>${baseUrl}/${name}</loc>${lastmodOf()(latest(listed))}</sitemap>`);
  const index = `${XML}<sitemapindex ${SCHEMA}>${named.join('')}</sitemapindex>\n`;
  const robots = `User-agent: *\nDisallow: /api/\n\nSitemap: ${baseUrl}/sitemap.xml\n`;
  return [...files, { path: '/sitemap.xml', text: index }, { path: '/robots.txt', text: robots }];
};
