/** Tests reports without a text layer, which are read with OCR. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import sharp from 'sharp';
import { readReport, type Vision } from '#plugins/labs/reading/index.ts';
import { numberOf } from '#plugins/labs/reading/numbers.ts';
import { openPdf } from '#plugins/labs/reading/pdf.ts';
import { head, line, pdfOf, row } from './made-pdf.ts';
import { smallBook } from './small-book.ts';

const book = smallBook();

const lines = [
  line('Meadow Example Laboratory'),
  line('Collected: 03/25/2026    Reported: 03/27/2026'),
  head,
  row('Hemoglobin', '11.2', 'g/dL', '13.5-17.5', 'L'),
  row('White Blood Cell Count', '7.5', 'x10^3/uL', '4.0-11.0'),
  row('Potassium', '4.1', 'mmol/L', '3.5-5.3'),
  row('Creatinine', '0.9', 'mg/dL', '0.6-1.3'),
  row('TSH', '<0.01', 'mIU/L', '0.40-4.50'),
];

const drawn = async (): Promise<Buffer> => {
  const pdf = await openPdf(await pdfOf([lines], { size: [600, 240] }));
  const page = await pdf.page(1);
  const picture = await page.draw();
  await pdf.close();
  return picture;
};

describe('readReport with a picture', () => {
  let picture: Buffer;
  before(async () => {
    picture = await drawn();
  });

  it('reads values with decimal points from a rotated, skewed grey picture, and crops each row', async () => {
    const leaning = await sharp(picture)
      .resize({ width: 1150 })
      .rotate(1.4, { background: '#eee' })
      .modulate({ brightness: 0.85 })
      .toBuffer();
    const turned = await sharp(await sharp(leaning).rotate(270).toBuffer())
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 80 })
      .toBuffer();
    const stages: string[] = [];
    const { reading, crops } = await readReport([{ name: 'photo.jpg', bytes: turned }], {
      book,
      testType: 'blood',
      onProgress: ({ stage }) => stages.push(stage),
    });
    const values = reading.values.map(({ slug, comparator, value, ucum }) => `${slug} ${comparator}${value} ${ucum}`);
    deepEqual(values, [
      'hemoglobin =11.2 g/dL',
      'white-blood-cells =7.5 10*3/uL',
      'potassium =4.1 mmol/L',
      'creatinine =0.9 mg/dL',
      'tsh <0.01 m[IU]/L',
    ]);
    equal(reading.readBy, 'ocr');
    equal(reading.collectedAt, '2026-03-25');
    deepEqual(stages, ['opening', 'letters', 'values']);
    deepEqual([...crops.keys()], [0, 1, 2, 3, 4]);
    for (const crop of crops.values()) {
      const { format, width, height } = await sharp(crop).metadata();
      ok(
        format === 'png' && crop.length < 40_000 && width > 8 * height,
        `${format} ${width}×${height}, ${crop.length} bytes`,
      );
    }
  }).timeout(180_000);

  it('adds a model’s extra rows with a doubt, and marks numbers that differ from its own reading', async () => {
    const told = [
      { name: 'Potassium', value: '41', unit: 'mmol/L', range: '3.5-5.3', flag: '' },
      { name: 'Ferritin', value: '80', unit: 'ng/mL', range: '16-232', flag: '' },
    ];
    const vision: Vision = async () => JSON.stringify({ rows: told });
    const { reading } = await readReport([{ name: 'scan.png', bytes: picture }], { book, testType: 'blood', vision });
    const potassium = reading.values.find(({ slug }) => slug === 'potassium');
    deepEqual([potassium?.value, potassium?.doubts], [4.1, ['unclear_number']]);
    const ferritin = reading.values.find(({ slug }) => slug === 'ferritin');
    deepEqual([ferritin?.value, ferritin?.doubts], [80, ['from_model']]);
    equal(reading.readBy, 'mixed');
  }).timeout(180_000);
});

describe('numberOf', () => {
  const style = (decimal: 'point' | 'comma', isSure = true) => ({ decimal, isSure });
  const read = (text: string, decimal: 'point' | 'comma') => numberOf(text, style(decimal))?.value ?? null;

  it('reads numbers with a decimal point or comma as the report writes them', () => {
    deepEqual(
      ['1,234', '1,234.5', '0.85', '12'].map((text) => read(text, 'point')),
      [1234, 1234.5, 0.85, 12],
    );
    deepEqual(
      ['1.234', '1.234,5', '0,85', '12'].map((text) => read(text, 'comma')),
      [1234, 1234.5, 0.85, 12],
    );
  });

  it('returns null for misplaced separators', () => {
    deepEqual(
      ['1.2.3', '12,34,5', '5.4.', 'x', '1,23.456,7'].map((text) => read(text, 'point')),
      [null, null, null, null, null],
    );
  });
});
