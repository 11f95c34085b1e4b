/** Builds robots.txt and the sitemaps from the index of published pages, so that they cannot differ from it. */
import { Readable } from 'node:stream';
import type { SitemapPart } from '#core/plugin.ts';

/** Maximum number of addresses per file in the sitemap protocol. */
const MAX_URLS = 50_000;
/**
 * Parts with a fixed file name. Their files are served even when they are empty, but the sitemap index lists only non-empty ones.
 */
const NAMED: readonly SitemapPart[] = ['static', 'supplements', 'conditions', 'interactions', 'articles', 'biomarkers'];

export interface DiscoveryFile {
  /** Path of the request, such as `/robots.txt`. */
  readonly path: string;
  /** Null when the published file is unchanged. */
  readonly text: string | Buffer | null;
}

/** The published pages that a sitemap lists. */
export interface Listed {
  readonly length: number;
  url(at: number): string;
  /** Copies the address into a buffer and returns the position after it. */
  copyUrl(at: number, into: Buffer, from: number): number;
  /** Milliseconds since 1970; null when unknown. */
  changedAt(at: number): number | null;
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const timeOf = (changedAt: number | null): { lastmod?: string } =>
  changedAt === null ? {} : { lastmod: new Date(changedAt).toISOString() };

const EMPTY = `${XML}<urlset ${SCHEMA}></urlset>\n`;

const urlset = async ({ pages, from, to }: Chunk, baseUrl: string): Promise<string> => {
  if (from === to) return EMPTY;
  const { SitemapStream, streamToPromise } = await import('sitemap');
  const xmlns = { news: false, xhtml: false, image: false, video: false };
  const stream = new SitemapStream({ hostname: baseUrl, xmlns });
  const items = Array.from({ length: to - from }, (_, at) => ({
    url: pages.url(from + at),
    ...timeOf(pages.changedAt(from + at)),
  }));
  return `${await streamToPromise(Readable.from(items).pipe(stream))}\n`;
};

/**
 * Returns a function for the text between two addresses, which contains the date of the first. Results are cached, because pages
 * often changed at the same time.
 */
const separators = (start: string): ((changedAt: number | null) => Buffer) => {
  const known = new Map<number | null, Buffer>();
  return (changedAt) => {
    const kept = known.get(changedAt);
    if (kept) return kept;
    const lastmod = changedAt === null ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    const made = Buffer.from(`</loc>${lastmod}</url>${start}`);
    if (known.size < MOST_SEPARATORS) known.set(changedAt, made);
    return made;
  };
};

const MOST_SEPARATORS = 10_000;
/** Maximum length of an entry: the length of a path is a 16-bit number, and little text follows it. */
const LONGEST_ENTRY = 2 ** 16 + 200;

/**
 * Builds the same file for the products. For 100,000 products the streams of the sitemap package take two seconds whenever one
 * changes; concatenating the text takes a fiftieth of that. Page addresses contain no characters that XML would require to be
 * escaped.
 */
const longUrlset = ({ pages, from, to }: Chunk, baseUrl: string): Buffer => {
  const start = `<url><loc>${baseUrl}`;
  const separator = separators(start);
  let text = Buffer.allocUnsafe((to - from) * 160 + 2 * (LONGEST_ENTRY + start.length));
  let end = text.write(`${XML}<urlset ${SCHEMA}>${start}`);
  for (let at = from; at < to; at += 1) {
    if (end + start.length + LONGEST_ENTRY > text.length) text = Buffer.concat([text, Buffer.allocUnsafe(text.length)]);
    end = pages.copyUrl(at, text, end);
    const between = separator(pages.changedAt(at));
    text.set(between, end);
    end += between.length;
  }
  end -= Buffer.byteLength(start);
  end += text.write('</urlset>\n', end);
  return text.subarray(0, end);
};

/** A page whose date changed. */
export interface Dated {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

const LASTMOD = '<lastmod>';

/**
 * Overwrites dates in published sitemap files, because almost all of such a file is unchanged.
 * @param files in sequence, in the order in which they list the pages.
 * @param pages in the same order.
 * @returns whether each page was found with a date; otherwise the files are unusable.
 */
export const writeDates = (files: readonly { file: Buffer }[], pages: readonly Dated[], baseUrl: string): boolean => {
  let next = 0;
  for (const { file } of files) {
    for (let from = 0; next < pages.length; next += 1) {
      const { url, changedAt } = pages[next] as Dated;
      const entry = `<loc>${baseUrl}${url}</loc>`;
      const at = file.indexOf(entry, from, 'latin1');
      if (at < 0) break;
      const date = at + entry.length + LASTMOD.length;
      const now = new Date(changedAt).toISOString();
      from = date + now.length;
      if (file.toString('latin1', date - LASTMOD.length, date) !== LASTMOD || file[from] !== END_OF_DATE) return false;
      file.write(now, date, 'latin1');
    }
  }
  return next === pages.length;
};

/** `<` */
const END_OF_DATE = 0x3c;

const latest = ({ pages, from, to }: Chunk): number | null => {
  let last: number | null = null;
  for (let at = from; at < to; at += 1) {
    const changedAt = pages.changedAt(at);
    if (changedAt !== null && (last === null || changedAt > last)) last = changedAt;
  }
  return last;
};

/** The pages of one file, from index `from` to index `to` (exclusive). */
interface Chunk {
  readonly name: string;
  readonly pages: Listed;
  readonly from: number;
  readonly to: number;
}

const NONE: Listed = { length: 0, url: () => '', copyUrl: (_, __, from) => from, changedAt: () => null };

const chunks = (part: SitemapPart, pages: Listed): readonly Chunk[] => {
  const count = Math.ceil(pages.length / MAX_URLS);
  const numbered = part === 'products';
  return Array.from({ length: Math.max(count, numbered ? 0 : 1) }, (_, at) => ({
    name: numbered || at ? `sitemap-${part}-${at + 1}.xml` : `sitemap-${part}.xml`,
    pages,
    from: at * MAX_URLS,
    to: Math.min(pages.length, (at + 1) * MAX_URLS),
  }));
};

interface Known {
  readonly baseUrl: string;
  /** Returns whether the published file with pages of a part is still valid. */
  stays(path: string, part: SitemapPart): boolean;
  /** Product files by path in which only dates changed, with updated dates; null when more changed. */
  readonly dated: ReadonlyMap<string, Buffer> | null;
}

/** Yields every discovery file of a build. */
export async function* discoveryFiles(
  parts: ReadonlyMap<SitemapPart | null, Listed>,
  { baseUrl, stays, dated }: Known,
): AsyncIterable<DiscoveryFile> {
  const items: { url: string; lastmod?: string }[] = [];
  for (const part of [...NAMED, 'products'] as const) {
    for (const chunk of chunks(part, parts.get(part) ?? NONE)) {
      if (chunk.from < chunk.to) items.push({ url: `${baseUrl}/${chunk.name}`, ...timeOf(latest(chunk)) });
      const path = `/${chunk.name}`;
      if (stays(path, part)) yield { path, text: null };
      else if (part === 'products') yield { path, text: dated?.get(path) ?? longUrlset(chunk, baseUrl) };
      else yield { path, text: await urlset(chunk, baseUrl) };
    }
  }
  const { SitemapIndexStream, streamToPromise } = await import('sitemap');
  const index = `${await streamToPromise(Readable.from(items).pipe(new SitemapIndexStream()))}\n`;
  yield { path: '/sitemap.xml', text: index };
  yield { path: '/robots.txt', text: `User-agent: *\nDisallow: /api/\n\nSitemap: ${baseUrl}/sitemap.xml\n` };
}
