/** After APP_SECRET changed: what the secret of before sealed in rows is sealed with the one of today. */
import type { Context } from '../plugin.ts';

/** Where something is sealed: the table, how its rows are told apart, and what the seal is bound to. */
export interface SealedTable {
  readonly table: string;
  /** SQL; also the id that the seal is bound to. */
  readonly key: string;
  readonly purpose: string;
}

const BATCH = 50;

interface SealedRow {
  readonly id: string;
  readonly sealed: Uint8Array;
}

/** `table` and `key` are written into statements: they must be this program's own words. Answers how many rows it sealed. */
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
      // Not over a change that came meanwhile: that one is sealed with the key of today.
      await db.write((em) =>
        em.execute(`update ${table} set sealed = ? where ${key} = ? and sealed = ?`, [anew, id, Buffer.from(sealed)]),
      );
      resealed += 1;
    }
    if (rows.length < BATCH) return resealed;
    after = rows.at(-1)?.id ?? '';
  }
};
