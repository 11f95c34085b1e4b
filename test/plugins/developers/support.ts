/** Extracts the code of the portal's pages, as a reader would copy it. */

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

export const unescaped = (html: string): string =>
  html
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

export const codeBlocks = (html: string): CodeBlock[] =>
  [...html.matchAll(/<pre class="code-block" data-language="([a-z]+)"><code>([\s\S]*?)<\/code>/g)].map(
    ([, language = '', code = '']) => ({ language, code: unescaped(code) }),
  );
