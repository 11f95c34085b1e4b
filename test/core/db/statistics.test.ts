import { strict as assert } from 'node:assert';
import { refreshStatistics } from '#core/db/statistics.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('embedded database statistics', () => {
  let service: SharedService;
  before(async function () {
    service = await sharedService();
    if (service.runtime.db.kind !== 'pglite') this.skip();
    await sql(service, 'create table outgrown (id int primary key, words text)');
  });
  after(() => service.runtime.db.kind === 'pglite' && sql(service, 'drop table if exists outgrown'));

  const planned = async (): Promise<number> => {
    const [row] = await sql(service, "select reltuples::int as rows from pg_class where relname = 'outgrown'");
    return (row as { rows: number }).rows;
  };

  it('are refreshed for a filled table, and again only after it has grown enough', async () => {
    await refreshStatistics(service.runtime.db);
    await sql(service, "insert into outgrown select n, repeat('x', 200) from generate_series(1, 5000) as n");
    assert.deepEqual(await refreshStatistics(service.runtime.db), ['outgrown']);
    assert.equal(await planned(), 5000);
    assert.deepEqual(await refreshStatistics(service.runtime.db), []);
    await sql(service, "insert into outgrown select n, repeat('x', 200) from generate_series(5001, 9000) as n");
    assert.deepEqual(await refreshStatistics(service.runtime.db), ['outgrown']);
    assert.equal(await planned(), 9000);
  });
});
