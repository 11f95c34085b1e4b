/** Reads rows back into empty tables. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { EntityManager } from '@mikro-orm/postgresql';
import { OperatorError } from '../errors.ts';
import { quoted, readForeignKeys, type Sequence } from './tables.ts';

/** Of one statement, in characters. */
const BATCH = 2_000_000;

/** At line feeds only: `readline` ends lines at U+2028 too, which JSON may hold. */
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

/** @throws OperatorError when the file has fewer or more rows than it should. */
export const loadTable = async (em: EntityManager, { name, columns, rows }: Rows, path: string): Promise<void> => {
  const list = columns.map(quoted).join(', ');
  // Every column by the type that the table gives it; what the database computes is left to it.
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

/** Sequences go on where they were: an id is never given twice, even of rows that are gone. */
export const setSequences = async (em: EntityManager, sequences: readonly Sequence[]): Promise<void> => {
  for (const { name, last } of sequences)
    if (last !== null) await em.execute('select setval(?::regclass, ?::bigint)', [quoted(name), last]);
};

/** Rows that point at each other come in any order; they are checked when all are in. */
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

/** What the database does by itself when a row comes was done when it came first. */
export const withoutTriggers = async (
  em: EntityManager,
  tables: readonly { readonly name: string }[],
  work: () => Promise<void>,
): Promise<void> => {
  for (const { name } of tables) await em.execute(`alter table ${quoted(name)} disable trigger user`);
  await work();
  for (const { name } of tables) await em.execute(`alter table ${quoted(name)} enable trigger user`);
};
