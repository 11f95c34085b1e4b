/** Loads the rows of a backup into empty tables. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { EntityManager } from '@mikro-orm/postgresql';
import { OperatorError } from '../errors.ts';
import { quoted, readForeignKeys, type Sequence } from './tables.ts';

/** Maximum size of one statement, in characters. */
const BATCH = 2_000_000;

/** Splits at line feeds only: `readline` also splits at U+2028, which JSON may contain. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  const text = createReadStream(path).pipe(createGunzip()).setEncoding('utf8');
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}

interface Rows {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/**
 * Loads one table.
 * @throws OperatorError when the file does not have the expected number of rows.
 */
export const loadTable = async (em: EntityManager, { name, columns, rows }: Rows, path: string): Promise<void> => {
  const list = columns.map(quoted).join(', ');
  // Columns get the types of the table; generated columns are not part of the backup.
  const insert = `insert into ${quoted(name)} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${quoted(name)}, ?::json)`;
  let [lines, length, count]: [string[], number, number] = [[], 0, 0];
  const flush = async (): Promise<void> => {
    if (lines.length) await em.execute(insert, [`[${lines.join(',')}]`]);
    [lines, length] = [[], 0];
  };
  for await (const line of linesOf(path)) {
    lines.push(line);
    length += line.length;
    count += 1;
    if (length >= BATCH) await flush();
  }
  await flush();
  if (count !== rows) throw new OperatorError(`${name} should have ${rows} rows, and its file has ${count}.`);
};

/** Restores the sequences, so that an id is never assigned twice, not even the id of a deleted row. */
export const setSequences = async (em: EntityManager, sequences: readonly Sequence[]): Promise<void> => {
  for (const { name, last } of sequences)
    if (last !== null) await em.execute('select setval(?::regclass, ?::bigint)', [quoted(name), last]);
};

/** Defers foreign keys until all rows are inserted, because rows that refer to each other come in any order. */
export const withReferencesLast = async (em: EntityManager, work: () => Promise<void>): Promise<void> => {
  const keys = await readForeignKeys(em);
  const alter = (how: string) => async (): Promise<void> => {
    for (const { table, name } of keys)
      await em.execute(`alter table ${quoted(table)} alter constraint ${quoted(name)} ${how}`);
  };
  await alter('deferrable initially deferred')();
  await work();
  await em.execute('set constraints all immediate');
  await alter('not deferrable')();
};

/** Disables user triggers, because the rows already contain their effects. */
export const withoutTriggers = async (
  em: EntityManager,
  tables: readonly { readonly name: string }[],
  work: () => Promise<void>,
): Promise<void> => {
  for (const { name } of tables) await em.execute(`alter table ${quoted(name)} disable trigger user`);
  await work();
  for (const { name } of tables) await em.execute(`alter table ${quoted(name)} enable trigger user`);
};
