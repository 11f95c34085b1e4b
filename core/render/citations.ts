/** Parses citations such as `[@pmid:1; @doi:10.1/x]` in a text and renders them as numbered links. */
import type { TokenizerAndRendererExtension } from 'marked';

export interface CitationSyntax {
  /** Returns the references of one citation, without the at-signs: `@pmid:1; see @pmid:2` gives `pmid:1`. */
  refsIn(inside: string): readonly string[];
  /** Returns all references of a text in reading order, with repeats, and the offset of the citation of each. */
  refsInText(text: string): readonly { readonly ref: string; readonly at: number }[];
  /** Renders citations as links to `#ref-1`, `#ref-2`; a retracted source is marked. */
  extension(
    numbersOf: (refs: readonly string[]) => readonly number[],
    retracted: readonly number[],
  ): TokenizerAndRendererExtension;
}

/** Builds the syntax for a set of prefixes. @param kinds the allowed prefixes, such as `pmid` */
export const citationSyntax = (kinds: readonly string[]): CitationSyntax => {
  const names = kinds.join('|');
  const pattern = new RegExp(`\\[(@(?:${names}):[^\\]]+)\\]`, 'g');
  const first = new RegExp(`^${pattern.source}`);
  const one = new RegExp(`^@(?:${names}):\\S+$`);
  const refsIn = (inside: string): readonly string[] =>
    inside
      .split(';')
      .map((part) => part.trim())
      .filter((part) => one.test(part))
      .map((part) => part.slice(1));
  return {
    refsIn,
    refsInText: (text) =>
      [...text.matchAll(pattern)].flatMap((match) => refsIn(match[1] ?? '').map((ref) => ({ ref, at: match.index }))),
    extension: (numbersOf, retracted) => ({
      name: 'citation',
      level: 'inline',
      start: (source) => {
        const at = source.indexOf('[@');
        return at < 0 ? undefined : at;
      },
      tokenizer: (source) => {
        const match = first.exec(source);
        return match ? { type: 'citation', raw: match[0], refs: refsIn(match[1] ?? '') } : undefined;
      },
      renderer: (token) => {
        const mark = (n: number): string => (retracted.includes(n) ? ' retracted' : '');
        const links = numbersOf(token.refs as string[]).map((n) => `<a href="#ref-${n}">${n}${mark(n)}</a>`);
        return links.length ? `<span class="cites">[${links.join(', ')}]</span>` : '';
      },
    }),
  };
};

/** Joins citation marks to the preceding word with a non-breaking space, so that they do not begin a line. */
export const holdMarks = (html: string): string =>
  html.replace(/\s+<span class="cites">/g, '&nbsp;<span class="cites">');
