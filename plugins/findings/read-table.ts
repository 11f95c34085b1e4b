/** Reads findings from tables (tabs, commas or semicolons, RFC 4180) and from JSON Lines, one record at a time. */
import { tableRows } from '#core/import/table-rows.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import type { Values } from './parse.ts';

/** A record and the line on which it begins, counted from 1. */
export interface PlacedValues {
  readonly line: number;
  readonly values: Values;
}

const MOST_COLUMNS = 200;

/** Yields the records of a table whose first row names the columns. Throws on cells beyond them; missing cells are empty. */
export async function* readTable(chunks: AsyncIterable<string>): AsyncGenerator<PlacedValues> {
  let names: readonly string[] | null = null;
  for await (const { cells, line } of tableRows(chunks)) {
    if (!names) {
      if (cells.length > MOST_COLUMNS) throw new UnreadableInput(`has ${cells.length} columns`);
      names = cells.map((cell) =>
        cell
          .trim()
          .replace(/^\uFEFF/, '')
          .toLowerCase(),
      );
      continue;
    }
    if (cells.length > names.length)
      throw new UnreadableInput(`has ${cells.length} cells on line ${line}, and ${names.length} columns`);
    yield { line, values: Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) };
  }
}

const LONGEST_LINE = 100_000;

export async function* readJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<PlacedValues> {
  let rest = '';
  let line = 0;
  const parseLine = (text: string): PlacedValues | null => {
    line += 1;
    if (!text.trim()) return null;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new UnreadableInput(`holds no JSON on line ${line}`);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new UnreadableInput(`holds no object on line ${line}`);
    return { line, values: value as Values };
  };
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new UnreadableInput(`has a line of more than ${LONGEST_LINE} characters`);
    for (const text of lines) {
      const found = parseLine(text);
      if (found) yield found;
    }
  }
  const last = rest ? parseLine(rest) : null;
  if (last) yield last;
}

/** Yields a text in memory as a single chunk, for the readers above. */
export async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
