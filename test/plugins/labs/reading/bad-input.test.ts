/** Tests files that are not reports or are hostile: each returns an outcome, and nothing is thrown. */
import { deepEqual, doesNotThrow, equal, throws } from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { ReadingFailure } from '#plugins/labs/reading/failure.ts';
import { readReport } from '#plugins/labs/reading/index.ts';
import { checkStreams } from '#plugins/labs/reading/pdf-streams.ts';
import type { FileOutcome } from '#plugins/labs/report.ts';
import { nestedFlatePdf } from '../../../../bench/attacks/made-files.ts';
import { head, line, pdfOf, row } from './made-pdf.ts';
import { smallBook } from './small-book.ts';

const book = smallBook();
const table = [head, row('Glucose', '92', 'mg/dL', '70-100')];

const outcomesOf = async (...files: Buffer[]): Promise<FileOutcome[]> => {
  const uploads = files.map((bytes, at) => ({ name: `${at}.pdf`, bytes }));
  const { reading } = await readReport(uploads, { book, testType: 'blood' });
  return reading.files.map(({ outcome }) => outcome);
};

/** Creates a PDF with the given number of empty objects. */
const hollowPdf = (objects: number): Buffer => {
  const body = Array.from({ length: objects }, (_, at) => `${at + 4} 0 obj\n<< >>\nendobj\n`).join('');
  return Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n${body}trailer\n<< /Root 1 0 R /Size ${objects + 4} >>\n%%EOF\n`,
  );
};

/** Creates a one-page PDF with the given drawing operators. */
const drawnPdf = (content: string, isPacked: boolean): Buffer => {
  const bytes = isPacked ? deflateSync(content) : Buffer.from(content);
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>\nendobj\n4 0 obj\n<< /Length ${bytes.length}${isPacked ? ' /Filter /FlateDecode' : ''} >>\nstream\n`,
    ),
    bytes,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF\n'),
  ]);
};

describe('readReport with unreadable input', () => {
  it('reports an encrypted PDF', async () => {
    deepEqual(await outcomesOf(await pdfOf([table], { userPassword: 'secret', ownerPassword: 'other' })), [
      'encrypted',
    ]);
  });

  it('does not read a PDF of 500 pages or the file uploaded with it', async () => {
    const many = await pdfOf(Array.from({ length: 500 }, () => [line('page')]));
    deepEqual(await outcomesOf(many, await pdfOf([table])), ['too_many_pages', 'too_many_pages']);
  });

  it('reports a damaged file, and reads the other file', async () => {
    const whole = await pdfOf([table]);
    const noise = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4000, 0xb7)]);
    deepEqual(await outcomesOf(noise, whole), ['damaged', 'read']);
  });

  it('reports text with a PDF name as not a report', async () => {
    deepEqual(await outcomesOf(Buffer.from('Glucose 92 mg/dL 70-100')), ['not_a_report']);
  });

  it('finds no values in ten thousand empty objects', async () => {
    deepEqual(await outcomesOf(hollowPdf(10_000)), ['no_values']);
  }).timeout(180_000);

  it('rejects a page that saves its state more often than it restores it, compressed or not', async () => {
    for (const isPacked of [true, false]) {
      deepEqual(
        await outcomesOf(
          drawnPdf('q '.repeat(1_000), isPacked),
          drawnPdf('q Q '.repeat(20_000), isPacked),
          drawnPdf('q '.repeat(1_001), isPacked),
        ),
        ['no_values', 'no_values', 'too_large'],
      );
    }
  });

  it('rejects a file with more damaged or total streams than a report of its size has', () => {
    const stream = '9 0 obj\n<< /Filter /FlateDecode >>\nstream\nnothing packed\nendstream\nendobj\n';
    doesNotThrow(() => checkStreams(Buffer.from(stream.repeat(64))));
    throws(() => checkStreams(Buffer.from(stream.repeat(65))), ReadingFailure);
    const plain = '9 0 obj\n<< >>\nstream\nx\nendstream\nendobj\n';
    doesNotThrow(() => checkStreams(Buffer.from(plain.repeat(20_000))));
    throws(() => checkStreams(Buffer.from(plain.repeat(20_001))), ReadingFailure);
  });

  it('rejects a page that decompresses to an excessive size, and one with many nested filters', async () => {
    deepEqual(await outcomesOf(nestedFlatePdf(300_000_000, 1), nestedFlatePdf(300_000_000, 3), await pdfOf([table])), [
      'too_large',
      'too_large',
      'read',
    ]);
    deepEqual(await outcomesOf(nestedFlatePdf(100, 2), nestedFlatePdf(100, 5)), ['no_values', 'too_large']);
  });

  it('finds no values in a letter', async () => {
    deepEqual(await outcomesOf(await pdfOf([[line('Dear reader, this letter of 12 March has no results.')]])), [
      'no_values',
    ]);
  });

  it('reports a picture without letters as not a report', async () => {
    const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#7a8b52' } })
      .jpeg()
      .toBuffer();
    deepEqual(await outcomesOf(picture), ['not_a_report']);
  }).timeout(180_000);

  it('rejects a truncated picture, and one that decompresses to more than forty megapixels', async () => {
    const huge = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: 'white' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    const cut = (
      await sharp({
        create: {
          width: 900,
          height: 900,
          channels: 3,
          background: 'white',
          noise: { type: 'gaussian', mean: 128, sigma: 30 },
        },
      })
        .png()
        .toBuffer()
    ).subarray(0, 2000);
    deepEqual(await outcomesOf(huge, cut), ['unreadable_picture', 'unreadable_picture']);
  }).timeout(180_000);

  it('returns how many pages each file has', async () => {
    const { reading } = await readReport([{ name: 'a.pdf', bytes: await pdfOf([table, [line('end')]]) }], {
      book,
      testType: 'blood',
    });
    equal(reading.pages, 2);
    deepEqual(reading.files, [{ name: 'a.pdf', pages: 2, outcome: 'read' }]);
  });
});
