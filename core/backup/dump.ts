/** Dumps tables as JSON lines in the database's own output format, which preserves every digit. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { EntityManager } from '@mikro-orm/postgresql';
import { quoted, type Table } from './tables.ts';

/** Number of rows per fetch; each row may contain a full text. */
const ROWS = 500;

export interface WrittenTable {
  readonly rows: number;
  readonly sha256: string;
}

/** Opens a gzip file that only its owner can read; `close` returns its checksum. */
const openFile = (path: string) => {
  const [gzip, file, hash] = [createGzip({ level: 6 }), createWriteStream(path, { mode: 0o600 }), createHash('sha256')];
  gzip.on('data', (chunk: Buffer) => hash.update(chunk));
  gzip.pipe(file);
  const done = finished(file);
  // `close` reports the error.
  done.catch(() => undefined);
  return {
    write: async (text: string): Promise<void> => {
      if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), done]);
    },
    close: async (): Promise<string> => {
      gzip.end();
      await done;
      return hash.digest('hex');
    },
  };
};

/** Builds the query of a table, ordered by primary key, so that the same rows produce the same file. */
const rowsOf = ({ name, columns, key }: Table): string => {
  const order = key.length ? key : columns;
  const members = columns.map((column) => `t.${quoted(column)}`).join(', ');
  const by = order.map((column) => `t.${quoted(column)}${key.length ? '' : '::text'}`).join(', ');
  return `select row_to_json(r)::text as line from (select ${members} from ${quoted(name)} t order by ${by}) r`;
};

/** Dumps one table. The caller's transaction provides the snapshot; a cursor bounds the memory use. */
export const dumpTable = async (em: EntityManager, table: Table, path: string): Promise<WrittenTable> => {
  const file = openFile(path);
  let rows = 0;
  await em.execute(`declare backup_rows no scroll cursor for ${rowsOf(table)}`);
  for (;;) {
    const lines = (await em.execute(`fetch ${ROWS} from backup_rows`)) as unknown as { line: string }[];
    if (!lines.length) break;
    await file.write(`${lines.map(({ line }) => line).join('\n')}\n`);
    rows += lines.length;
  }
  await em.execute('close backup_rows');
  return { rows, sha256: await file.close() };
};
