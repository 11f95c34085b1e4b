/** An entry's prose: Markdown to HTML that holds nothing but text, with citations as numbered links. */
import { holdMarks } from '#core/render/citations.ts';
import { renderMarkdown } from '#core/render/markdown.ts';
import { SOURCE_CITATIONS } from '#plugins/vocabulary/index.ts';
import type { Numbering } from './citations.ts';

/** Headings go one level down: the page has its own h2. A citation of a retracted reference says so. */
export const renderProse = (markdown: string, numbering: Numbering, retracted: readonly number[] = []): string => {
  const extensions = [SOURCE_CITATIONS.extension((refs) => numbering.all(refs), retracted)];
  return holdMarks(renderMarkdown(markdown, { extensions }).html);
};
