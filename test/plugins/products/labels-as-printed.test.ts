/** Compares label files of the real DSLD with the stored rows, field by field, by parsing the files independently. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Ingredient } from '#plugins/products/label.ts';
import type { Stored } from '#plugins/products/store.ts';
import { api, bootstrapAdmin, type IssuedKey } from '../../support/client.ts';
import { startService, type TestService } from '../../support/service.ts';
import { shared } from '../evidence/importers/support.ts';
import { importPaths, stored } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a third-party file, read without a schema
type Raw = any;

/** Returns the rows in reading order with their depth. */
const flat = <Row>(rows: readonly Row[], children: (row: Row) => readonly Row[], depth = 0): [number, Row][] =>
  rows.flatMap((row) => [[depth, row] as [number, Row], ...flat(children(row), children, depth + 1)]);

const UNITS: Readonly<Record<string, string>> = { 'Gram(s)': 'g', 'Calorie(s)': 'Calories', '{Calories}': 'Calories' };
const unitOf = (unit: string): string => UNITS[unit] ?? unit;
const isPrinted = (unit: string): boolean => !['NP', 'Not Present', ''].includes(unit);

const kept = ([depth, row]: [number, Ingredient]) => ({
  depth,
  name: row.name,
  amount: row.amount,
  unit: row.unit,
  operator: row.operator,
  dv: row.dv_percent,
  category: row.category,
  group: row.group,
  unii: row.unii,
  form: row.form,
  blend: row.is_blend,
});

const printed = ([depth, row]: [number, Raw]) => {
  const quantity = row.quantity[0] ?? { unit: 'NP' };
  const has = isPrinted(quantity.unit);
  return {
    depth,
    name: row.name.trim(),
    amount: has ? quantity.quantity : null,
    unit: has ? unitOf(quantity.unit) : '',
    operator: has ? quantity.operator : '',
    dv: quantity.dailyValueTargetGroup?.[0]?.percent ?? null,
    category: row.category,
    group: row.ingredientGroup.trim(),
    unii: /^[A-Z0-9]{10}$/.test(row.uniiCode ?? '') ? row.uniiCode : '',
    form: row.forms.map((form: Raw) => form.name.trim()).join(', '),
    blend: row.category === 'blend',
  };
};

const compareApi = (row: Stored, raw: Raw): void => {
  assert.deepEqual(
    flat(row.ingredients, ({ children }) => children).map(kept),
    flat<Raw>(raw.ingredientRows, ({ nestedRows }) => nestedRows).map(printed),
  );
  assert.equal(row.upcPrinted, raw.upcSku);
  assert.equal(row.labelVersion, raw.productVersionCode ?? '');
  assert.deepEqual([row.formCode, row.typeCode], [raw.physicalState.langualCode, raw.productType.langualCode]);
  assert.deepEqual([row.onMarket, row.entryDate], [raw.offMarket === 0, raw.entryDate]);
  assert.equal(row.servingsPerContainer, raw.servingsPerContainer ?? '');
  assert.deepEqual(
    row.statements.map(({ type, text }) => [type, text]),
    raw.statements.map(({ type, notes }: Raw) => [type, notes.trim()]),
  );
  assert.deepEqual(
    row.otherIngredients,
    raw.otheringredients.ingredients.map(({ name }: Raw) => name.trim()),
  );
  assert.deepEqual(
    row.contacts.map(({ name, city, web }) => [name, city, web]),
    raw.contacts.map(({ contactDetails: at }: Raw) => [at.name, at.city, at.webAddress]),
  );
  assert.deepEqual(
    row.labelRelations,
    raw.labelRelationships.map(({ labelId, type }: Raw) => ({ dsld_id: labelId, type })),
  );
  for (const group of raw.targetGroups) assert.ok(row.targetGroups.includes(group), group);
};

const printedInList = (row: Raw) => {
  const has = isPrinted(row.unit);
  return [row.name, has ? row.quantity : null, has ? unitOf(row.unit) : '', row.dailyValuePercent || null];
};

const compareListed = (row: Stored, raw: Raw): void => {
  assert.deepEqual(
    flat(row.ingredients, ({ children }) => children).map(([, one]) => [
      one.name,
      one.amount,
      one.unit,
      one.dv_percent,
    ]),
    raw.ingredients.map(printedInList),
  );
  assert.deepEqual(
    [row.name, row.brand, row.netContents, row.servingsPerContainer],
    [raw.fullName, raw.brandName, raw.netContents, String(raw.servingsPerContainer)],
  );
  assert.deepEqual(row.otherIngredients, raw.otherIngredients);
  assert.deepEqual([row.form, row.productType, row.entryDate], [raw.physicalState, raw.productType, raw.entryDate]);
  assert.equal(row.onMarket, raw.offMarket === 0);
  assert.equal(row.marketStatusChangedAt?.slice(0, 10) ?? null, raw.offMarketDate);
};

