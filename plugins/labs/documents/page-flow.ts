/**
 * A tagged PDF that is written from the top down: headings, paragraphs, lists and tables with header cells, so that a screen
 * reader reads what the eye sees. Pages break between lines and rows; a table that goes on repeats its head as decoration.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import PDFDocument from 'pdfkit';

/** WinAnsi fonts have no µ, ≥ or superscripts beyond ³. */
const FONTS = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const MARGIN = 48;
const FOOT = 40;
const INK = '#1b1f20';
const SOFT = '#565d5c';
const LINE = '#bfbcb0';
const GRAVE = '#96380f';
const ACCENT = '#0b5357';

export interface Column {
  readonly title: string;
  /** Share of the width. */
  readonly share: number;
}

type Document = InstanceType<typeof PDFDocument>;
type Struct = ReturnType<Document['struct']>;

export interface PageFlow {
  title(text: string): void;
  heading(level: 2 | 3, text: string, isGrave?: boolean): void;
  paragraph(text: string, isSoft?: boolean): void;
  list(items: readonly string[]): void;
  /** The first cell of each row is the row's header. */
  table(name: string, columns: readonly Column[], rows: readonly (readonly string[])[]): void;
  /** Numbers the pages, puts the sentence at their feet, and answers the file. */
  end(footer: string): Promise<Buffer>;
}

export interface FlowOptions {
  readonly title: string;
  readonly createdAt: Date;
}

interface State {
  readonly doc: Document;
  readonly root: Struct;
  readonly width: number;
  readonly bottom: number;
}

const open = ({ title, createdAt }: FlowOptions): State => {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: FOOT, left: MARGIN, right: MARGIN },
    bufferPages: true,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    font: join(FONTS, 'DejaVuSans.ttf'),
    info: { Title: title, CreationDate: createdAt, Producer: 'PDFKit', Creator: 'PDFKit' },
  });
  doc.registerFont('plain', join(FONTS, 'DejaVuSans.ttf'));
  doc.registerFont('bold', join(FONTS, 'DejaVuSans-Bold.ttf'));
  const root = doc.struct('Document');
  doc.addStructure(root);
  return { doc, root, width: doc.page.width - 2 * MARGIN, bottom: doc.page.height - FOOT - 24 };
};

/** A place for so many points, on this page or on a new one. */
const room = ({ doc, bottom }: State, height: number): void => {
  if (doc.y + height > bottom && doc.y > MARGIN) doc.addPage();
};

/** Text under a tag, all of it on one page. */
const tagged = (state: State, parent: Struct, tag: string, draw: () => void, options: object = {}): void => {
  const element = state.doc.struct(tag, options);
  parent.add(element);
  element.add(draw);
  element.end();
};

interface Voice {
  readonly font: 'plain' | 'bold';
  readonly size: number;
  readonly colour: string;
}

const speak = ({ doc }: State, { font, size, colour }: Voice): void => {
  doc.font(font).fontSize(size).fillColor(colour);
};

/** A paragraph longer than a page is cut between words by pdfkit; none of ours is. */
const block = (state: State, { tag, text, voice, before }: { tag: string; text: string; voice: Voice; before: number }): void => {
  const { doc, root, width } = state;
  speak(state, voice);
  const height = doc.heightOfString(text, { width, lineGap: 1.5 });
  // A heading at the foot of a page would stand alone.
  room(state, before + height + (tag.startsWith('H') ? 48 : 0));
  if (doc.y > MARGIN) doc.y += before;
  tagged(state, root, tag, () => doc.text(text, MARGIN, doc.y, { width, lineGap: 1.5 }));
};

const listOf = (state: State, items: readonly string[]): void => {
  const { doc, root, width } = state;
  const list = doc.struct('L');
  root.add(list);
  for (const text of items) {
    speak(state, { font: 'plain', size: 9, colour: INK });
    const inner = width - 14;
    room(state, doc.heightOfString(text, { width: inner, lineGap: 1 }) + 3);
    const item = doc.struct('LI');
    list.add(item);
    const y = doc.y + 3;
    tagged(state, item, 'Lbl', () => doc.text('•', MARGIN, y, { width: 10, lineBreak: false }));
    tagged(state, item, 'LBody', () => doc.text(text, MARGIN + 14, y, { width: inner, lineGap: 1 }));
    item.end();
  }
  list.end();
};

