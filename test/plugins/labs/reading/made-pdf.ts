/** Creates small reports for tests, with text at given positions. */
import PDFDocument from 'pdfkit';

export interface PdfText {
  readonly x: number;
  readonly text: string;
}

/** The cells of a line; each line is 16 points below the previous one. */
export type PdfLine = readonly PdfText[];

const columns = [40, 240, 300, 400, 520];

/** Returns a line with cells in the usual columns: name, value, unit, range, flag. */
export const row = (...cells: string[]): PdfLine => cells.map((text, at) => ({ x: columns[at]!, text }));
export const line = (text: string): PdfLine => [{ x: 40, text }];

export const head = row('Test', 'Result', 'Units', 'Reference Range', 'Flag');

export const pdfOf = (
  pages: readonly (readonly PdfLine[])[],
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> =>
  new Promise((resolve) => {
    const document = new PDFDocument({ margin: 0, autoFirstPage: false, ...options });
    const parts: Buffer[] = [];
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    for (const lines of pages) {
      document.addPage();
      document.fontSize(10);
      for (const [at, cells] of lines.entries())
        for (const { x, text } of cells) document.text(text, x, 40 + at * 16, { lineBreak: false });
    }
    document.end();
  });
