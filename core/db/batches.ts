/** What is much to change is changed in steps, a transaction each: nobody waits long for a row, and a step that is done stays done. */
import type { Context } from '../plugin.ts';

const SIZE = 1_000;

/**
 * Runs a statement until it finds nothing more to change, and answers how many rows it changed in all. Its last parameter
 * is how many rows it may change at once; it answers that it changed `count` of them, and never finds the same row twice.
 * Ends with an error when the signal says so.
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