const CELL: Voice = { font: 'plain', size: 8, colour: INK };
const HEAD: Voice = { font: 'bold', size: 7.5, colour: SOFT };
const GAP = 6;
const PAD = 3.5;

interface Row {
  readonly cells: readonly string[];
  readonly places: readonly { readonly x: number; readonly width: number }[];
}

const voiceOf = (isHead: boolean, at: number): Voice => (isHead ? HEAD : at === 0 ? { ...CELL, font: 'bold' } : CELL);

const heightOf = (state: State, { cells, places }: Row, isHead: boolean): number => {
  const heights = cells.map((text, at) => {
    speak(state, voiceOf(isHead, at));
    return state.doc.heightOfString(text || ' ', { width: places[at]?.width ?? 0 });
  });
  return Math.max(...heights) + 2 * PAD;
};

const ruled = ({ doc, width }: State, y: number): void => {
  doc.markContent('Artifact', { type: 'Layout' });
  doc.moveTo(MARGIN, y).lineTo(MARGIN + width, y).lineWidth(0.5).strokeColor(LINE).stroke();
  doc.endMarkedContent();
};

/** @param parent null: drawn again at the top of a further page, as decoration. */
const drawRow = (state: State, parent: Struct | null, row: Row, isHead: boolean): void => {
  const { doc } = state;
  const [top, height] = [doc.y, heightOf(state, row, isHead)];
  const cell = (at: number): void => {
    speak(state, voiceOf(isHead, at));
    const { x, width } = row.places[at] as Row['places'][number];
    doc.text(row.cells[at] || ' ', x, top + PAD, { width });
  };
  if (parent) {
    const line = doc.struct('TR');
    parent.add(line);
    for (const at of row.cells.keys()) {
      const isHeader = isHead || at === 0;
      tagged(state, line, isHeader ? 'TH' : 'TD', () => cell(at), isHeader ? { scope: isHead ? 'Column' : 'Row' } : {});
    }
    line.end();
  } else {
    doc.markContent('Artifact', { type: 'Pagination' });
    for (const at of row.cells.keys()) cell(at);
    doc.endMarkedContent();
  }
  doc.y = top + height;
  ruled(state, doc.y);
};

const tableOf = (state: State, name: string, columns: readonly Column[], rows: readonly (readonly string[])[]): void => {
  const { doc, root, width, bottom } = state;
  const all = columns.reduce((sum, { share }) => sum + share, 0);
  let x = MARGIN;
  const places = columns.map(({ share }) => {
    const own = (share / all) * width;
    const place = { x, width: own - GAP };
    x += own;
    return place;
  });
  const head: Row = { cells: columns.map(({ title }) => title), places };
  const table = doc.struct('Table', { title: name });
  root.add(table);
  room(state, heightOf(state, head, true) + 40);
  doc.y += 4;
  drawRow(state, table, head, true);
  for (const cells of rows) {
    const row = { cells, places };
    if (doc.y + heightOf(state, row, false) > bottom) {
      doc.addPage();
      drawRow(state, null, head, true);
    }
    drawRow(state, table, row, false);
  }
  table.end();
  doc.x = MARGIN;
};

const numbered = ({ doc, width }: State, footer: string): void => {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    // Below the margin pdfkit would begin a new page.
    const { bottom } = doc.page.margins;
    doc.page.margins.bottom = 0;
    doc.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    doc.font('plain').fontSize(7.5).fillColor(SOFT);
    const y = doc.page.height - FOOT;
    doc.text(footer, MARGIN, y, { width: width - 80, lineBreak: false });
    doc.text(`Page ${page - start + 1} of ${count}`, MARGIN + width - 80, y, { width: 80, align: 'right', lineBreak: false });
    doc.endMarkedContent();
    doc.page.margins.bottom = bottom;
  }
};

export const pageFlow = (options: FlowOptions): PageFlow => {
  const state = open(options);
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
      block(state, { tag: 'P', text, voice: { font: 'plain', size: isSoft ? 8 : 9, colour: isSoft ? SOFT : INK }, before: 3 }),
    list: (items) => listOf(state, items),
    table: (name, columns, rows) => tableOf(state, name, columns, rows),
    end: (footer) => {
      numbered(state, footer);
      root.end();
      doc.end();
      return done;
    },
  };
};
