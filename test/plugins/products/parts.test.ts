import assert from 'node:assert/strict';
import { gtin14 } from '#plugins/products/barcode.ts';
import { brandSlug } from '#plugins/products/brand-slug.ts';
import { jsonValues } from '#plugins/products/importers/json-values.ts';
import type { LabelPatch } from '#plugins/products/label.ts';
import { applyPatch, type LabelState, originsOf } from '#plugins/products/merging.ts';

describe('gtin14', () => {
  const codes: Readonly<Record<string, string>> = {
    '0 12345 67890 5': '00012345678905',
    '012345678905': '00012345678905',
    '4006381333931': '04006381333931',
    '96385074': '00000096385074',
    '04252614': '00042100005264',
    '012345678906': '',
    X003UB5Q33: '',
    '000000000000': '',
    '123': '',
    '': '',
  };
  for (const [printed, expected] of Object.entries(codes))
    it(`normalizes "${printed}" to ${expected || 'none'}`, () => assert.equal(gtin14(printed), expected));
});

describe('brandSlug', () => {
  it('is the same for spellings that differ in case, marks and punctuation', () => {
    for (const spelling of ['Nature’s Way®', "NATURE'S WAY", 'natures  way', 'Nature´s-Way™'])
      assert.equal(brandSlug(spelling), 'natures-way');
    assert.equal(brandSlug('!!!'), '');
    assert.equal(brandSlug('21st Century'), '21st-century');
    assert.match(brandSlug('x'.repeat(200)), /^x{80}$/);
  });
});

describe('merging label patches', () => {
  const patches: readonly LabelPatch[] = [
    { dsldId: 1, origin: 'dsld-list', asOf: '2019-06-07', told: { name: 'Old', brand: 'B', claims: ['Nutrient'] } },
    {
      dsldId: 1,
      origin: 'dsld-csv',
      asOf: '2026-01-10',
      told: { name: 'New', upc_printed: '', suggested_use: 'Use.' },
    },
    { dsldId: 1, origin: 'dsld-csv', asOf: '2025-01-10', told: { name: 'Between', statements: [] } },
    { dsldId: 1, origin: 'dsld-mineral', asOf: '2026-06-20', told: { some_ingredients: [] } },
    { dsldId: 1, origin: 'dsld-json', asOf: '2025-09-25', told: { ingredients: [], name: 'Label' } },
  ];
  const permutations = <T>(list: readonly T[]): T[][] =>
    list.length < 2
      ? [[...list]]
      : list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one, ...rest]));

  it('gives the same result whatever the order of the files', () => {
    const merge = (order: readonly LabelPatch[]): LabelState => order.reduce(applyPatch, new Map() as LabelState);
    const expected = originsOf(merge(patches));
    assert.deepEqual(expected, [
      { origin: 'dsld-csv', as_of: '2026-01-10', fields: ['name'] },
      { origin: 'dsld-json', as_of: '2025-09-25', fields: ['ingredients'] },
      { origin: 'dsld-csv', as_of: '2025-01-10', fields: ['statements'] },
      { origin: 'dsld-list', as_of: '2019-06-07', fields: ['brand', 'claims'] },
    ]);
    for (const order of permutations(patches)) assert.deepEqual(originsOf(merge(order)), expected);
  });
});

describe('jsonValues', () => {
  const cut = async (text: string, size: number, asLines = false): Promise<string[]> => {
    const chunks = (async function* () {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    })();
    const found: string[] = [];
    for await (const one of jsonValues(chunks, asLines)) found.push(`${one.line}: ${one.text.replace(/\s+/g, '')}`);
    return found;
  };
  const texts: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    'one object over lines': ['{\n "a": {"b": "}\\"{"}\n}\n', ['1: {"a":{"b":"}\\"{"}}']],
    'an array': ['[{"a":1},\n{"a":[{"b":2}]}]', ['1: {"a":1}', '2: {"a":[{"b":2}]}']],
    'JSON lines': ['{"a":1}\n\n{"a":2}', ['1: {"a":1}', '3: {"a":2}']],
    'an answer with results': ['{"meta":{"x":[{"y":1}]},\n"results":[{"a":1},{"a":2}]}', ['2: {"a":1}', '2: {"a":2}']],
  };
  for (const [name, [text, expected]] of Object.entries(texts))
    it(`splits a stream into objects whatever the chunk size: ${name}`, async () => {
      for (const size of [1, 2, 3, 7, 1000]) assert.deepEqual(await cut(text, size), expected);
    });

  it('reports the start line of an object that does not end', async () => {
    await assert.rejects(cut('[{"a":1},{"a":', 4), /ends inside the object that begins on line 1/);
  });
});
