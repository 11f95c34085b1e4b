/** Draws synthetic reports as PDF: heads, tables and lines, in the layouts of real laboratories. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import PDFDocument from 'pdfkit';
import type { SpecimenRow } from './specimen.ts';

const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');

export interface Fonts {
  readonly plain: string;
  readonly bold: string;
  readonly size: number;
}

export const helvetica: Fonts = { plain: 'Helvetica', bold: 'Helvetica-Bold', size: 9 };
export const times: Fonts = { plain: 'Times-Roman', bold: 'Times-Bold', size: 10 };
export const courier: Fonts = { plain: 'Courier', bold: 'Courier-Bold', size: 9 };
export const dejavu: Fonts = {
  plain: join(fonts, 'DejaVuSans.ttf'),
  bold: join(fonts, 'DejaVuSans-Bold.ttf'),
  size: 8.5,
};
export const condensed: Fonts = {
  plain: join(fonts, 'DejaVuSansCondensed.ttf'),
  bold: join(fonts, 'DejaVuSansCondensed-Bold.ttf'),
  size: 9,
};

export interface Column {
  readonly head: string;
  readonly x: number;
  readonly width: number;
  readonly align?: 'left' | 'right' | 'center';
  readonly text: (row: SpecimenRow) => string;
  readonly isBold?: (row: SpecimenRow) => boolean;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rowHeight: number;
  readonly hasHead: boolean;
  readonly hasSections: boolean;
  readonly borders: 'none' | 'lines' | 'boxes' | 'stripes';
  readonly y?: number;
  /** Returns lines to print below a row, such as methods or interpretations. */
  readonly note?: (row: SpecimenRow) => readonly string[];
}

export type Page = InstanceType<typeof PDFDocument>;

export const newDocument = (size: 'LETTER' | 'A4' = 'LETTER'): Page =>
  new PDFDocument({
    size,
    margin: 0,
    info: { CreationDate: new Date(0), Title: 'Made-up specimen' },
    autoFirstPage: true,
  });

/** Collects the bytes of a document; resolves when the document has ended. */
export const bytesOf = (document: Page): Promise<Buffer> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
  });

export const write = (document: Page, text: string, x: number, y: number, options: object = {}): void => {
  document.text(text, x, y, { lineBreak: false, ...options });
};

const cell = (document: Page, text: string, column: Column, y: number): number => {
  const options = { width: column.width, align: column.align ?? 'left', lineGap: 0 } as const;
  const height = document.heightOfString(text || ' ', options);
  if (text) document.text(text, column.x, y, options);
  return height;
};

const head = (document: Page, table: Table, fonts_: Fonts, y: number): number => {
  document.font(fonts_.bold).fontSize(fonts_.size);
  if (table.borders === 'boxes' || table.borders === 'stripes') {
    const left = table.columns[0]!.x - 4;
    const right = Math.max(...table.columns.map(({ x, width }) => x + width)) + 4;
    document
      .rect(left, y - 4, right - left, table.rowHeight)
      .fill('#dde3ee')
      .fillColor('black');
  }
  for (const column of table.columns) cell(document, column.head, column, y);
  if (table.borders === 'lines') {
    const right = Math.max(...table.columns.map(({ x, width }) => x + width));
    document
      .moveTo(table.columns[0]!.x, y + fonts_.size + 3)
      .lineTo(right, y + fonts_.size + 3)
      .lineWidth(0.7)
      .stroke();
  }
  return y + table.rowHeight;
};

const grid = (document: Page, table: Table, y: number, height: number): void => {
  document.lineWidth(0.5);
  for (const { x, width } of table.columns) document.rect(x - 4, y - 4, width + 4, height).stroke();
};

export interface Sheet {
  readonly document: Page;
  readonly fonts: Fonts;
  readonly bottom: number;
  /** Draws the head of a further page and returns the y position at which its table begins. */
  readonly nextPage: () => number;
}

/** Draws a table and returns the y position at which it ends. */
export const drawTable = (sheet: Sheet, table: Table, rows: readonly SpecimenRow[]): number => {
  const { document, fonts: own } = sheet;
  let y = table.y ?? 150;
  let section = '';
  const begin = (): void => {
    if (table.hasHead) y = head(document, table, own, y);
  };
  begin();
  for (const [at, row] of rows.entries()) {
    if (y > sheet.bottom) {
      document.addPage();
      y = sheet.nextPage();
      begin();
    }
    if (table.hasSections && row.section !== section) {
      section = row.section;
      document.font(own.bold).fontSize(own.size);
      write(document, section.toUpperCase(), table.columns[0]!.x, y);
      y += table.rowHeight;
    }
    if (table.borders === 'stripes' && at % 2) {
      const right = Math.max(...table.columns.map(({ x, width }) => x + width)) + 4;
      document
        .rect(table.columns[0]!.x - 4, y - 3, right - table.columns[0]!.x + 4, table.rowHeight)
        .fill('#f0f0f0')
        .fillColor('black');
    }
    let height = table.rowHeight;
    for (const column of table.columns) {
      document.font(column.isBold?.(row) ? own.bold : own.plain).fontSize(own.size);
      height = Math.max(height, cell(document, column.text(row), column, y) + 5);
    }
    if (table.borders === 'boxes') grid(document, table, y, height);
    y += height;
    for (const note of table.note?.(row) ?? []) {
      document.font(own.plain).fontSize(own.size - 1.5);
      write(document, note, table.columns[0]!.x + 6, y - 3);
      y += own.size + 1;
    }
  }
  return y;
};
