/** Tests reading in a separate process. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { createReader } from '#plugins/labs/reading/process.ts';
import { FONT, nestedFlatePdf } from '../../../../bench/attacks/made-files.ts';
import { head, pdfOf, row } from './made-pdf.ts';
import { smallBook } from './small-book.ts';

const book = smallBook();
const usual = { seconds: 60, atOnce: 1 };

const file = async (value: string) => ({
  name: 'report.pdf',
  bytes: await pdfOf([[head, row('Glucose', value, 'mg/dL', '70-100')]]),
});

describe('reading process', () => {
  it('reads one report after another, and reports its progress', async () => {
    const reader = createReader(book, usual);
    const stages: string[] = [];
    const options = {
      testType: 'blood',
      onProgress: ({ stage }: { stage: string }) => void stages.push(stage),
    } as const;
    const results = await Promise.all([
      reader.read([await file('92')], options),
      reader.read([await file('95')], options),
    ]);
    deepEqual(
      results.map(({ reading }) => reading.values.map(({ slug, value }) => [slug, value])),
      [[['glucose', 92]], [['glucose', 95]]],
    );
    deepEqual(stages, ['opening', 'text', 'values', 'opening', 'text', 'values']);
    await reader.stop();
    await rejects(reader.read([await file('92')], options), /stopped/);
  });

  it('aborts a report that takes too long', async () => {
    const hasty = createReader(book, { ...usual, seconds: 0.001 });
    const { reading } = await hasty.read([await file('92')], { testType: 'blood' });
    deepEqual(reading.files, [{ name: 'report.pdf', pages: 0, outcome: 'took_too_long' }]);
    await hasty.stop();
  });

  it('stops on a page that decompresses beyond the memory limit, and reads the next file', async () => {
    const reader = createReader(book, { ...usual, residentMegabytes: 400 });
    const [bomb, next] = [nestedFlatePdf(400_000_000, 3), await file('92')];
    ok(bomb.length < 6_000, 'the bomb is small to send');
    let spent = 0;
    const { reading } = await reader.read([{ name: 'bomb.pdf', bytes: bomb }], {
      testType: 'blood',
      onSpent: (seconds) => {
        spent = seconds;
      },
    });
    deepEqual(reading.files, [{ name: 'bomb.pdf', pages: 0, outcome: 'too_large' }]);
    ok(spent > 0, 'the processor time is charged');
    equal((await reader.read([next], { testType: 'blood' })).reading.files[0]?.outcome, 'read');
    await reader.stop();
  });

  it('has enough memory for OCR of a large picture', async () => {
    const reader = createReader(book, { atOnce: 1 });
    const [width, height] = [2_500, 3_500];
    const canvas = createCanvas(width, height);
    const drawing = canvas.getContext('2d');
    drawing.fillStyle = 'white';
    drawing.fillRect(0, 0, width, height);
    drawing.fillStyle = 'black';
    GlobalFonts.registerFromPath(FONT, 'large');
    drawing.font = '60px large';
    for (const [at, text] of ['Glucose', '92', 'mg/dL', '70 - 100'].entries())
      drawing.fillText(text, 150 + at * 550, 300);
    const bytes = await canvas.encode('jpeg', 80);
    const { reading } = await reader.read([{ name: 'a.jpg', bytes }], { testType: 'blood' });
    deepEqual(
      reading.values.map(({ slug, value }) => [slug, value]),
      [['glucose', 92]],
    );
    await reader.stop();
  });

  it('rejects with the reason of an abort', async () => {
    const reader = createReader(book, usual);
    const stopping = new AbortController();
    const reading = reader.read([await file('92')], { testType: 'blood', signal: stopping.signal });
    stopping.abort(new Error('the report was deleted'));
    await rejects(reading, /the report was deleted/);
    await reader.stop();
  });
});
