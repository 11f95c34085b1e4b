/** Generates hostile files: small to send, and expensive for a parser that trusts them. */

import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { ZipArchive } from 'archiver';
import PDFDocument from 'pdfkit';

/** Builds an Observation that a naive parser copies for each component: `parts` times `keys` members from a few hundred kB. */
export const hostileObservation = (parts = 250_000, keys = 4_000): string => {
  const members = Array.from({ length: keys }, (_, at) => `"k${at}":0`).join(',');
  const components = Array(parts).fill('{}').join(',');
  return `{"resourceType":"Observation","status":"final",${members},"component":[${components}]}`;
};

export const zipOf = async (files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const archive = new ZipArchive({ zlib: { level: 9 } });
  const out = archive.pipe(new PassThrough());
  for (const [name, content] of Object.entries(files)) archive.append(content, { name });
  void archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of out) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Builds a phone's export with one clinical record. */
export const exportWith = (record: string): Promise<Buffer> =>
  zipOf({
    'apple_health_export/export.xml': `<?xml version="1.0" encoding="UTF-8"?><HealthData locale="en_GB"><ExportDate value="2026-03-10 09:00:00 +0100"/><ClinicalRecord type="Observation" identifier="1" sourceName="Clinic" receivedDate="2026-03-05 10:00:00 +0100" resourceFilePath="/clinical-records/Observation-1.json"/></HealthData>`,
    'apple_health_export/clinical-records/Observation-1.json': record,
  });

/** Builds a one-page PDF from its objects, each with a dictionary and an optional stream. */
export const pdfOfObjects = (objects: readonly { readonly dict: string; readonly stream?: Buffer }[]): Buffer => {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let at = parts[0]?.length ?? 0;
  const add = (part: Buffer): void => {
    parts.push(part);
    at += part.length;
  };
  for (const [index, { dict, stream }] of objects.entries()) {
    places.push(at);
    add(Buffer.from(`${index + 1} 0 obj\n<< ${dict}${stream ? ` /Length ${stream.length}` : ''} >>\n`));
    if (stream) add(Buffer.concat([Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')]));
    add(Buffer.from('endobj\n'));
  }
  const start = at;
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
};

/** Builds a page whose content is compressed `depth` times and expands to `bytes`. */
export const nestedFlatePdf = (bytes = 1_600_000_000, depth = 3): Buffer => {
  let packed = packedZeros(bytes);
  for (let level = 1; level < depth; level += 1) packed = deflateSync(packed, { level: 9 });
  return pdfOfObjects([
    { dict: '/Type /Catalog /Pages 2 0 R' },
    { dict: '/Type /Pages /Kids [3 0 R] /Count 1' },
    { dict: '/Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R' },
    { dict: `/Filter [${Array(depth).fill('/FlateDecode').join(' ')}]`, stream: packed },
  ]);
};

/** Returns `bytes` spaces in compressed form. */
const packedZeros = (bytes: number): Buffer => deflateSync(Buffer.alloc(bytes, 0x20), { level: 9 });

export const FONT = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const LETTERS = 'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJ 0123456789 .,/<>%';

/** Builds a scan of dense random letters, thirty pages by default: a small file that takes minutes of OCR. */
export const denseScan = async (pages = 30): Promise<Buffer> => {
  GlobalFonts.registerFromPath(FONT, 'dense');
  const canvas = createCanvas(1_650, 2_330);
  const drawing = canvas.getContext('2d');
  drawing.fillStyle = 'white';
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.fillStyle = 'black';
  drawing.font = '20px dense';
  let state = 1;
  for (let y = 40; y < canvas.height - 20; y += 28) {
    let line = '';
    for (let at = 0; at < 130; at += 1) {
      state = (state * 48_271) % 2_147_483_647;
      line += LETTERS[state % LETTERS.length];
    }
    drawing.fillText(line, 40, y);
  }
  const picture = await canvas.encode('jpeg', 60);
  return new Promise((resolve) => {
    const document = new PDFDocument({ autoFirstPage: false, size: 'A4', margin: 0 });
    const parts: Buffer[] = [];
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    const image = (document as unknown as { openImage(bytes: Buffer): Buffer }).openImage(picture);
    for (let page = 0; page < pages; page += 1) {
      document.addPage();
      document.image(image, 0, 0, { width: 595, height: 842 });
    }
    document.end();
  });
};

/** Builds a report with one value, as a laboratory's software prints it. */
export const smallReport = (value: string): Promise<Buffer> =>
  new Promise((resolve) => {
    const document = new PDFDocument({ size: 'A4' });
    const parts: Buffer[] = [];
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    document.fontSize(10).text('Collected: 2026-09-14', 50, 70);
    const lines = [
      ['Test', 'Result', 'Units', 'Reference Range'],
      ['Ferritin', value, 'ng/mL', '30 - 400'],
    ];
    for (const [at, cells] of lines.entries())
      for (const [column, cell] of cells.entries())
        document.text(cell, [50, 220, 290, 370][column] ?? 0, 100 + at * 18, { lineBreak: false });
    document.end();
  });
