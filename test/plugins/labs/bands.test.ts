/**
 * Tests how printed reference text is read with its words: a band is not a range, and a printed flag is never
 * contradicted.
 */
import assert from 'node:assert/strict';
import { assess } from '#plugins/labs/assess.ts';
import { bandsOf } from '#plugins/labs/bands/bands.ts';
import { readReport } from '#plugins/labs/reading/index.ts';
import { contentBook } from '../../../bench/labs/book.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { head, line, type PdfLine, pdfOf, row } from './reading/made-pdf.ts';

const MAN = { consent: true, collected_at: '2026-10-01', sex: 'male', birth_year: 1980 };
const WOMAN = { consent: true, collected_at: '2026-10-01', sex: 'female', birth_year: 1980, pregnant: 'no' };

/** Name, value, unit, printed reference text, and the expected flag. */
type Case = readonly [name: string, value: string, unit: string, range: string, flag: string, person?: object];

const STATES: readonly Case[] = [
  ['HbA1c', '7.9', '%', 'Diabetes ≥ 6.5', 'high'],
  ['HbA1c', '6.5', '%', 'Diabetes >= 6.5', 'high'],
  ['HbA1c', '6.0', '%', 'Prediabetes: 5.7 - 6.4', 'high'],
  ['HbA1c', '6.0', '%', 'Normal <5.7; Prediabetes 5.7-6.4; Diabetes >=6.5', 'high'],
  ['HbA1c', '5.2', '%', 'Normal <5.7; Prediabetes 5.7-6.4; Diabetes >=6.5', 'normal'],
  ['HbA1c', '5.2', '%', '<5.7 Normal, 5.7-6.4 Prediabetes, ≥6.5 Diabetes', 'normal'],
  ['HbA1c', '6,9', '%', 'Diabetes ab 6,5', 'high'],
  ['Vitamin D', '15', 'ng/mL', 'Deficient < 20', 'low'],
  ['Vitamin D', '15', 'ng/mL', 'Mangel < 20', 'low'],
  ['Vitamin D', '25', 'ng/mL', 'Insufficient 20-29', 'low'],
  ['Vitamin D', '25', 'ng/mL', 'Deficient: <20 Insufficient: 20-29 Sufficient: 30-100', 'low'],
  ['Vitamin D', '35', 'ng/mL', 'Deficient: <20 Insufficient: 20-29 Sufficient: 30-100', 'normal'],
  ['Vitamin B12', '180', 'pg/mL', 'Deficiency: < 200', 'low'],
  ['Ferritin', '12', 'ng/mL', 'Iron deficiency <15', 'low'],
  ['Total cholesterol', '250', 'mg/dL', 'High ≥ 240', 'high'],
  ['Total cholesterol', '210', 'mg/dL', 'Borderline high 200-239', 'high'],
  ['Total cholesterol', '210', 'mg/dL', 'Desirable < 200', 'high'],
  ['HDL cholesterol', '35', 'mg/dL', 'Low < 40', 'low'],
  ['HDL cholesterol', '35', 'mg/dL', 'High risk: < 40', 'low'],
  ['Troponin T', '60', 'ng/L', 'Myocardial infarction > 52', 'high'],
  ['eGFR', '12', 'mL/min/1.73m2', 'Kidney failure <15', 'low'],
  ['Glucose', '130', 'mg/dL', 'Diabetes >126', 'high'],
];

const PEOPLE: readonly Case[] = [
  ['Haemoglobin', '12.5', 'g/dL', 'Male: 13-17', 'low', MAN],
  ['Haemoglobin', '12.5', 'g/dL', 'Male: 13-17 Female: 12-16', 'low', MAN],
  ['Haemoglobin', '12.5', 'g/dL', 'Male: 13-17 Female: 12-16', 'normal', WOMAN],
  ['Haemoglobin', '12.5', 'g/dL', '(W) 12-16 (M) 13-17', 'normal', WOMAN],
  ['Haemoglobin', '12.5', 'g/dL', 'Hommes 13 - 17 ; Femmes 12 - 16', 'low', MAN],
  ['Ferritin', '20', 'ng/mL', '30-400 (Männer), 13-150 (Frauen)', 'low', MAN],
  ['PSA', '3.0', 'ng/mL', '40-49 years: <2.5; 50-59 years: <3.5', 'high', MAN],
  ['PSA', '3.0', 'ng/mL', '40-49 years: <2.5; 50-59 years: <3.5', 'normal', { ...MAN, birth_year: 1970 }],
  ['Glucose', '120', 'mg/dL', 'Fasting 70-99, random <140', 'high', { ...MAN, fasting: 'yes' }],
  ['Glucose', '120', 'mg/dL', 'Fasting 70-99, random <140', 'normal', { ...MAN, fasting: 'no' }],
];

