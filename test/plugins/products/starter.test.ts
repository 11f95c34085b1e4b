import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { packStarter } from '#plugins/products/packing.ts';
import { CORE_FILE, headOfList, LIST_COLUMNS, LIST_FILE, starterFile } from '#plugins/products/starter.ts';
import { sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { startBeside } from '../../support/shared.ts';
import { until } from '../../support/until.ts';
import { madeSupplement, temporaryFolder } from '../evidence/support.ts';
import { fixture, servicesOf, stored } from './support.ts';

const contentDir = join(import.meta.dirname, '../../../content');
const pack = (text: string): Buffer => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Returns a list of made-up labels in the starter format. */
const madeList = (from: number, count: number): Buffer => {
  const rows = Array.from({ length: count }, (_, at) =>
    [from + at, `Pure Magnesium ${at}`, 'Madeup Labs', '', '', 'A1299', 'E0159', '', '', '1', '', '2014-01-02'].join(
      '\t',
    ),
  );
  return pack([headOfList('2019-06-07', count), LIST_COLUMNS.join('\t'), ...rows, ''].join('\n'));
};

describe('starter catalogue', function () {
  this.timeout(180_000);

  it('has a core file and a 2019 list file that the importer reads in full', async () => {
    const list = await starterFile(contentDir, LIST_FILE);
    assert.equal(list?.total, 92_456);
    const core = await starterFile(contentDir, CORE_FILE);
    const ids = new Set<number>();
    let listed = 0;
    for await (const event of core?.source.events(AbortSignal.timeout(60_000)) ?? []) {
      assert.equal(event.type, 'label');
      if (event.type !== 'label') continue;
      ids.add(event.patch.dsldId);
      // The files contain facts only: no sentence of a label.
      assert.equal(event.patch.told.statements, undefined);
      assert.equal(event.patch.told.suggested_use, undefined);
    }
    for await (const event of list?.source.events(AbortSignal.timeout(60_000)) ?? []) {
      assert.equal(event.type, 'label');
      listed += 1;
    }
    assert.deepEqual([ids.size, listed], [5_072, 92_456]);
  });

  it('is built from label files without their sentences, with the same bytes each time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ekb-pack-'));
    try {
      const counts = await packStarter(folder, [fixture('dsld')], AbortSignal.timeout(60_000));
      assert.deepEqual(counts, { core: 4, coreLines: 4, list: 3, listAsOf: '2019-05-06' });
      const read = (name: string): Promise<Buffer> => readFile(join(folder, name));
      const first = [await read(CORE_FILE), await read(LIST_FILE)];
      await packStarter(folder, [fixture('dsld')], AbortSignal.timeout(60_000));
      assert.deepEqual([await read(CORE_FILE), await read(LIST_FILE)], first);
      const text = brotliDecompressSync(first[0] ?? '').toString();
      assert.ok(text.includes('Magnesium Citrate 400 mg'));
      for (const sentence of ['Take two', 'Keep it somewhere', 'Nowhere Road']) assert.ok(!text.includes(sentence));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  describe('in a server', () => {
    const content = temporaryFolder();
    let service: TestService;
    before(async () => {
      await content.put('topics.yaml', '[]\n');
      await content.put('supplements/magnesium.md', madeSupplement('Magnesium'));
      await content.put(`products/${LIST_FILE}`, madeList(910_000_000, 2_300));
      service = await startService({ contentDir: content.path(), settings: { STARTER_PRODUCTS: 'all' } });
    });
    after(() => service.stop());

    const countOfList = async (): Promise<number> =>
      Number((await sql(service, 'select count(*)::int as n from product where dsld_id >= 910000000'))[0]?.n);

    it('is imported in the background with progress, and only once', async () => {
      await until(() => servicesOf(service).progress()?.status === 'ok');
      assert.deepEqual(servicesOf(service).progress(), {
        stage: 'starter_products',
        done: 2_300,
        total: 2_300,
        status: 'ok',
      });
      assert.equal(await countOfList(), 2_300);
      const runs = await sql(service, "select status from import_run where path = ? and kind = 'starter'", [LIST_FILE]);
      const beside = await startBeside(service, { contentDir: content.path(), settings: { STARTER_PRODUCTS: 'all' } });
      try {
        await until(() => servicesOf(beside).progress()?.status === 'ok');
      } finally {
        await beside.stop();
      }
      assert.deepEqual(
        await sql(service, "select status from import_run where path = ? and kind = 'starter'", [LIST_FILE]),
        runs,
      );
    });

    it('is matched again when the vocabulary changes', async () => {
      const [before] = await stored(service, 910_000_123);
      assert.deepEqual(before?.supplements, ['magnesium']);
      await content.put('supplements/made-mineral.md', madeSupplement('Made mineral', ['Pure Magnesium']));
      const beside = await startBeside(service, {
        contentDir: content.path(),
        settings: { STARTER_PRODUCTS: 'core', STARTER_EVIDENCE: 'none' },
      });
      try {
        await until(async () => (await stored(service, 910_000_123))[0]?.supplements[0] === 'made-mineral');
        await until(
          async () =>
            !(
              await sql(
                service,
                'select 1 from product where supplements @> \'["magnesium"]\' and dsld_id >= 910000000 limit 1',
              )
            ).length,
        );
      } finally {
        await beside.stop();
      }
      const [row] = await stored(service, 910_000_123);
      assert.deepEqual([row?.ingredientsExtent, row?.onMarket, row?.name], ['name', true, 'Pure Magnesium 123']);
    });
  });
});
