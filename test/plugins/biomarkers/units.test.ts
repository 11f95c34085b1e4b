import assert from 'node:assert/strict';
import type { Book } from '#plugins/biomarkers/book.ts';
import { readUnit, unitText } from '#plugins/biomarkers/units.ts';
import { readBook } from './shipped.ts';

const PRINTED: Readonly<Record<string, readonly string[]>> = {
  'mg/dL': [
    'mg/dL',
    'mg/dl',
    'MG/DL',
    'mg / dL',
    '[mg/dl]',
    '(mg/dL)',
    'mg/100 ml',
    'mg%',
    'rng/dL',
    'mgldL',
    'mg/dI',
    'mg|dL',
  ],
  'ug/dL': ['µg/dL', 'μg/dl', 'ug/dL', 'mcg/dl'],
  'pg/mL': ['pg/mL', 'pg/mI', 'PG/ML'],
  '10*3/uL': [
    'x10^3/µL',
    'x10E3/uL',
    '10*3/uL',
    'K/uL',
    'K/mcL',
    'Tsd./µl',
    'Tsd/µl',
    'thou/uL',
    '10³/µl',
    '103/uL',
    '10^3/mm3',
  ],
  '10*9/L': ['10E9/l', 'x10^9/L', '10⁹/L', 'G/L', 'G/l', 'Gpt/l', '109/L'],
  '10*6/uL': ['M/uL', 'Mio/µl', 'Mill./µl', '10^6/mm³', 'million/uL'],
  '10*12/L': ['T/l', 'Tpt/l', '10^12/L', 'x 10*12/L'],
  '/uL': ['/µl', 'cells/uL', '/mm3', 'Zellen/µl'],
  'g/L': ['g/l', 'g/L'],
  'm[IU]/L': ['mIU/L', 'mIE/l', 'mUI/L', 'mlU/L'],
  'u[IU]/mL': ['µIU/mL', 'uIU/mL', 'plU/mL'],
  'U/L': ['U/L', 'U/l', 'U/I', 'units/L'],
  '[IU]/L': ['IU/L', 'UI/L', 'IE/l'],
  'ukat/L': ['µkat/l'],
  'mmol/L': ['mmol/L', 'mmol/l', 'mmoI/L', 'mmol/1', 'MMOL/L'],
  'meq/L': ['mEq/L', 'mval/l'],
  '%': ['%', 'Prozent', '% (NGSP)'],
  'mmol/mol': ['mmol/mol', 'mmol/mol Hb'],
  'mL/min/{1.73_m2}': ['mL/min/1.73m²', 'ml/min/1,73 m2', 'mL/min/1.73 m²'],
  'mm/h': ['mm/h', 'mm/hr', 'mm/1h', 'mm/Std'],
  'mg/g{creat}': ['mg/g Crea', 'mg/g creatinine', 'mg/g Kreatinin'],
  'mg/(24.h)': ['mg/24h', 'mg/24 h', 'mg/d', 'mg/Tag'],
  '/[HPF]': ['/HPF', '/hpf', '/Gesichtsfeld'],
  s: ['sec', 's', 'Sek.', 'seconds'],
  'ug/mL{FEU}': ['µg/mL FEU', 'ug/mL FEU'],
};

