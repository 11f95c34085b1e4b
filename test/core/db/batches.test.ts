import { strict as assert } from 'node:assert';
import { inBatches } from '#core/db/batches.ts';
import type { Database } from '#core/plugin.ts';

/** Fakes a table with `rows` rows to change, and records the parameters of each statement. */
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

describe('inBatches', () => {
  const { signal } = new AbortController();

  it('changes a thousand rows per transaction until none are left, and returns their number', async () => {
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

  it('stops between two transactions when its signal is aborted', async () => {
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
