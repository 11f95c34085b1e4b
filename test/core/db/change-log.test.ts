import { strict as assert } from 'node:assert';
import { recordChanges } from '#core/db/change-log.ts';
import { countOf, sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('change log', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  for (const statement of ["update change_log set kind = 'nothing'", 'delete from change_log', 'truncate change_log']) {
    it(`rejects "${statement}"`, async () => {
      const before = await sql(service, 'select * from change_log order by id');
      assert.ok(before.length > 0);
      await assert.rejects(sql(service, statement), /change_log is append-only/);
      assert.deepEqual(await sql(service, 'select * from change_log order by id'), before);
    });
  }

  const change = { kind: 'content.changed', subjectType: 'content', subjectId: 'test' } as const;

  it('stores rows in their given order with their data', async () => {
    await service.runtime.db.write((em) =>
      recordChanges(em, [
        { ...change, data: { old: { tier: 'B' }, new: { tier: 'A' } } },
        { ...change, kind: 'evidence.retracted' },
      ]),
    );
    const rows = await sql(service, "select kind, data from change_log where subject_id = 'test' order by id");
    assert.deepEqual(rows, [
      { kind: 'content.changed', data: { old: { tier: 'B' }, new: { tier: 'A' } } },
      { kind: 'evidence.retracted', data: {} },
    ]);
  });

  it('rolls back a change with its failed transaction', async () => {
    const before = await countOf(service, 'change_log');
    const failing = service.runtime.db.write(async (em) => {
      await recordChanges(em, [change]);
      throw new Error('after the change');
    });
    await assert.rejects(failing, /after the change/);
    assert.equal(await countOf(service, 'change_log'), before);
  });
});
