import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../evidence/support.ts';
import { fixture, importPaths, madeZip, servicesOf, stored } from './support.ts';

const HEADER =
  'URL,DSLD ID,Product Name,Brand Name,Bar Code,Net Contents,Serving Size,Product Type [LanguaL],Supplement Form [LanguaL],Date Entered into DSLD,Market Status,Suggested Use';

/** Returns a row of a product overview; the products are fictitious. */
const overviewRow = (id: number, status: 'On Market' | 'Off Market', name = `Made Thing ${id}`): string =>
  `https://dsld.od.nih.gov/label/${id},${id},${name},Madeup Labs,,,,,,2024-01-02,${status},`;
const overview = (...rows: readonly string[]): string => [HEADER, ...rows, ''].join('\n');
const readme = (day: string): string => `Welcome\nDate of download,${day}T00:00:00-05:00\n`;
const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

describe('label import', function () {
  this.timeout(180_000);
  const files = temporaryFolder();
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const changesAfter = async (id: number) =>
    (await sql(service, 'select kind, subject_id, data from change_log where id > ? order by id', [id])) as {
      kind: string;
      subject_id: string;
      data: Record<string, unknown>;
    }[];
  const lastChange = async (): Promise<number> =>
    Number((await sql(service, 'select coalesce(max(id), 0)::int as id from change_log'))[0]?.id);

  it('reads a download, the 2019 list and label JSON from one folder, and reports every skipped row', async () => {
    const { clean, lines } = await importPaths(service, 'dsld', [fixture('dsld')]);
    assert.deepEqual(lines, [
      'CompanyInformation_1.csv (CompanyInformation, as of 2026-02-03): 1 labels read, 1 added, 0 changed, 0 unchanged, 0 skipped',
      'DietarySupplementFacts_1.csv (DietarySupplementFacts, as of 2026-02-03): 2 labels read, 1 added, 1 changed, 0 unchanged, 0 skipped',
      'OtherIngredients_1.csv (OtherIngredients, as of 2026-02-03): 3 labels read, 1 added, 2 changed, 0 unchanged, 0 skipped',
      'ProductOverview_1.csv (ProductOverview, as of 2026-02-03): 4 labels read, 1 added, 3 changed, 0 unchanged, 3 skipped',
      '  skipped ProductOverview_1.csv, line 5: a quoted cell is opened and never closed',
      '  skipped ProductOverview_1.csv, line 7: the row has no DSLD ID',
      '  skipped ProductOverview_1.csv, line 8: the row has 4 cells where the header has 13',
      'labels/900000010.json (labels as JSON, as of 2025-10-01): 1 labels read, 1 added, 0 changed, 0 unchanged, 0 skipped',
      'lstProducts.csv (the list of 2019, as of 2019-05-06): 3 labels read, 2 added, 1 changed, 0 unchanged, 0 skipped',
      '  not among these files: LabelStatements; what they would tell stays as it is',
    ]);
    assert.equal(clean, false);
    assert.deepEqual(await stored(service, 900000003, 900000006), []);
  });

  it('merges the fields of all files: the newer value wins, and a missing field deletes nothing', async () => {
    const [row] = await stored(service, 900000001);
    assert.ok(row);
    const { origins, digest: _, contacts, ingredients, ...rest } = row;
    assert.deepEqual(rest, {
      dsldId: 900000001,
      name: 'Magnesium Citrate 400 mg',
      brand: 'Madeup Labs',
      brandSlug: 'madeup-labs',
      upc: '00012345678905',
      upcPrinted: '0 12345 67890 5',
      form: 'Capsule',
      formCode: 'E0159',
      productType: 'Mineral',
      typeCode: 'A1299',
      servingSize: '2 Capsule(s)',
      servingsPerContainer: '',
      netContents: '90 Capsule(s)',
      onMarket: true,
      statusAsOf: '2026-02-03',
      marketStatusChangedAt: '2026-02-03T00:00:00.000Z',
      entryDate: '2024-05-06',
      labelVersion: '',
      // Only the 2019 list has these two fields.
      targetGroups: ['Adults and children 4 years and above'],
      claims: ['All Other', 'Structure/Function'],
      otherIngredients: ['Cellulose', 'Calcium Carbonate', 'Magnesium Stearate'],
      statements: [{ type: 'Suggested Use', text: 'Take two, with "water".\nThen rest.' }],
      ingredientsExtent: 'label',
      labelRelations: [],
      supplements: ['magnesium'],
    });
    assert.deepEqual(
      contacts.map(({ name, roles, city }) => [name, roles, city]),
      [
        ['Madeup Labs Inc.', ['manufacturer'], 'Nowhere'],
        ['Elsewhere Trading', ['distributor', 'reseller'], 'Elsewhere'],
      ],
    );
    assert.deepEqual(
      ingredients.map(({ name, amount, unit, operator, dv_percent, supplement_slug }) => [
        name,
        amount,
        unit,
        operator,
        dv_percent,
        supplement_slug,
      ]),
      [
        ['Magnesium', 400, 'mg', '=', 95, 'magnesium'],
        ['Sodium', 5, 'mg', '<', null, null],
      ],
    );
    assert.deepEqual(
      origins.map(({ origin, as_of }) => [origin, as_of]),
      [
        ['dsld-csv', '2026-02-03'],
        ['dsld-list', '2019-05-06'],
      ],
    );
    assert.deepEqual(
      await sql(
        service,
        'select on_market, as_of::text, source from product_status where dsld_id = 900000001 order by as_of',
      ),
      [
        { on_market: false, as_of: '2019-05-06', source: 'dsld-list' },
        { on_market: true, as_of: '2026-02-03', source: 'dsld-csv' },
      ],
    );
  });

  it('stores an unprinted amount and an unknown status as null, and an unknown form or shop code as printed', async () => {
    const [ease, vitamin, spoon] = await stored(service, 900000002, 900000005, 900000007);
    assert.deepEqual(
      ease?.ingredients.map(({ name, amount, unit, is_blend }) => [name, amount, unit, is_blend]),
      [
        ['Ease Blend', 1200, 'mg', true],
        ['Ginger root', null, '', false],
        ['Calories', 5, 'Calories', false],
        ['Vitamin C', null, '', false],
      ],
    );
    assert.deepEqual([ease?.upc, ease?.upcPrinted, ease?.onMarket], ['', 'X00MADEUP1', false]);
    assert.deepEqual(ease?.otherIngredients, []);
    // The check digit is wrong and the date does not exist.
    assert.deepEqual([vitamin?.upc, vitamin?.upcPrinted, vitamin?.entryDate], ['', '012345678906', null]);
    assert.deepEqual(
      [spoon?.name, spoon?.onMarket, spoon?.statusAsOf, spoon?.form, spoon?.formCode, spoon?.productType],
      ['6" Measuring Spoon Zinc', null, null, 'Cloud', 'E9999', 'Unheard of'],
    );
  });

  it('reads ingredients from names in the 2019 list with source "name", and never from a dilution', async () => {
    const [melatonin, arnica] = await stored(service, 900000008, 900000009);
    assert.deepEqual(
      melatonin?.ingredients.map(({ name, amount, unit, source, supplement_slug }) => [
        name,
        amount,
        unit,
        source,
        supplement_slug,
      ]),
      [['Melatonin', 3, 'mg', 'name', 'melatonin']],
    );
    assert.deepEqual([melatonin?.ingredientsExtent, melatonin?.claims], ['name', []]);
    assert.deepEqual([melatonin?.form, melatonin?.formCode, melatonin?.netContents], ['', 'E0177', '']);
    assert.deepEqual([arnica?.ingredients, arnica?.ingredientsExtent, arnica?.entryDate], [[], 'none', null]);
  });

  it('nests blends within blends, drops invalid UNIIs and reads the date of market withdrawal', async () => {
    const [label] = await stored(service, 900000010);
    const [vitamin, blend] = label?.ingredients ?? [];
    assert.deepEqual([vitamin?.unii, vitamin?.form, vitamin?.dv_percent], ['PQ6CK8PD0R', 'Ascorbic Acid', 67]);
    assert.deepEqual([blend?.amount, blend?.unit, blend?.operator, blend?.unii], [2, 'g', '<', '']);
    const [ginger, inner] = blend?.children ?? [];
    assert.deepEqual([ginger?.amount, ginger?.unit, ginger?.supplement_slug], [null, '', 'ginger']);
    assert.deepEqual([inner?.is_blend, inner?.children[0]?.amount, inner?.children[0]?.operator], [true, 5, '>']);
    assert.deepEqual(label?.supplements, ['garlic', 'ginger', 'vitamin-c']);
    assert.equal(label?.marketStatusChangedAt, '2025-09-10T00:00:00.000Z');
    assert.equal(label?.servingSize, '1 to 2 Tablet(s)');
    assert.deepEqual(label?.targetGroups, ['Vegan', 'Adults and children 4 years and above']);
    assert.deepEqual(label?.labelRelations, [{ dsld_id: 900000001, type: 'Package size difference, same product' }]);
    // A processing aid is not an ingredient.
    assert.deepEqual(label?.otherIngredients, ['Calcium Carbonate']);
  });

  it('reports every label as unchanged and logs nothing when the same files are imported again', async () => {
    const last = await lastChange();
    const before = await sql(service, 'select max(change_number)::int as n, count(*)::int as count from product');
    const { lines } = await importPaths(service, 'dsld', [fixture('dsld')]);
    for (const line of lines.filter((one) => one.includes('labels read')))
      assert.match(line, /: (\d+) labels read, 0 added, 0 changed, \1 unchanged/);
    assert.deepEqual(await changesAfter(last), []);
    assert.deepEqual(
      await sql(service, 'select max(change_number)::int as n, count(*)::int as count from product'),
      before,
    );
  });

  it('reads gzip files and members of a zip archive, dating the 2019 list by its archive member', async () => {
    const list = await readFile(fixture('dsld/lstProducts.csv'), 'utf8');
    const ids = list.replaceAll('90000000', '90001000');
    const zip = await files.put('list.zip', madeZip({ 'lstProducts.csv': ids, 'notes.txt': 'nothing' }));
    const packed = await files.put('ProductOverview_9.csv.gz', gzipSync(overview(overviewRow(900020001, 'On Market'))));
    const { lines } = await importPaths(service, 'dsld', [zip, packed]);
    assert.deepEqual(lines.slice(0, 2), [
      'list.zip/lstProducts.csv (the list of 2019, as of 2019-06-07): 3 labels read, 3 added, 0 changed, 0 unchanged, 0 skipped',
      'ProductOverview_9.csv.gz (ProductOverview, as of 2024-01-02): 1 labels read, 1 added, 0 changed, 0 unchanged, 0 skipped',
    ]);
  });

  it('reports files that are not labels, and imports the others', async () => {
    const label = (await readFile(fixture('dsld/labels/900000010.json'), 'utf8')).replaceAll('9000000', '9000300');
    const without = JSON.stringify({ ...JSON.parse(label), id: null });
    const one = JSON.stringify(JSON.parse(label));
    await files.put('mixed/a-lines.jsonl', `${one}\n{"broken\n${without}\n`);
    await files.put('mixed/b-array.json', `[${label},\n${without}]`);
    await files.put('mixed/c-hits.json', `{"hits":[{"_id":"900030010","_source":${without}}]}`);
    await files.put('mixed/d-cut.json', label.slice(0, 300));
    await files.put('mixed/e-other.csv', 'a,b\n1,2\n');
    await files.put('mixed/f-empty.csv', '');
    await files.put('mixed/g-bad.zip', 'no archive');
    const { lines, clean } = await importPaths(service, 'dsld', [files.path('mixed')]);
    assert.equal(clean, false);
    assert.deepEqual(
      lines.filter((line) => line.includes('skipped ') && !line.includes('labels read')),
      [
        '  skipped a-lines.jsonl, line 2: is no JSON',
        '  skipped a-lines.jsonl, line 3: the label has no id',
        `  skipped b-array.json, line ${label.split('\n').length + 1}: the label has no id`,
        '  skipped d-cut.json: ends inside the object that begins on line 1',
        '  skipped e-other.csv: is no table of labels: its header is not one that is known',
        '  skipped f-empty.csv: is empty',
        '  skipped g-bad.zip: is no whole ZIP archive: its directory is missing',
      ],
    );
    assert.equal((await stored(service, 900030010)).length, 1);
  });

  it('logs a change of market status once, from the newer file only', async () => {
    await files.put('old/ReadMe_1.csv', readme('2026-03-01'));
    await files.put('old/ProductOverview_1.csv', overview(overviewRow(900040001, 'On Market')));
    await files.put('new/ReadMe_1.csv', readme('2026-04-01'));
    await files.put('new/ProductOverview_1.csv', overview(overviewRow(900040001, 'Off Market')));
    await importPaths(service, 'dsld', [files.path('old')]);
    const last = await lastChange();
    await importPaths(service, 'dsld', [files.path('new'), files.path('old'), files.path('new')]);
    const changes = (await changesAfter(last)).filter(({ kind }) => kind === 'product.market_status_changed');
    assert.deepEqual(
      changes.map(({ subject_id, data }) => [subject_id, data.from, data.to, data.as_of]),
      [['900040001', true, false, '2026-04-01']],
    );
    const [row] = await stored(service, 900040001);
    assert.deepEqual([row?.onMarket, row?.marketStatusChangedAt], [false, '2026-04-01T00:00:00.000Z']);
  });

  it('counts status changes beyond the first hundred of an import instead of logging each', async () => {
    const ids = range(900050000, 130);
    await files.put('many-old/ReadMe_1.csv', readme('2026-03-01'));
    await files.put('many-old/ProductOverview_1.csv', overview(...ids.map((id) => overviewRow(id, 'On Market'))));
    await files.put('many-new/ReadMe_1.csv', readme('2026-04-01'));
    await files.put('many-new/ProductOverview_1.csv', overview(...ids.map((id) => overviewRow(id, 'Off Market'))));
    await importPaths(service, 'dsld', [files.path('many-old')]);
    const last = await lastChange();
    await importPaths(service, 'dsld', [files.path('many-new')]);
    const changes = await changesAfter(last);
    assert.equal(changes.filter(({ kind }) => kind === 'product.market_status_changed').length, 100);
    const [summary] = changes.filter(({ kind }) => kind === 'product.imported');
    assert.deepEqual([summary?.data.changed, summary?.data.status_changed], [130, 130]);
  });

  it('resumes an interrupted import', async () => {
    const ids = range(900060000, 2_500);
    const path = await files.put(
      'long/ProductOverview_1.csv',
      overview(...ids.map((id) => overviewRow(id, 'On Market'))),
    );
    const stop = new AbortController();
    const { db } = service.runtime;
    const write = db.write.bind(db);
    let batches = 0;
    // Stops in the second batch, as a kill between two transactions would.
    db.write = (async (work: never) => {
      const done = await write(work);
      batches += 1;
      if (batches === 3) stop.abort(new Error('interrupted'));
      return done;
    }) as typeof db.write;
    try {
      await assert.rejects(importPaths(service, 'dsld', [path], stop.signal), /interrupted|abort/i);
    } finally {
      db.write = write;
    }
    const [{ n } = { n: 0 }] = (await sql(
      service,
      'select count(*)::int as n from product where dsld_id between 900060000 and 900062499',
    )) as { n: number }[];
    assert.ok(n > 0 && n < 2_500 && n % 1_000 === 0, `${n} are in`);
    const { lines } = await importPaths(service, 'dsld', [path]);
    assert.match(lines[0] ?? '', /2500 labels read, 2500 added, 0 changed, 0 unchanged, 0 skipped/);
    assert.equal(lines[1], `  went on where an interrupted run had stopped (${n} were in already)`);
  });

  it('replaces characters that PostgreSQL rejects, and skips labels with overlong names or deep nesting', async () => {
    const label = JSON.parse(
      (await readFile(fixture('dsld/labels/900000010.json'), 'utf8')).replaceAll('9000000', '9000400'),
    );
    const nested = Array.from({ length: 60 }).reduce<object>((inner) => ({ name: 'Blend', nestedRows: [inner] }), {});
    const lines = [
      { ...label, upcSku: '', fullName: 'Half \ud800 and \0 none' },
      { ...label, id: 900040011, brandName: 'y'.repeat(100_000) },
      { ...label, id: 900040012, ingredientRows: [nested] },
      { ...label, upcSku: '', id: 900040013 },
    ];
    await files.put('odd/a.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    await files.put(
      'odd/recalls.json',
      JSON.stringify({
        results: [{ recall_number: 'F-9901-2025', product_description: `${'x'.repeat(1_999)}💊 \ud800` }],
      }),
    );
    const { lines: said } = await importPaths(service, 'dsld', [files.path('odd/a.jsonl')]);
    assert.deepEqual(
      said.filter((line) => line.startsWith('  skipped ')),
      [
        '  skipped a.jsonl, line 2: the brand has more than 1000 characters',
        '  skipped a.jsonl, line 3: nests its ingredients too deeply',
      ],
    );
    const found = await stored(service, 900040010, 900040011, 900040012, 900040013);
    assert.deepEqual(
      found.map(({ dsldId }) => dsldId),
      [900040010, 900040013],
    );
    assert.equal(found[0]?.name, 'Half \ufffd and  none');
    const recalls = await importPaths(service, 'recalls', [files.path('odd/recalls.json')]);
    assert.match(recalls.lines[0] ?? '', /1 recalls read, 1 added, .* 0 skipped/);
    await sql(service, "delete from product_recall where recall_number = 'F-9901-2025'");
  });

  it('reports a file that contains no recall', async () => {
    await files.put('no-recall.txt', 'hello');
    const { lines, clean } = await importPaths(service, 'recalls', [files.path('no-recall.txt')]);
    assert.deepEqual([clean, lines[1]], [false, '  skipped no-recall.txt: holds no report']);
  });

  it('links a recall to products by bar code, or by brand and whole name, and leaves the others unlinked', async () => {
    const { lines } = await importPaths(service, 'recalls', [fixture('dsld-recalls.json')]);
    assert.deepEqual(lines, [
      `${fixture('dsld-recalls.json')}: 4 recalls read, 4 added, 0 changed, 0 unchanged, 1 skipped; 2 tied to products`,
      '  skipped dsld-recalls.json, line 63: the report has no recall number',
    ]);
    const rows = await sql(
      service,
      'select recall_number, dsld_ids, linked_by, initiation_date::text as day from product_recall order by recall_number',
    );
    assert.deepEqual(
      rows.map((row) => [row.recall_number, row.linked_by, row.dsld_ids, row.day]),
      [
        ['F-9001-2025', 'upc', [900000001, 900000010, 900030010], '2025-01-02'],
        ['F-9002-2025', 'name', [900000008, 900010008], '2025-01-02'],
        ['F-9003-2025', '', [], '2025-01-02'],
        ['F-9004-2025', '', [], '2025-01-02'],
      ],
    );
    const again = await importPaths(service, 'recalls', [fixture('dsld-recalls.json')]);
    assert.match(again.lines[0] ?? '', /0 added, 0 changed, 4 unchanged/);
  });

  it('assigns a distinct change number to every product', async () => {
    const [row] = await sql(
      service,
      'select count(*)::int as count, count(distinct change_number)::int as numbers from product',
    );
    assert.equal(row?.count, row?.numbers);
  });

  it('includes the core of the starter catalogue before the first response', async () => {
    assert.equal(servicesOf(service).progress(), null);
    const [row] = await sql(service, 'select count(*)::int as n from product where dsld_id < 900000000');
    assert.equal(row?.n, 5072);
  });
});
