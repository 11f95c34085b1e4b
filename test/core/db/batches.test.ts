import { strict as assert } from 'node:assert';
import { inBatches } from '#core/db/batches.ts';
import type { Database } from '#core/plugin.ts';

/** A table of so many rows to change, and what it was asked. */
const tableOf = (rows: number) => {
  const asked: (readonly unknown[])[] = [];
  let left = rows;
  const execute = async (_text: string, parameters: readonly unknown[]) => {
    asked.push(parameters);
    const count = Math.min(left, Number(parameters.at(-1)));
    left -= count;
    return [{ count }];
  };
  const db = { write: (work: (em: unknown) => Promise<unknown>) => work({ execute }) } as unknown as Database;
  return { db, asked };
};

describe('a change in batches', () => {
  const { signal } = new AbortController();

  it('goes on until nothing is left, a thousand rows in a transaction, and tells how many there were', async () => {
    for (const [rows, times] of [
      [0, 1],
      [999, 1],
      [1_000, 2],
      [2_500, 3],
    ] as const) {
      const { db, asked } = tableOf(rows);
      assert.equal(await inBatches({ db, signal }, 'delete …', ['old']), rows);
      assert.deepEqual(asked, Array(times).fill(['old', 1_000]));
    }
  });

  it('ends between two transactions when its time is over', async () => {
    const { db, asked } = tableOf(5_000);
    const aborter = new AbortController();
    const write: Database['write'] = async (work) => {
      if (asked.length === 1) aborter.abort(new Error('the time is over'));
      return db.write(work);
    };
    await assert.rejects(inBatches({ db: { ...db, write }, signal: aborter.signal }, 'delete …'), /time is over/);
    assert.equal(asked.length, 2);
  });
});
