/**
 * Writes a tagged PDF from top to bottom: headings, paragraphs, lists and tables with header cells, so that a screen reader reads
 * the visible content. Pages break between lines and rows; a table that continues repeats its header as an artifact.
 */
import {
  ACCENT,
  type Column,
  type FlowOptions,
  FOOT,
  GRAVE,
  INK,
  MARGIN,
  openPages,
  room,
  SOFT,
  type State,
  speak,
  tagged,
  type Voice,
} from './page-parts.ts';
import { drawTable } from './page-table.ts';

export interface PageFlow {
  title(text: string): void;
  heading(level: 2 | 3, text: string, isGrave?: boolean): void;
  paragraph(text: string, isSoft?: boolean): void;
  list(items: readonly string[]): void;
  /** Draws a table. The first cell of each row is the row's header; a row of one cell is the heading of the rows beneath it. */
  table(name: string, columns: readonly Column[], rows: readonly (readonly string[])[]): void;
  /** Numbers the pages, writes the footer, and returns the file. */
  end(footer: string): Promise<Buffer>;
}

/** Draws a block of text. pdfkit splits a paragraph longer than a page between words, but none of ours is that long. */
const block = (
  state: State,
  { tag, text, voice, before }: { tag: string; text: string; voice: Voice; before: number },
): void => {
  const { doc, root, width } = state;
  speak(state, voice);
  const height = doc.heightOfString(text, { width, lineGap: 1.5 });
  // A heading must not be alone at the bottom of a page.
  room(state, before + height + (tag.startsWith('H') ? 48 : 0));
  if (doc.y > MARGIN) doc.y += before;
  // A new page resets font and colour.
  speak(state, voice);
  tagged(state, root, tag, () => doc.text(text, MARGIN, doc.y, { width, lineGap: 1.5 }));
};

const listOf = (state: State, items: readonly string[]): void => {
  const { doc, root, width } = state;
  const list = doc.struct('L');
  root.add(list);
  for (const text of items) {
    const voice: Voice = { font: 'plain', size: 9, colour: INK };
    const inner = width - 14;
    speak(state, voice);
    room(state, doc.heightOfString(text, { width: inner, lineGap: 1 }) + 3);
    speak(state, voice);
    const item = doc.struct('LI');
    list.add(item);
    const y = doc.y + 3;
    tagged(state, item, 'Lbl', () => doc.text('•', MARGIN, y, { width: 10, lineBreak: false }));
    tagged(state, item, 'LBody', () => doc.text(text, MARGIN + 14, y, { width: inner, lineGap: 1 }));
    item.end();
  }
  list.end();
};

const numbered = ({ doc, width }: State, footer: string): void => {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    // pdfkit starts a new page for text below the margin, so the margin is removed temporarily.
    const { bottom } = doc.page.margins;
    doc.page.margins.bottom = 0;
    doc.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    doc.font('plain').fontSize(7.5).fillColor(SOFT);
    const y = doc.page.height - FOOT;
    doc.text(footer, MARGIN, y, { width: width - 80, lineBreak: false });
    doc.text(`Page ${page - start + 1} of ${count}`, MARGIN + width - 80, y, {
      width: 80,
      align: 'right',
      lineBreak: false,
    });
    doc.endMarkedContent();
    doc.page.margins.bottom = bottom;
  }
};

export const pageFlow = (options: FlowOptions): PageFlow => {
  const state = openPages(options);
  const { doc, root } = state;
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  return {
    title: (text) => block(state, { tag: 'H1', text, voice: { font: 'bold', size: 17, colour: INK }, before: 0 }),
    heading: (level, text, isGrave = false) =>
      block(state, {
        tag: `H${level}`,
        text,
        voice: { font: 'bold', size: level === 2 ? 12 : 9.5, colour: isGrave ? GRAVE : level === 2 ? ACCENT : INK },
        before: level === 2 ? 14 : 8,
      }),
    paragraph: (text, isSoft = false) =>
      block(state, {
        tag: 'P',
        text,
        voice: { font: 'plain', size: isSoft ? 8 : 9, colour: isSoft ? SOFT : INK },
        before: 3,
      }),
    list: (items) => listOf(state, items),
    table: (name, columns, rows) => drawTable(state, { name, columns, rows }),
    end: (footer) => {
      numbered(state, footer);
      root.end();
      doc.end();
      return done;
    },
  };
};
