/** Collects the rows of a table and formats them as a Markdown table. */
export class TableRows {
  readonly #rows: string[][] = [];
  #head: string[] | null = null;
  #row: string[] = [];
  #isHead = true;

  beginRow(): void {
    this.#row = [];
    this.#isHead = true;
  }

  /** Adds a cell. @param isHead whether it is a column header */
  cell(text: string, { isHead, span }: { readonly isHead: boolean; readonly span: number }): void {
    this.#row.push(text, ...Array.from({ length: Math.min(span, 20) - 1 }, () => ''));
    this.#isHead &&= isHead;
  }

  endRow(): void {
    if (!this.#row.length) return;
    if (this.#isHead && !this.#head && !this.#rows.length) this.#head = this.#row;
    else this.#rows.push(this.#row);
  }

  /** Returns the lines; empty for an empty table. Columns without a header get an empty one. */
  lines(): readonly string[] {
    const width = Math.max(0, ...[this.#head ?? [], ...this.#rows].map((row) => row.length));
    if (!width) return [];
    const line = (row: readonly string[]): string =>
      `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`;
    return [line(this.#head ?? []), `|${' --- |'.repeat(width)}`, ...this.#rows.map(line)];
  }
}
