/** Re-encrypts sealed rows with the current secret after APP_SECRET was changed. */
import type { Context } from '../plugin.ts';

/** A table with sealed rows, and the data to which their seals are bound. */
export interface SealedTable {
  readonly table: string;
  /** SQL expression of the key; it is also the id to which the seal is bound. */
  readonly key: string;
  readonly purpose: string;
}

const BATCH = 50;

interface SealedRow {
  readonly id: string;
  readonly sealed: Uint8Array;
}

/**
 * Reseals all rows that an older secret sealed, and returns their number. `table` and `key` are interpolated into SQL: they must
 * be constants of the program.
 */
export const resealTables = async (context: Context, tables: readonly SealedTable[]): Promise<number> => {
  let resealed = 0;
  for (const table of tables) resealed += await resealTable(context, table);
  return resealed;
};

const resealTable = async ({ db, secrets, signal }: Context, { table, key, purpose }: SealedTable): Promise<number> => {
  let [after, resealed] = ['', 0];
  for (;;) {
    signal.throwIfAborted();
    const rows = (await db.read((em) =>
      em.execute(`select ${key} as id, sealed from ${table} where ${key} > ? order by 1 limit ${BATCH}`, [after]),
    )) as unknown as SealedRow[];
    for (const { id, sealed } of rows) {
      if (secrets.isCurrent(sealed)) continue;
      const anew = secrets.seal({ purpose, id }, secrets.open({ purpose, id }, sealed));
      // The row is updated only if it is unchanged, because a concurrent change is already sealed with the current secret.
      await db.write((em) =>
        em.execute(`update ${table} set sealed = ? where ${key} = ? and sealed = ?`, [anew, id, Buffer.from(sealed)]),
      );
      resealed += 1;
    }
    if (rows.length < BATCH) return resealed;
    after = rows.at(-1)?.id ?? '';
  }
};
