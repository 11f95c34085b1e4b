import { strict as assert } from 'node:assert';
import { acquireLease, releaseLease, withLease } from '#core/db/lease.ts';
import type { Database } from '#core/plugin.ts';
import { countOf, sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('leases', () => {
  let service: SharedService;
  let db: Database;
  before(async () => {
    service = await sharedService();
    db = service.runtime.db;
  });
  beforeEach(() => sql(service, 'delete from lease'));

  const expire = () => sql(service, "update lease set expires_at = now() - interval '1 second'");

  it('have one holder, who may renew', async () => {
    assert.equal(await acquireLease(db, 'work', 'one', 60), true);
    assert.equal(await acquireLease(db, 'work', 'two', 60), false);
    assert.equal(await acquireLease(db, 'work', 'one', 60), true);
    assert.equal(await acquireLease(db, 'other work', 'two', 60), true);
  });

  it('go to exactly one of many concurrent callers', async () => {
    const asked = Array.from({ length: 12 }, (_, at) => acquireLease(db, 'work', `owner ${at}`, 60));
    assert.equal((await Promise.all(asked)).filter(Boolean).length, 1);
  });

  it('pass to another caller after they expire', async () => {
    await acquireLease(db, 'work', 'dead', 60);
    await expire();
    assert.equal(await acquireLease(db, 'work', 'next', 60), true);
    assert.equal(await acquireLease(db, 'work', 'dead', 60), false);
  });

  it('are released only by their holder', async () => {
    await acquireLease(db, 'work', 'one', 60);
    await releaseLease(db, 'work', 'two');
    assert.equal(await acquireLease(db, 'work', 'two', 60), false);
    await releaseLease(db, 'work', 'one');
    assert.equal(await acquireLease(db, 'work', 'two', 60), true);
  });

  it('are held while the work runs and released afterwards, even when the work fails', async () => {
    const held = await withLease(db, 'work', { waitSeconds: 0 }, async () => {
      assert.equal(await withLease(db, 'work', { waitSeconds: 0 }, async () => 'never'), null);
      return 'done';
    });
    assert.deepEqual(held, { result: 'done' });
    const failing = withLease(db, 'work', { waitSeconds: 0 }, () => Promise.reject(new Error('broken')));
    await assert.rejects(failing, /broken/);
    assert.equal(await countOf(service, 'lease'), 0);
  });

  it('are awaited by callers with a wait time', async () => {
    const order: string[] = [];
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = withLease(db, 'work', { waitSeconds: 0 }, () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    assert.equal(await withLease(db, 'work', { waitSeconds: 0 }, async () => order.push('too early')), null);
    const second = withLease(db, 'work', { waitSeconds: 60 }, async () => order.push('second'));
    order.push('first ends');
    end.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first ends', 'second']);
  });
});
