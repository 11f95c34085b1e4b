/**
 * Caches pages in which only a few values differ between requests: each kind is rendered once with placeholders, which are
 * then replaced. This limits the cost of requests for addresses that do not exist, which anybody can send in any number.
 */

/** Maximum number of cached pages, above the number of kinds (statuses, waiting times and sections of the site). */
const MOST_PAGES = 500;
/** The character references that the templates use. */
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => REFERENCES[character] ?? '');

export interface PreparedPages {
  /**
   * Returns the page of a kind.
   * @param values by the placeholder that `render` uses; a placeholder that contains another one must come first
   */
  fill(kind: string, values: Readonly<Record<string, string>>, render: () => string): string;
}

export const createPreparedPages = (): PreparedPages => {
  const pages = new Map<string, readonly string[]>();
  const prepare = (kind: string, marks: readonly string[], render: () => string): readonly string[] => {
    const parts = render().split(new RegExp(`(${marks.map((mark) => RegExp.escape(mark)).join('|')})`));
    if (pages.size >= MOST_PAGES) pages.clear();
    pages.set(kind, parts);
    return parts;
  };
  return {
    fill: (kind, values, render) => {
      const parts = pages.get(kind) ?? prepare(kind, Object.keys(values), render);
      // A pattern with one group splits a text so that every second part is a placeholder.
      return parts.map((part, at) => (at % 2 ? escapeHtml(values[part] ?? '') : part)).join('');
    },
  };
};
