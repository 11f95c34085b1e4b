/** Parses tables in CSV (RFC 4180) or with tabs or semicolons as a stream of rows. */
import { UnreadableInput } from './unreadable-input.ts';

const longestField = 1024 * 1024;
/** Maximum number of cells in a row; tables of this kind have some dozen columns. */
const mostCells = 10_000;

const lineFeed = 0x0a;

/** The cells of one row and the line on which it begins, counted from 1. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly line: number;
}

const separatorOf = (firstLine: string): string => {
  const bare = firstLine.replace(/"(?:[^"]|"")*"/g, '');
  const counts = ['\t', ',', ';'].map((mark) => ({ mark, count: bare.split(mark).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
};

/** Parses RFC 4180 in chunks: a quote opens only at the start of a cell, `""` is a quote, and rows end with LF, CRLF or CR. */
class RowCutter {
  private cells: string[] = [];
  private cell = '';
  private quoted = false;
  private closed = false;
  private line = 1;
  private begin = 1;
  private afterReturn = false;
  private readonly plain: RegExp;
  private readonly separator: string;

  constructor(separator: string) {
    this.separator = separator;
    this.plain = new RegExp(`[^"\\r\\n${separator}]+`, 'y');
  }

  *add(text: string): Generator<TableRow> {
    for (let i = 0; i < text.length; ) {
      const run = this.run(text, i);
      if (run > i) {
        this.cell += text.slice(i, run);
        if (this.cell.length > longestField)
          throw new UnreadableInput(`has a cell that is opened on line ${this.begin} and never closed`);
        i = run;
        this.afterReturn = false;
        continue;
      }
      yield* this.take(text[i] ?? '');
      i += 1;
    }
  }

  *end(): Generator<TableRow> {
    if (this.quoted && !this.closed)
      throw new UnreadableInput(`ends inside a quoted cell: its row begins on line ${this.begin}`);
    if (this.cell !== '' || this.cells.length > 0) yield this.finishRow();
  }

  /** Returns the end of the run of characters without special meaning. */
  private run(text: string, from: number): number {
    if (this.quoted && !this.closed) {
      const quote = text.indexOf('"', from);
      const to = quote < 0 ? text.length : quote;
      // `indexOf` would search for a line end beyond the quote, and again after each quote in a line.
      for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === lineFeed) this.line += 1;
      return to;
    }
    this.plain.lastIndex = from;
    return this.plain.test(text) ? this.plain.lastIndex : from;
  }

  private *take(mark: string): Generator<TableRow> {
    const halfOfCrLf = mark === '\n' && this.afterReturn;
    this.afterReturn = mark === '\r';
    if (mark === '"') this.takeQuote();
    else if (mark === this.separator) this.finishCell();
    else if (!halfOfCrLf) {
      this.line += 1;
      yield this.finishRow();
    }
  }

  private takeQuote(): void {
    if (this.quoted && !this.closed) this.closed = true;
    else if (this.closed) {
      this.cell += '"';
      this.closed = false;
    } else if (this.cell === '') this.quoted = true;
    else this.cell += '"';
  }

  private finishCell(): void {
    if (this.cells.length >= mostCells)
      throw new UnreadableInput(`has a row of more than ${mostCells} cells, on line ${this.begin}`);
    this.cells.push(this.cell);
    this.cell = '';
    this.quoted = false;
    this.closed = false;
  }

  private finishRow(): TableRow {
    this.finishCell();
    const row = { cells: this.cells, line: this.begin };
    this.cells = [];
    this.begin = this.line;
    return row;
  }
}

/**
 * Yields the rows of a table; the separator is the most frequent of tab, comma and semicolon in the first line. Blank lines are
 * skipped.
 */
export async function* tableRows(chunks: AsyncIterable<string>): AsyncGenerator<TableRow> {
  let head: string | null = '';
  let cutter = new RowCutter(',');
  for await (const chunk of chunks) {
    let text = chunk;
    if (head !== null) {
      head += chunk;
      const end = head.search(/[\r\n]/);
      if (end < 0 && head.length < longestField) continue;
      cutter = new RowCutter(separatorOf(head.slice(0, end)));
      text = head;
      head = null;
    }
    yield* notBlank(cutter.add(text));
  }
  if (head !== null) {
    cutter = new RowCutter(separatorOf(head));
    yield* notBlank(cutter.add(head));
  }
  yield* notBlank(cutter.end());
}

function* notBlank(rows: Iterable<TableRow>): Generator<TableRow> {
  for (const row of rows) if (row.cells.length > 1 || row.cells[0]?.trim() !== '') yield row;
}
