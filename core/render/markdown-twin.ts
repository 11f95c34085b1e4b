/** Converts a page to its Markdown version (`.md`), from the HTML of the page, so that the two cannot differ. */
import type { Page } from '../plugin.ts';
import { mainAsMarkdown } from './twin/html-reader.ts';

/** Returns whether a page has a Markdown version: pages generated ahead of time do, device pages and live queries do not. */
export const hasTwin = ({ list, scope }: Pick<Page, 'list' | 'scope'>): boolean =>
  list !== undefined && scope === 'public';

/** Returns the address of the Markdown version: `/index.md` for `/`, `/supplements/zinc.md` for `/supplements/zinc`. */
export const twinOf = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

/** Returns the page to which a Markdown address belongs; null when the address cannot be one. */
export const pageOfTwin = (path: string): string | null => {
  if (!path.endsWith('.md')) return null;
  const page = path.slice(0, -3);
  return page === '/index' ? '/' : /[^/]$/.test(page) ? page : null;
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
const decoded = (text = ''): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);

const NOTE =
  'This is information about research, not medical advice. A missing warning does not mean that something is safe.';

export interface TwinOptions {
  /** Base URL of the site, without a trailing slash. */
  readonly baseUrl: string;
  /** Used for pages that do not state when they changed. */
  readonly modified?: Date | null;
}

/** Extracts title, description and address from the page's head. */
export const headOf = (html: string) => {
  const head = html.slice(0, Math.max(0, html.indexOf('<main')) || undefined);
  return {
    title: decoded(/<title>([^<]*)<\/title>/.exec(head)?.[1]).replace(/ · [^·]*$/, ''),
    /** The text of the first heading. */
    name: decoded((/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '').replace(/<[^>]*>/g, '')).trim(),
    url: decoded(/<link rel="canonical" href="([^"]*)"/.exec(head)?.[1]),
    description: decoded(/<meta name="description" content="([^"]*)"/.exec(head)?.[1]),
    changed: /"dateModified":"([^"]+)"/.exec(head)?.[1],
  };
};

/** Returns the content of the main element; the whole text when there is none. */
const mainOf = (html: string): string => {
  const [from, to] = [html.indexOf('<main'), html.lastIndexOf('</main>')];
  return from < 0 || to < from ? html : html.slice(html.indexOf('>', from) + 1, to);
};

/** Converts the whole page: front matter, all content including collapsed parts, and the note at the end. */
export const markdownTwin = (html: string, { baseUrl, modified }: TwinOptions): string => {
  const { title, url, description, changed } = headOf(html);
  const last = changed ?? modified?.toISOString();
  const lines = Object.entries({ title, url, description, ...(last && { last_changed: last }) }).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return `---\n${lines.join('\n')}\n---\n\n${mainAsMarkdown(mainOf(html), baseUrl)}\n---\n\n${NOTE} [Disclaimer](${baseUrl}/disclaimer)\n`;
};

/** Converts the text and references, without the page's name, collapsed parts, drawings and content that is not printed. */
export const markdownBrief = (html: string, baseUrl: string): string =>
  mainAsMarkdown(mainOf(html), baseUrl, { isBrief: true }).replace(/^# .*\n+/, '');