/** Values equal to the upper or lower bound. */
const BOUNDS: readonly Case[] = [
  ['HbA1c', '5.7', '%', '< 5.7', 'high'],
  ['HbA1c', '5.7', '%', '≤ 5.7', 'normal'],
  ['HbA1c', '5.7', '%', 'up to 5.7', 'normal'],
  ['HbA1c', '5.6', '%', '4.0-5.6', 'normal'],
  ['eGFR', '60', 'mL/min/1.73m2', '> 60', 'low'],
  ['eGFR', '60', 'mL/min/1.73m2', '>= 60', 'normal'],
];

describe('reference text of a laboratory value', () => {
  let service: SharedService;
  let device: Device;
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });
  beforeEach(() => {
    device = deviceOf(service);
  });

  const flagOf = async ([name, value, unit, range, , person]: Case): Promise<string> => {
    const added = { a1: { name, value, unit, range } };
    const { body } = await device
      .post('/blood-test/reports')
      .send({ ...(person ?? MAN), added })
      .expect(200);
    return body.markers[0].flag;
  };

  for (const one of [...STATES, ...PEOPLE, ...BOUNDS]) {
    const [name, value, unit, range, flag] = one;
    const who = one[5] ? ` (${JSON.stringify(one[5]).match(/male|female/)?.[0]})` : '';
    it(`flags ${name} of ${value} ${unit} as "${flag}" for the reference text “${range}”${who}`, async () => {
      assert.equal(await flagOf(one), flag);
    });
  }

  it('leaves the flag unknown when the text concerns other people or is not understood', async () => {
    const flags: Record<string, string> = {};
    for (const range of [
      '1st trimester: 0.1-2.5',
      'Pregnancy: 4-9',
      'Luteal phase 3-6',
      'Zorblax 4.9-5.1',
      'Female 1-2',
    ])
      flags[range] = await flagOf(['Reverse T3', '5', 'ng/dL', range, '']);
    assert.deepEqual([...new Set(Object.values(flags))], ['unknown'], JSON.stringify(flags));
  });

  it('is ignored when it is in another unit', async () => {
    assert.equal(
      await flagOf(['HbA1c', '7.9', '%', 'Diabetes ≥ 48 mmol/mol', '']),
      await flagOf(['HbA1c', '7.9', '%', '', '']),
    );
  });

  it('yields no range bounds for a value within a disease band, and is shown as printed', async () => {
    const added = { a1: { name: 'HbA1c', value: '7.9', unit: '%', range: 'Diabetes ≥ 6.5' } };
    const { body } = await device
      .post('/blood-test/reports')
      .send({ ...MAN, added })
      .expect(200);
    assert.deepEqual(body.markers[0].lab_range, { low: null, high: null, text: 'Diabetes ≥ 6.5' });
    const page = await device.get('/blood-test/results').expect(200);
    assert.match(page.text, /above the range/);
    assert.doesNotMatch(page.text, /within the range/);
  });
});

