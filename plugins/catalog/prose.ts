/** An entry's prose: Markdown to HTML that holds nothing but text, with citations as numbered links. */
import { Marked, type TokenizerAndRendererExtension } from 'marked';
import sanitizeHtml from 'sanitize-html';
import { CITATION, type Numbering, refsInCitation } from './citations.ts';

const citationExtension = (numbering: Numbering, retracted: readonly number[]): TokenizerAndRendererExtension => ({
  name: 'citation',
  level: 'inline',
  start: (source) => {
    const at = source.indexOf('[@');
    return at < 0 ? undefined : at;
  },
  tokenizer: (source) => {
    const match = new RegExp(`^${CITATION.source}`).exec(source);
    return match ? { type: 'citation', raw: match[0], refs: refsInCitation(match[1] ?? '') } : undefined;
  },
  renderer: (token) => {
    const mark = (n: number): string => (retracted.includes(n) ? ' retracted' : '');
    const links = numbering.all(token.refs as string[]).map((n) => `<a href="#ref-${n}">${n}${mark(n)}</a>`);
    return links.length ? `<span class="cites">[${links.join(', ')}]</span>` : '';
  },
});

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    'h3',
    'h4',
    'p',
    'ul',
    'ol',
    'li',
    'em',
    'strong',
    'blockquote',
    'code',
    'sub',
    'sup',
    'a',
    'span',
    'br',
  ],
  allowedAttributes: { a: ['href', 'rel'], span: ['class'] },
  allowedClasses: { span: ['cites'] },
  allowedSchemes: ['https', 'http', 'mailto'],
  transformTags: {
    h1: 'h3',
    h2: 'h3',
    h3: 'h4',
    h5: 'h4',
    h6: 'h4',
  },
};

/** Headings go one level down: the page has its own h2. A citation of a retracted reference says so. */
export const renderProse = (markdown: string, numbering: Numbering, retracted: readonly number[] = []): string => {
  const marked = new Marked({ extensions: [citationExtension(numbering, retracted)], async: false });
  const html = marked.parse(markdown) as string;
  return sanitizeHtml(html, ALLOWED).replaceAll(' <span class="cites">', '&nbsp;<span class="cites">');
};
