/**
 * Pages of which only a few words differ from one request to the next: each is rendered once with marks in their places, and
 * filled in from then on. Anybody can ask for addresses that do not exist as often as they like.
 */

/** More kinds of a page than there are: statuses, waiting times and sections of the site. */
const MOST_PAGES = 500;
/** As in the templates. */
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => REFERENCES[character] ?? '');

export interface PreparedPages {
  /**
   * Returns the page of a kind.
   * @param values by the mark that `render` puts in its place; a mark that holds another comes first
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
      // A pattern with one group splits a text so that every second part is a mark.
      return parts.map((part, at) => (at % 2 ? escapeHtml(values[part] ?? '') : part)).join('');
    },
  };
};
