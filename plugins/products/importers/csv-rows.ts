/** Rows of the label tables: RFC 4180, with a way back to the next row after a broken one. */

/** Cells of one row, and the line on which it begins, counted from 1; `cells` null: it could not be read. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[] | null;
  readonly reason: string;
}

/** How a row of these tables begins; a line like this inside an open quote means that the quote was never closed. */
const ROW_START = /^"?https?:\/\/dsld\.od\.nih\.gov\/label\/\d+"?,|^"\d{1,9}","/;
/** A label statement may span lines, but not this many. */
const MOST_LINES = 500;

const quotesIn = (line: string): number => {
  let count = 0;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) count += 1;
  return count;
};

/** The cells of a row, and whether it ends inside a quoted one. A quote within an unquoted cell is a character. */
const cut = (row: string): { readonly cells: string[]; readonly open: boolean } => {
  if (!row.includes('"')) return { cells: row.split(','), open: false };
  const cells: string[] = [];
  for (let at = 0; at <= row.length; ) {
    if (row[at] !== '"') {
      const end = row.indexOf(',', at);
      const to = end < 0 ? row.length : end;
      cells.push(row.slice(at, to));
      at = to + 1;
      continue;
    }
    let end = row.indexOf('"', at + 1);
    while (end >= 0 && row[end + 1] === '"') end = row.indexOf('"', end + 2);
    if (end < 0) return { cells, open: true };
    // What follows a closed quote up to the comma is kept, as spreadsheets do.
    const comma = row.indexOf(',', end + 1);
    const to = comma < 0 ? row.length : comma;
    cells.push(row.slice(at + 1, end).replaceAll('""', '"') + row.slice(end + 1, to));
    at = to + 1;
  }
  return { cells, open: false };
};

/** Joins lines into rows. Blank lines between rows are left out. */
export async function* csvRows(lines: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let parts: string[] = [];
  let begin = 1;
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (parts.length && (ROW_START.test(text) || parts.length >= MOST_LINES)) {
      yield { line: begin, cells: null, reason: 'a quoted cell is opened and never closed' };
      parts = [];
    }
    if (!parts.length) {
      if (!text.trim()) continue;
      begin = line;
    }
    parts.push(text);
    // Only a line with an odd number of quotes can open or close a cell that spans lines.
    const isOdd = quotesIn(text) % 2 === 1;
    if (parts.length > 1 && !isOdd) continue;
    const { cells, open } = cut(parts.join('\n'));
    if (open) continue;
    yield { line: begin, cells, reason: '' };
    parts = [];
  }
  if (parts.length) yield { line: begin, cells: null, reason: 'the file ends inside a quoted cell' };
}
