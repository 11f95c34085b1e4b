/** Parses rows of the label tables (RFC 4180) and recovers at the next row after a malformed one. */

/** Cells of one row and the line on which it begins, counted from 1. `cells` is null when the row could not be parsed. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[] | null;
  readonly reason: string;
}

/** Matches the beginning of a row in these tables. Such a line inside an open quote means that the quote was never closed. */
const ROW_START = /^"?https?:\/\/dsld\.od\.nih\.gov\/label\/\d+"?,|^"\d{1,9}","/;
/** Maximum number of lines of a row. A label statement may span lines, but not this many. */
const MOST_LINES = 500;
/** Maximum length of a row in characters. The longest label has some hundred thousand. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

const quotesIn = (line: string): number => {
  let count = 0;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) count += 1;
  return count;
};

/**
 * Splits a row that arrives line by line. Only the text after the last complete cell is parsed again, and only when a quote
 * may end it.
 */
class RowCutter {
  readonly #cells: string[] = [];
  /** Lines of the cells that are not split yet. */
  #parts: string[] = [];
  #length = 0;
  lines = 0;

  /**
   * Returns the cells when the row ends with this line, null when a quoted cell is still open, and "too_long" above the
   * maximum length.
   */
  add(line: string): readonly string[] | 'too_long' | null {
    this.lines += 1;
    this.#length += line.length + 1;
    if (this.#length > MOST_CHARACTERS) return 'too_long';
    this.#parts.push(line);
    // Only a line with an odd number of quotes can open or close a cell that spans lines, so other lines cannot close the
    // open cell.
    if (this.lines > 1 && quotesIn(line) % 2 === 0) return null;
    return this.#cut(this.#parts.join('\n')) ? this.#cells : null;
  }

  /** Splits a row into cells. A quote inside an unquoted cell is a normal character. */
  #cut(row: string): boolean {
    for (let at = 0; at <= row.length; ) {
      if (row[at] !== '"') {
        const end = row.indexOf(',', at);
        const to = end < 0 ? row.length : end;
        this.#cells.push(row.slice(at, to));
        at = to + 1;
        continue;
      }
      let end = row.indexOf('"', at + 1);
      while (end >= 0 && row[end + 1] === '"') end = row.indexOf('"', end + 2);
      if (end < 0) {
        this.#parts = [row.slice(at)];
        return false;
      }
      // Text between a closing quote and the comma is preserved, as spreadsheets do.
      const comma = row.indexOf(',', end + 1);
      const to = comma < 0 ? row.length : comma;
      this.#cells.push(row.slice(at + 1, end).replaceAll('""', '"') + row.slice(end + 1, to));
      at = to + 1;
    }
    return true;
  }
}

/** Joins lines into rows. Skips blank lines between rows. */
export async function* csvRows(lines: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let row: RowCutter | null = null;
  let begin = 1;
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (row && (ROW_START.test(text) || row.lines >= MOST_LINES)) {
      yield { line: begin, cells: null, reason: 'a quoted cell is opened and never closed' };
      row = null;
    }
    if (!row) {
      if (!text.trim()) continue;
      begin = line;
      row = new RowCutter();
    }
    const cells = row.add(text);
    if (cells === null) continue;
    yield cells === 'too_long'
      ? { line: begin, cells: null, reason: `the row is longer than ${MOST_CHARACTERS} characters` }
      : { line: begin, cells, reason: '' };
    row = null;
  }
  if (row) yield { line: begin, cells: null, reason: 'the file ends inside a quoted cell' };
}
