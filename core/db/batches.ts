/**
 * Runs large changes in batches, with one transaction each: row locks are short, and completed batches are kept after an
 * interruption.
 */
import type { Context } from '../plugin.ts';

const SIZE = 1_000;

/**
 * Runs a statement until it finds no more rows to change, and returns the total number of changed rows. The last parameter of the
 * statement is the maximum number of rows; the statement returns the number of rows that it changed as `count`, and must never
 * match a row twice. Throws when the signal aborts.
 */
export const inBatches = async (
  { db, signal }: Pick<Context, 'db' | 'signal'>,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<number> => {
  let all = 0;
  for (;;) {
    signal.throwIfAborted();
    const rows = await db.write((em) => em.execute(text, [...parameters, SIZE]));
    const count = (rows as unknown as readonly { readonly count: number }[])[0]?.count ?? 0;
    all += count;
    if (count < SIZE) return all;
  }
};
