/** Renders an entry's prose: Markdown to HTML that contains only text, with citations as numbered links. */
import { holdMarks } from '#core/render/citations.ts';
import { renderMarkdown } from '#core/render/markdown.ts';
import { SOURCE_CITATIONS } from '#plugins/vocabulary/index.ts';
import type { Numbering } from './citations.ts';

/**
 * Renders the prose. Headings move one level down, because the page has its own h2; a citation of a retracted reference is
 * marked.
 */
export const renderProse = (markdown: string, numbering: Numbering, retracted: readonly number[] = []): string => {
  const extensions = [SOURCE_CITATIONS.extension((refs) => numbering.all(refs), retracted)];
  return holdMarks(renderMarkdown(markdown, { extensions }).html);
};
