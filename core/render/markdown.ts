/**
 * Renders Markdown written by editors to HTML. Raw HTML is shown as typed text, headings have stable anchors, and tables
 * are readable on a phone.
 */
import { Marked, type Token, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import type SanitizeHtml from 'sanitize-html';
import { requireOnce } from '../lazy.ts';

export interface Heading {
  /** The rendered level, 2 to 4. */
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** A top-level block of the text: a paragraph, list, table or heading. */
export interface Block {
  readonly html: string;
  readonly heading: Heading | null;
  /** The items of a list; null for other blocks. */
  readonly list: { readonly isOrdered: boolean; readonly items: readonly Item[] } | null;
  /** The Markdown source of the block. */
  readonly source: string;
}

export interface Item {
  readonly html: string;
  readonly source: string;
}

export interface MarkdownOptions {
  /** The level that `#` is rendered as; 2 by default, because the page has its own h1. */
  readonly topLevel?: 1 | 2 | 3;
  /** When set, headings get ids; `taken` lists the ids that the page already uses. */
  readonly anchors?: { readonly taken: readonly string[] };
  /** Maps the address of a link; null removes the link and keeps its text. By default, addresses are not changed. */
  link?(href: string): string | null;
  readonly extensions?: readonly TokenizerAndRendererExtension[];
}

/** Loads the sanitizer on first use. */
const sanitizer = () => requireOnce<typeof SanitizeHtml>('sanitize-html');

const ALLOWED: SanitizeHtml.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'p', 'ul', 'ol', 'li', 'em', 'strong', 'del', 'blockquote', 'code', 'pre', 'sub', 'sup'],
    ...['a', 'span', 'br', 'hr', 'table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'rel'],
    span: ['class'],
    ol: ['start'],
    table: ['role', 'class'],
    caption: ['class'],
    '*': ['id', 'role', 'scope', 'data-name'],
  },
  allowedClasses: { span: ['cites'], table: ['grid', 'written'], caption: ['hidden'] },
  allowedSchemes: ['https', 'http', 'mailto'],
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) =>
      name === 'amp' ? '&' : name === 'lt' ? '<' : name === 'gt' ? '>' : name === 'quot' ? '"' : "'",
    )
    .trim();

/** Builds an anchor as GitHub does, in ASCII: "What is kept, and why" becomes `what-is-kept-and-why`. */
export const anchorOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'part';

const uniqueIn = (taken: Set<string>, id: string): string => {
  let [free, n] = [id, 2];
  while (taken.has(free)) {
    free = `${id}-${n}`;
    n += 1;
  }
  taken.add(free);
  return free;
};

const isOutside = (href: string): boolean => /^https?:\/\//i.test(href);

interface State {
  readonly options: MarkdownOptions;
  readonly taken: Set<string>;
  heading: Heading | null;
  /** The caption of the next table: the one written above it, otherwise the preceding heading. */
  caption: { readonly text: string; readonly isShown: boolean };
}

const renderTable = (render: (tokens: Token[]) => string, { header, rows }: Tokens.Table, state: State): string => {
  const { text, isShown } = state.caption;
  const names = header.map(({ tokens }) => render(tokens));
  const cell = (html: string, at: number): string => {
    if (at === 0) return `<th role="rowheader" scope="row">${html}</th>`;
    return `<td role="cell" data-name="${escaped(plainText(names[at] ?? ''))}">${html}</td>`;
  };
  const head = names.map((name) => `<th role="columnheader" scope="col">${name}</th>`).join('');
  const body = rows.map(
    (row) => `<tr role="row">${row.map(({ tokens }, at) => cell(render(tokens), at)).join('')}</tr>`,
  );
  return `<table class="grid written" role="table"><caption${isShown ? '' : ' class="hidden"'}>${escaped(text)}</caption>
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${body.join('\n')}</tbody></table>`;
};

