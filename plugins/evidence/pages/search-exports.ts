/** Builds download links for the question to which most hits of a search belong. */
import { type Static, Type } from 'typebox';
import type { SourceRow } from '../source-view.ts';
import { LinkView } from './views.ts';

export const ExportView = Type.Object({ name: Type.String(), links: Type.Array(LinkView) });
type ExportView = Static<typeof ExportView>;

const FORMATS = [
  ['CSV', 'csv'],
  ['BibTeX', 'bibtex'],
  ['RIS', 'ris'],
  ['NBIB', 'nbib'],
  ['CSL JSON', 'csljson'],
  ['JSON Lines', 'jsonl'],
] as const;

/** Returns the most frequent vertical; among equals, the one that comes first in the ranking. */
const mostFrequent = (verticals: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const vertical of verticals) counts.set(vertical, (counts.get(vertical) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
};

/**
 * Returns links to files that require no API key, because the list of sources has at most 200 per page. Null when no hit belongs
 * to a question.
 */
export const exportsOf = (
  chosen: string,
  rows: readonly SourceRow[],
  nameOf: (vertical: string) => string | null,
): ExportView | null => {
  const vertical = chosen || mostFrequent(rows.flatMap(({ verticals }) => [...verticals]));
  const name = vertical && nameOf(vertical);
  if (!name) return null;
  const links = FORMATS.map(([word, format]) => ({
    name: word,
    href: `/api/sources?${new URLSearchParams({ vertical, format, page_size: '200' })}`,
  }));
  return { name, links };
};
