/** Report fixtures for the lab tests. */
import PDFDocument from 'pdfkit';

/** Creates a report as laboratory software prints it; the laboratory and the values are made up. */
export const reportPdf = (
  lines: readonly (readonly string[])[],
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> =>
  new Promise((resolve) => {
    const document = new PDFDocument({ size: 'A4', ...options });
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.fontSize(14).text('Specimen Laboratories (made up)', 50, 40).fontSize(10);
    document.text('Collected: 2026-09-14', 50, 70);
    for (const [at, cells] of [['Test', 'Result', 'Units', 'Reference Range', 'Flag'], ...lines].entries())
      for (const [column, cell] of cells.entries())
        document.text(cell, [50, 220, 290, 370, 500][column] ?? 0, 100 + at * 18, { lineBreak: false });
    document.end();
  });

/** Two values, the first of which is below its printed range. */
export const LINES = [
  ['Ferritin', '12', 'ng/mL', '30 - 400', 'L'],
  ['Sodium', '140', 'mmol/L', '136 - 145', ''],
] as const;