const rendererOf = (state: State): Marked => {
  const { options, taken } = state;
  const marked = new Marked({ extensions: [...(options.extensions ?? [])], async: false });
  const shift = (options.topLevel ?? 2) - 1;
  marked.use({
    renderer: {
      html: ({ text }) => escaped(text),
      image: ({ text }) => escaped(text),
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const level = Math.min(4, Math.max(2, depth + shift));
        const text = plainText(html);
        const id = options.anchors ? uniqueIn(taken, anchorOf(text)) : '';
        state.heading = { level, id, text };
        return `<h${level}${id && ` id="${id}"`}>${html}</h${level}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = options.link ? options.link(href) : href;
        if (address === null) return words;
        return `<a href="${escaped(address)}"${isOutside(address) ? ' rel="external"' : ''}>${words}</a>`;
      },
      table(token) {
        return renderTable((tokens) => this.parser.parseInline(tokens), token, state);
      },
    },
  });
  return marked;
};

/** Returns the caption in a paragraph `Table: …` directly above a table; null for other tokens. */
const captionIn = (token: Token, next: Token | undefined): string | null => {
  if (token.type !== 'paragraph' || next?.type !== 'table') return null;
  return /^Table: (.+)$/s.exec(token.raw.trim())?.[1] ?? null;
};

/** Removes the paragraph element of a list item that has only one paragraph. */
const itemHtml = (html: string): string => /^<p>((?:(?!<p>)[\s\S])*)<\/p>$/.exec(html.trim())?.[1] ?? html.trim();

const listIn = (token: Token, toHtml: (tokens: Token[]) => string): Block['list'] => {
  if (token.type !== 'list') return null;
  const { ordered, items } = token as Tokens.List;
  const views = items.map((item) => ({ html: itemHtml(toHtml(item.tokens)), source: item.raw }));
  return { isOrdered: ordered, items: views };
};

/** Renders the text as separate blocks, for pages that insert content between them. */
export const renderBlocks = (markdown: string, options: MarkdownOptions = {}): readonly Block[] => {
  const taken = new Set(options.anchors?.taken ?? []);
  const state: State = { options, taken, heading: null, caption: { text: 'Table', isShown: false } };
  const marked = rendererOf(state);
  const tokens = marked.lexer(markdown).filter(({ type }) => type !== 'space' && type !== 'def');
  const toHtml = (parts: Token[]): string => sanitizer()(marked.parser(parts), ALLOWED).trim();
  const blocks: Block[] = [];
  for (const [at, token] of tokens.entries()) {
    const caption = captionIn(token, tokens[at + 1]);
    if (caption !== null) {
      state.caption = { text: caption, isShown: true };
      continue;
    }
    state.heading = null;
    const html = toHtml([token]);
    const heading = state.heading as Heading | null;
    if (heading) state.caption = { text: heading.text, isShown: false };
    blocks.push({ html, heading, list: listIn(token, toHtml), source: token.raw });
  }
  return blocks;
};

/** Renders the whole text; also returns its headings for a table of contents. */
export const renderMarkdown = (
  markdown: string,
  options: MarkdownOptions = {},
): { readonly html: string; readonly headings: readonly Heading[] } => {
  const blocks = renderBlocks(markdown, options);
  return { html: blocks.map(({ html }) => html).join('\n'), headings: blocks.flatMap(({ heading }) => heading ?? []) };
};

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly html: string;
}

/** Splits the text at its headings of level 2, which have anchors; `lead` is the content before the first of them. */
export const renderSections = (
  markdown: string,
  options: MarkdownOptions & Required<Pick<MarkdownOptions, 'anchors'>>,
): { readonly lead: string; readonly sections: readonly Section[] } => {
  const parts: { id: string; title: string; html: string[] }[] = [{ id: '', title: '', html: [] }];
  for (const { heading, html } of renderBlocks(markdown, options)) {
    if (heading?.level === 2) parts.push({ id: heading.id, title: heading.text, html: [] });
    else parts.at(-1)?.html.push(html);
  }
  const [lead, ...sections] = parts.map((part) => ({ ...part, html: part.html.join('\n') }));
  return { lead: lead?.html ?? '', sections };
};