describe('biomarker units', () => {
  let book: Book;
  before(async () => {
    book = await readBook();
  });
  const convert = (slug: string, value: number, from: string, to: string) => {
    const marker = book.bySlug(slug);
    assert.ok(marker, slug);
    return book.convert(marker, value, from, to);
  };
  const near = (actual: number | null, expected: number) =>
    assert.ok(actual !== null && Math.abs(actual / expected - 1) < 0.005, `${actual} instead of ${expected}`);

  it('are read as laboratories and OCR print them', () => {
    for (const [ucum, all] of Object.entries(PRINTED))
      for (const printed of all) assert.equal(readUnit(printed), ucum, printed);
  });

  it('are not guessed', () => {
    for (const printed of ['', ' ', 'mg', 'dL', 'foo/dL', 'mg/foo', 'H', '12', '3.5-5.0', 'Negativ', 'x'.repeat(300)])
      assert.equal(readUnit(printed), null, printed);
  });

  it('are shown in a readable form that parses back to the same unit', () => {
    assert.equal(unitText('10*3/uL'), '10³/µL');
    assert.equal(unitText('u[IU]/mL'), 'µIU/mL');
    assert.equal(unitText('mg/g{creat}'), 'mg/g creatinine');
    for (const { ucum, units } of book.markers)
      for (const unit of [ucum, ...units.map((one) => one.ucum)].filter((one) => one && one !== '1'))
        assert.equal(readUnit(unitText(unit)), unit, unitText(unit));
  });

  it('convert with the molar mass of the marker', () => {
    near(convert('glucose', 5.5, 'mmol/L', 'mg/dL'), 99);
    near(convert('glucose', 0.9, 'g/L', 'mg/dL'), 90);
    near(convert('total-cholesterol', 5, 'mmol/L', 'mg/dL'), 193.3);
    near(convert('triglycerides', 1.7, 'mmol/L', 'mg/dL'), 150.6);
    near(convert('creatinine', 88.4, 'umol/L', 'mg/dL'), 1);
    near(convert('haemoglobin', 8.69, 'mmol/L', 'g/dL'), 14);
    near(convert('haemoglobin', 140, 'g/L', 'g/dL'), 14);
    near(convert('calcium', 2.5, 'mmol/L', 'mg/dL'), 10.02);
    near(convert('calcium', 5, 'meq/L', 'mg/dL'), 10.02);
    near(convert('vitamin-d', 75, 'nmol/L', 'ng/mL'), 30.05);
    near(convert('free-t4', 15, 'pmol/L', 'ng/dL'), 1.165);
    near(convert('total-testosterone', 20, 'nmol/L', 'ng/dL'), 576.8);
    near(convert('iron', 17.9, 'umol/L', 'ug/dL'), 100);
    near(convert('uric-acid', 360, 'umol/L', 'mg/dL'), 6.05);
    near(convert('blood-urea-nitrogen', 5, 'mmol/L', 'mg/dL'), 14);
    near(convert('urea', 30, 'mg/dL', 'mmol/L'), 4.995);
    near(convert('alt', 0.5, 'ukat/L', 'U/L'), 30);
    near(convert('alt', 30, '[IU]/L', 'U/L'), 30);
    near(convert('tsh', 2, 'u[IU]/mL', 'm[IU]/L'), 2);
    near(convert('white-blood-cells', 6.5, '10*9/L', '10*3/uL'), 6.5);
    near(convert('neutrophils-absolute', 4.2, '10*9/L', '/uL'), 4200);
    near(convert('haematocrit', 0.42, 'L/L', '%'), 42);
    near(convert('sodium', 140, 'meq/L', 'mmol/L'), 140);
    near(convert('crp', 0.8, 'mg/dL', 'mg/L'), 8);
    near(convert('urine-albumin-creatinine-ratio', 3.39, 'mg/mmol{creat}', 'mg/g{creat}'), 30);
  });

  it('do not convert when the result would be wrong', () => {
    assert.equal(convert('hba1c', 5.5, '%', 'mmol/mol'), null);
    assert.equal(convert('hba1c-ifcc', 37, 'mmol/mol', '%'), null);
    assert.equal(convert('lipoprotein-a', 75, 'nmol/L', 'mg/dL'), null);
    assert.equal(convert('d-dimer', 0.5, 'ug/mL{FEU}', 'ug/mL'), null);
    assert.equal(convert('thyroid-peroxidase-antibodies', 30, 'U/mL', '[IU]/mL'), null);
    assert.equal(convert('urine-red-cells', 3, '/uL', '/[HPF]'), null);
    assert.equal(convert('white-blood-cells', 6, '%', '10*3/uL'), null);
    assert.equal(convert('glucose', 90, 'U/L', 'mg/dL'), null);
    assert.equal(convert('potassium', 4, 'mg/dL', 'mmol/L'), null);
    assert.equal(convert('urine-nitrite', 1, 'mg/dL', 'mg/dL'), null);
  });

  it('convert to the unit of the marker and back', () => {
    for (const marker of book.markers)
      for (const { ucum } of marker.units) {
        const own = book.convert(marker, 7, ucum, marker.ucum);
        assert.ok(own !== null && own > 0, `${marker.slug} ${ucum}`);
        near(book.convert(marker, own, marker.ucum, ucum), 7);
      }
  });
});
