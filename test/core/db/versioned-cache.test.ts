import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createVersionedCache } from '#core/db/versioned-cache.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('versioned cache', () => {
  let service: SharedService;
  let made: number;
  before(async () => {
    service = await sharedService();
  });
  beforeEach(() => {
    made = 0;
  });
  const keep = (version: string, slowness = 0) =>
    createVersionedCache(service.runtime.db, {
      version,
      make: async () => {
        await sleep(slowness);
        made += 1;
        return made;
      },
    });

  it('computes its value once for concurrent and later callers', async () => {
    const { current } = keep('select 1 as version', 20);
    assert.deepEqual(await Promise.all([current(), current(), current()]), [1, 1, 1]);
    assert.equal(await current(), 1);
  });

  it('recomputes after forget(), and otherwise only when the version changes', async () => {
    const same = keep('select 1 as version');
    assert.equal(await same.current(), 1);
    same.forget();
    assert.equal(await same.current(), 2);
    const other = keep('select random() as version');
    assert.equal(await other.current(), 3);
    await sleep(2_100);
    assert.deepEqual([await same.current(), await other.current()], [2, 4]);
  });

  it('does not store a value that was forgotten during its computation', async () => {
    const { current, forget } = keep('select 1 as version', 30);
    const early = current();
    await sleep(10);
    forget();
    assert.deepEqual(await Promise.all([early, current()]), [1, 2]);
    assert.equal(await current(), 2);
  });

  it('rejects all concurrent callers when the computation fails, and then retries', async () => {
    let isBroken = true;
    const { current } = createVersionedCache(service.runtime.db, {
      version: 'select 1 as version',
      make: async () => {
        if (isBroken) throw new Error('broken');
        return 'whole';
      },
    });
    await assert.rejects(Promise.all([current(), current()]), /broken/);
    isBroken = false;
    assert.equal(await current(), 'whole');
  });
});
