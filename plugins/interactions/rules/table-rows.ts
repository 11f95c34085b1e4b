/** Parses tab-separated files of content/ with fixed columns. */
import { ContentError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';

export interface PlacedRow<Column extends string> {
  readonly line: number;
  readonly cells: Readonly<Record<Column, string>>;
}

/**
 * Parses the rows.
 * @throws ContentError if the header or the number of cells differs.
 */
export const rowsOf = <Column extends string>(
  file: ContentFile,
  columns: readonly Column[],
): readonly PlacedRow<Column>[] => {
  const [head = '', ...lines] = file.text.split(/\r?\n/);
  if (head !== columns.join('\t')) throw new ContentError(file.path, 1, `the columns are ${columns.join(', ')}`);
  return lines.flatMap((text, at) => {
    if (!text) return [];
    const cells = text.split('\t');
    if (cells.length !== columns.length)
      throw new ContentError(file.path, at + 2, `${columns.length} columns are needed; there are ${cells.length}`);
    const named = Object.fromEntries(columns.map((column, nth) => [column, cells[nth] ?? '']));
    return [{ line: at + 2, cells: named as Record<Column, string> }];
  });
};
