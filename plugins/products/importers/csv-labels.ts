import { linesOf } from '#core/import/text-stream.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import type { LabelPatch } from '../label.ts';
import { type Cells, headerOf, type TableKind, tableOf } from './csv-kinds.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { type LabelEvent, labelAt, problemAt, readLabelId } from './events.ts';
import { cleanText } from './values.ts';

/** Maximum number of rows of a label in one table; more indicate a corrupt file. */
const MOST_ROWS = 5_000;

interface Table {
  readonly kind: TableKind;
  readonly columns: ReadonlyMap<string, number>;
  readonly width: number;
}

const openTable = (cells: readonly string[]): Table | null => {
  const header = headerOf(cells);
  const kind = tableOf(header);
  return kind && { kind, columns: new Map(header.map((name, at) => [name, at])), width: header.length };
};

/** Returns whether a row is a remark, as above the header of the list of 2019 and below its last row. */
const isRemark = (cells: readonly string[]): boolean =>
  cells[0]?.startsWith('#') === true || (cells.length === 1 && /^(?:NP - |\ufeff?\s*$)/.test(cells[0] ?? ''));

/** Returns why a row is invalid, or "". A tracking history may exceed the header; all other tables have its width. */
const mistakeOf = ({ cells, reason }: CsvRow, { kind, width }: Table): string => {
  if (!cells) return reason;
  const isList = kind.origin === 'dsld-list';
  if (isList ? cells.length >= width - 1 : cells.length === width) return '';
  return `the row has ${cells.length} cells where the header has ${width}`;
};

interface Group {
  readonly id: number;
  /** Line of its first row. */
  readonly line: number;
  readonly rows: Cells[];
  readonly extra: string[][];
}

const eventOf = (
  { id, line, rows, extra }: Group,
  kind: TableKind,
  file: { readonly name: string; readonly asOf: string },
): LabelEvent => {
  const patch: LabelPatch = { dsldId: id, origin: kind.origin, asOf: file.asOf, told: kind.told(rows, extra) };
  return labelAt({ file: file.name, line }, patch);
};

/**
 * Reads one table of labels; consecutive rows of one label form one event.
 * @throws UnreadableInput when the header is unknown.
 */
export async function* csvLabels(
  chunks: AsyncIterable<string>,
  file: { readonly name: string; readonly asOf: string },
): AsyncGenerator<LabelEvent> {
  let table: Table | null = null;
  let group: Group | null = null;
  for await (const row of csvRows(linesOf(chunks))) {
    if (row.cells && isRemark(row.cells)) continue;
    if (!table) {
      table = openTable(row.cells ?? []);
      if (!table) throw new UnreadableInput('is no table of labels: its header is not one that is known');
      continue;
    }
    const { columns, width } = table;
    const mistake = mistakeOf(row, table);
    const cells = row.cells ?? [];
    const id = mistake ? null : readLabelId(cells[columns.get('DSLD ID') ?? -1]);
    if (id === null) {
      yield problemAt(file.name, row.line, mistake || 'the row has no DSLD ID');
      continue;
    }
    if (group && (group.id !== id || group.rows.length >= MOST_ROWS)) {
      yield eventOf(group, table.kind, file);
      group = null;
    }
    group ??= { id, line: row.line, rows: [], extra: [] };
    group.rows.push((column) => cleanText(cells[columns.get(column) ?? -1] ?? ''));
    group.extra.push(cells.slice(width - 1));
  }
  if (!table) throw new UnreadableInput('is empty');
  if (group) yield eventOf(group, table.kind, file);
}
