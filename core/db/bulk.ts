/**
 * Writes many rows with one statement and one parameter, which works on both databases and is faster than one statement per row.
 */
import type { EntityManager } from '@mikro-orm/postgresql';

export type Row = Readonly<Record<string, unknown>>;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toJson = (rows: readonly Row[]): string =>
  JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [snake(name), value]))),
  );

/**
 * Inserts rows, or updates those whose key exists. All rows must have the same members, named as in the entity (camelCase); dates
 * are in JSON format. Does nothing for an empty list.
 */
export const bulkUpsert = async (
  em: EntityManager,
  table: string,
  key: readonly string[],
  rows: readonly Row[],
): Promise<void> => {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).map(snake);
  const keys = key.map(snake);
  const updates = columns.filter((column) => !keys.includes(column)).map((column) => `${column} = excluded.${column}`);
  const action = updates.length ? `do update set ${updates.join(', ')}` : 'do nothing';
  await em.execute(
    `insert into ${table} (${columns.join(', ')})
     select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, ?::jsonb)
     on conflict (${keys.join(', ')}) ${action}`,
    [toJson(rows)],
  );
};
