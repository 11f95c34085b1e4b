import assert from 'node:assert/strict';
import { createSourceRows } from '#plugins/evidence/source-rows.ts';
import { sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';

describe('source rows cached in memory', () => {
  let service: TestService;
  let ids: string[];
  before(async () => {
    service = await startService({ settings: { STARTER_PRODUCTS: 'none', STARTER_EVIDENCE: 'none' } });
    const rows = await sql(
      service,
      'select source_id from evidence_source where removed_at is null order by 1 limit 6',
    );
    ids = rows.map(({ source_id }) => String(source_id));
  });
  after(() => service.stop());

  it('are read from the database, and are the same object until they change', async () => {
    const rows = createSourceRows(service.runtime.db);
    const first = await rows.read(ids);
    assert.deepEqual([...first.keys()].sort(), ids);
    const again = await rows.read([...ids, 'pmid-0']);
    for (const id of ids) assert.equal(again.get(id), first.get(id));
    assert.equal(again.size, ids.length);
    assert.equal((await rows.read([])).size, 0);
  });

  it('are read again after a change, and are omitted after a withdrawal', async () => {
    const rows = createSourceRows(service.runtime.db);
    const [changed = '', withdrawn = ''] = ids;
    await rows.read(ids);
    const bump = "revision = nextval('evidence_revision')";
    await sql(service, `update evidence_source set title = 'Another title', ${bump} where source_id = ?`, [changed]);
    await sql(service, `update evidence_source set removed_at = now(), ${bump} where source_id = ?`, [withdrawn]);
    const now = await rows.read(ids);
    assert.equal(now.get(changed)?.title, 'Another title');
    assert.equal(now.has(withdrawn), false);
    assert.equal(now.size, ids.length - 1);
  });

  it('are evicted in least-recently-used order when the cache is full', async () => {
    const rows = createSourceRows(service.runtime.db, 3);
    const [, , a = '', b = '', c = '', d = ''] = ids;
    const before = await rows.read([a, b, c]);
    await rows.read([a]);
    await rows.read([d]);
    const after = await rows.read([a, c]);
    assert.equal(after.get(a), before.get(a));
    assert.equal(after.get(c), before.get(c));
    assert.notEqual((await rows.read([b])).get(b), before.get(b));
  });
});