describe('labels of the DSLD', function () {
  this.timeout(180_000);
  let service: TestService;
  let admin: IssuedKey;
  before(async function () {
    if (!existsSync(shared('dsld'))) {
      console.log('      (skipped: ../shared/data/dsld is not here)');
      this.skip();
    }
    service = await startService({
      settings: { STARTER_PRODUCTS: 'none', STARTER_EVIDENCE: 'none' },
      contentDir: undefined,
    });
    admin = await bootstrapAdmin(service);
    await service.runtime.db.write((em) => em.execute('delete from product'));
    await importPaths(service, 'dsld', [shared('dsld/labels'), shared('dsld/labels-with-amounts.jsonl')]);
  });
  after(() => service?.stop());

  it('are stored with every field as printed: the six labels of the API', async () => {
    const names = await readdir(shared('dsld/labels'));
    assert.equal(names.length, 6);
    for (const name of names) {
      const raw = JSON.parse(await readFile(shared(`dsld/labels/${name}`), 'utf8'));
      const [row] = await stored(service, raw.id);
      assert.ok(row, name);
      assert.deepEqual([row.name, row.brand], [raw.fullName, raw.brandName]);
      compareApi(row, raw);
    }
  });

  it('are stored with every field as printed: all labels with amounts', async () => {
    const lines = (await readFile(shared('dsld/labels-with-amounts.jsonl'), 'utf8')).trim().split('\n');
    assert.ok(lines.length >= 20);
    for (const line of lines) {
      const raw = JSON.parse(line);
      const [row] = await stored(service, raw.id);
      assert.ok(row, String(raw.id));
      compareListed(row, raw);
    }
  });

  const card = async (id: number): Promise<Raw> =>
    (await api(service).get(`/api/products/${id}`).set('Authorization', `Bearer ${admin.key}`).expect(200)).body;
  const rowsOf = (body: Raw): [number, Raw][] => flat<Raw>(body.ingredients, ({ children }) => children);

  it('have product cards that match the printed label: the six labels of the API', async () => {
    for (const name of await readdir(shared('dsld/labels'))) {
      const raw = JSON.parse(await readFile(shared(`dsld/labels/${name}`), 'utf8'));
      const body = await card(raw.id);
      assert.deepEqual(
        rowsOf(body).map(([depth, row]) => ({ ...kept([depth, { ...row, group: '' }]) })),
        flat<Raw>(raw.ingredientRows, ({ nestedRows }) => nestedRows).map((one) => ({ ...printed(one), group: '' })),
      );
      assert.deepEqual(
        [body.name, body.brand, body.on_market, body.entry_date, body.label_version, body.servings_per_container],
        [
          raw.fullName,
          raw.brandName,
          raw.offMarket === 0,
          raw.entryDate,
          raw.productVersionCode ?? '',
          raw.servingsPerContainer ?? '',
        ],
      );
      assert.deepEqual(
        body.label_statements.map(({ type, text }: Raw) => [type, text]),
        raw.statements.map(({ type, notes }: Raw) => [type, notes.trim()]),
      );
      assert.deepEqual(
        body.other_ingredients,
        raw.otheringredients.ingredients.map((one: Raw) => one.name.trim()),
      );
      if (body.upc) assert.ok(body.upc.endsWith(raw.upcSku.replace(/\D/g, '')));
      for (const line of body.evidence) {
        const mine = rowsOf(body).filter(([, { supplement_slug: slug }]) => slug === line.supplement_slug);
        assert.ok(mine.length > 0, line.supplement_slug);
        if (line.label_dose) assert.ok(mine.some(([, { amount }]) => amount === line.label_dose.amount));
      }
    }
  });

  it('have product cards that match the printed label: twenty labels with amounts', async () => {
    const lines = (await readFile(shared('dsld/labels-with-amounts.jsonl'), 'utf8')).trim().split('\n').slice(0, 20);
    for (const line of lines) {
      const raw = JSON.parse(line);
      const body = await card(raw.id);
      assert.deepEqual(
        rowsOf(body).map(([, row]) => [row.name, row.amount, row.unit, row.dv_percent]),
        raw.ingredients.map(printedInList),
      );
      assert.deepEqual(
        [body.name, body.brand, body.form, body.product_type, body.net_contents, body.entry_date, body.on_market],
        [
          raw.fullName,
          raw.brandName,
          raw.physicalState,
          raw.productType,
          raw.netContents,
          raw.entryDate,
          raw.offMarket === 0,
        ],
      );
      assert.deepEqual(body.other_ingredients, raw.otherIngredients);
      assert.equal(body.market_status_changed_at?.slice(0, 10) ?? null, raw.offMarketDate);
    }
  });
});