describe('report with bands, flags and qualified names', () => {
  const book = contentBook();
  const person = {
    sex: 'male',
    birthYear: 1980,
    isPregnant: null,
    collectedAt: '2026-03-25',
    createdAt: '2026-03-25',
  } as const;

  const read = async (...lines: readonly PdfLine[]) => {
    const bytes = await pdfOf([[line('Example Laboratory'), ...lines]]);
    const { reading } = await readReport([{ name: 'report.pdf', bytes }], { book, testType: 'blood' });
    const assessed = reading.values.map((value, at) =>
      assess(book, person, { ...value, markerId: `m${at}`, confirmed: false, origin: 'read', hasCrop: false }),
    );
    return { reading, assessed, first: assessed[0] };
  };

  for (const [name, value, unit, range, flag] of STATES.filter(([, , , range]) => !/[≥≤]|;|: .*: /.test(range)))
    for (const hasHead of [true, false])
      it(`reads ${name} ${value} with reference “${range}” as ${flag}, ${hasHead ? 'with' : 'without'} a table header`, async () => {
        const given = range.includes(',')
          ? [row('Kalium', '4,1', 'mmol/l', '3,5 - 5,3')]
          : [row('Sodium', '140', 'mmol/L', '135-145')];
        const { assessed } = await read(...(hasHead ? [head] : []), ...given, row(name, value, unit, range));
        assert.equal(assessed[1]?.flag, flag, JSON.stringify(assessed[1]?.kept));
      });

  it('appends bands on the lines below a row to the reference text of the row', async () => {
    const { first, reading } = await read(
      head,
      row('Hemoglobin A1c', '5.9', '%', '4.8-5.6'),
      line('    Prediabetes: 5.7 - 6.4'),
      line('    Diabetes: >6.4'),
      row('Vitamin D, 25-OH', '24', 'ng/mL', '<20 Deficient'),
      row('', '', '', '20-29 Insufficient'),
      row('', '', '', '30-100 Sufficient'),
    );
    assert.equal(first?.kept.range.text, '4.8-5.6; Prediabetes: 5.7 - 6.4; Diabetes: >6.4');
    assert.deepEqual(
      reading.values.map(({ range }) => range.text)[1],
      '<20 Deficient; 20-29 Insufficient; 30-100 Sufficient',
    );
  });

  it('distinguishes a flag before a range from words that belong to the range', async () => {
    const { assessed } = await read(
      row('Sodium', '140', 'mmol/L', '135-145'),
      [
        { x: 40, text: 'HDL Cholesterol' },
        { x: 240, text: '35 mg/dL Low >40' },
      ],
      [
        { x: 40, text: 'LDL Cholesterol' },
        { x: 240, text: '150 mg/dL High 0-99' },
      ],
    );
    assert.deepEqual(
      assessed.slice(1).map(({ kept, flag }) => [kept.flagText, kept.range.text, flag]),
      [
        ['Low', '>40', 'low'],
        ['High', '0-99', 'high'],
      ],
    );
  });

  it('never downgrades the laboratory’s own flag', async () => {
    const marked = async (flag: string): Promise<string> => {
      const { first } = await read(head, row('Potassium', '4.9', 'mmol/L', '3.5-5.1', flag));
      return first!.flag;
    };
    const told = await Promise.all(['', 'H', 'L', 'HH', 'CRITICAL', '*'].map(marked));
    assert.deepEqual(told, ['normal', 'high', 'low', 'critical', 'critical', 'unknown']);
  });

  it('reports a doubtful unit when range and value are on different scales', async () => {
    const { first } = await read(head, row('Platelets', '370', '/uL', '150-400'));
    assert.equal(first?.flag, 'unknown');
    assert.ok(first?.kept.doubts.includes('unit_does_not_fit'));
  });

  it('does not map a qualified name to the plain test', async () => {
    const names = [
      'Glucose, 2 hour',
      'GLUCOSE 2 HR POST',
      'Insulin 120 min',
      'Cortisol, stimulated',
      'Arterial pH',
      'CA 125',
      'CA 19-9',
      'Protein C',
      'Hemoglobin F',
      'Factor V',
      'Glucose random',
    ];
    const { reading } = await read(head, ...names.map((name) => row(name, '55', 'U/mL', '30-90')));
    assert.deepEqual(
      reading.values.map(({ rawName, slug, value }) => [rawName, slug, value]),
      names.map((name) => [name, null, 55]),
    );
    const { reading: plain } = await read(
      head,
      row('LDH', '237', 'U/L', '100-220', 'H'),
      row('Glucose', '92', 'mg/dL', '70-99'),
    );
    assert.deepEqual(
      plain.values.map(({ slug, value }) => [slug, value]),
      [
        ['ldh', 237],
        ['glucose', 92],
      ],
    );
  });

  it('ignores lines that explain a test', async () => {
    const { reading } = await read(
      head,
      row('LDL Cholesterol', '120', 'mg/dL', '<100', 'H'),
      line('LDL goal for high risk: <70 mg/dL'),
      line('Vitamin D deficiency <20 ng/mL'),
    );
    assert.equal(reading.values.length, 1);
  });

  it('parses reference text of any length in bounded time', () => {
    const style = { decimal: 'point', isSure: true } as const;
    for (const text of [
      '1-'.repeat(50_000),
      'age 1 to '.repeat(20_000),
      '< '.repeat(50_000),
      'a/'.repeat(50_000),
      '10 e'.repeat(30_000),
    ]) {
      const begun = process.cpuUsage();
      bandsOf(text, style);
      assert.ok(process.cpuUsage(begun).user < 2_000_000, text.slice(0, 9));
    }
  });
});
