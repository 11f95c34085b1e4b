/** Reads rows of tables and JSON lines, plain or gzip, by the names of their columns. */
import { basename } from 'node:path';
import { bytesOf } from '#core/import/input-files.ts';
import { decodeText, linesOf } from '#core/import/text-stream.ts';

export type Row = Readonly<Record<string, string>>;

/** Yields the rows of a tab-separated table whose first line names the columns. Quotes have no special meaning inside cells. */
export async function* tabRows(path: string, signal: AbortSignal): AsyncGenerator<Row> {
  let names: readonly string[] | null = null;
  for await (const line of linesOf(decodeText(bytesOf({ path, name: basename(path) }, signal)).chunks)) {
    const cells = line.split('\t');
    if (names === null) names = cells;
    else if (line !== '') yield Object.fromEntries(names.map((name, at) => [name, unquote(cells[at] ?? '')]));
  }
}

/** Removes the quotes of a cell; some exports quote single cells. */
const unquote = (cell: string): string =>
  /^".*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"').trim() : cell.trim();

/** Yields the objects of a file with one JSON object per line. */
export async function* jsonRows<T>(path: string, signal: AbortSignal): AsyncGenerator<T> {
  for await (const line of linesOf(decodeText(bytesOf({ path, name: basename(path) }, signal)).chunks))
    if (line.trim() !== '') yield JSON.parse(line) as T;
}
