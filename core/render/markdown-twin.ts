/** The `.md` twin of a page, made of the page itself, so that the two cannot differ. */
import type { Page } from '../plugin.ts';
import { mainAsMarkdown } from './twin/html-reader.ts';

/** Pages that are generated ahead of time have one: what a page shows one device, or makes of a question, has none. */
export const hasTwin = ({ list, scope }: Pick<Page, 'list' | 'scope'>): boolean =>
  list !== undefined && scope === 'public';

/** The address of the twin: `/` has `/index.md`, `/supplements/zinc` has `/supplements/zinc.md`. */
export const twinOf = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

/** The page that an address is the twin of; null for an address that cannot be one. */
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
  /** Of the site, without a slash at its end. */
  readonly baseUrl: string;
  /** For pages that do not state when they changed. */
  readonly modified?: Date | null;
}

/** Title, description and address as the page's head has them. */
export const headOf = (html: string) => {
  const head = html.slice(0, Math.max(0, html.indexOf('<main')) || undefined);
  return {
    title: decoded(/<title>([^<]*)<\/title>/.exec(head)?.[1]).replace(/ · [^·]*$/, ''),
    /** What the page calls itself: its first heading. */
    name: decoded((/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '').replace(/<[^>]*>/g, '')).trim(),
    url: decoded(/<link rel="canonical" href="([^"]*)"/.exec(head)?.[1]),
    description: decoded(/<meta name="description" content="([^"]*)"/.exec(head)?.[1]),
    changed: /"dateModified":"([^"]+)"/.exec(head)?.[1],
  };
};

/** All of a text that has no main part. */
const mainOf = (html: string): string => {
  const [from, to] = [html.indexOf('<main'), html.lastIndexOf('</main>')];
  return from < 0 || to < from ? html : html.slice(html.indexOf('>', from) + 1, to);
};

/** The whole page: front matter, everything a reader can open, the note at its foot. */
export const markdownTwin = (html: string, { baseUrl, modified }: TwinOptions): string => {
  const { title, url, description, changed } = headOf(html);
  const last = changed ?? modified?.toISOString();
  const lines = Object.entries({ title, url, description, ...(last && { last_changed: last }) }).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return `---\n${lines.join('\n')}\n---\n\n${mainAsMarkdown(mainOf(html), baseUrl)}\n---\n\n${NOTE} [Disclaimer](${baseUrl}/disclaimer)\n`;
};

/** The text and its references without the page's name, what is folded away, drawings and what is not printed. */
export const markdownBrief = (html: string, baseUrl: string): string =>
  mainAsMarkdown(mainOf(html), baseUrl, { isBrief: true }).replace(/^# .*\n+/, '');
