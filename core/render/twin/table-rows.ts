/** A table in the making, and its lines with pipes. */
export class TableRows {
  readonly #rows: string[][] = [];
  #head: string[] | null = null;
  #row: string[] = [];
  #isHead = true;

  beginRow(): void {
    this.#row = [];
    this.#isHead = true;
  }

  /** @param isHead whether the cell names its column. */
  cell(text: string, { isHead, span }: { readonly isHead: boolean; readonly span: number }): void {
    this.#row.push(text, ...Array.from({ length: Math.min(span, 20) - 1 }, () => ''));
    this.#isHead &&= isHead;
  }

  endRow(): void {
    if (!this.#row.length) return;
    if (this.#isHead && !this.#head && !this.#rows.length) this.#head = this.#row;
    else this.#rows.push(this.#row);
  }

  /** Empty when the table holds nothing; columns without a name get an empty one. */
  lines(): readonly string[] {
    const width = Math.max(0, ...[this.#head ?? [], ...this.#rows].map((row) => row.length));
    if (!width) return [];
    const line = (row: readonly string[]): string =>
      `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`;
    return [line(this.#head ?? []), `|${' --- |'.repeat(width)}`, ...this.#rows.map(line)];
  }
}
