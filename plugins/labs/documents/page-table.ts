/**
 * Draws a table of a tagged PDF, with header cells for columns, rows and groups of rows; the column headers are repeated on each
 * page.
 */
import {
  ACCENT,
  type Column,
  INK,
  LINE,
  MARGIN,
  room,
  SOFT,
  type State,
  type Struct,
  speak,
  tagged,
  type Voice,
} from './page-parts.ts';

const GAP = 6;
const PAD = 3.5;
/** Maximum length of a cell, in characters. A cell has a few words; a longer text is neither a name nor a value. */
const LONGEST_CELL = 300;

type Kind = 'head' | 'group' | 'row';

interface Row {
  readonly kind: Kind;
  readonly cells: readonly string[];
  readonly places: readonly { readonly x: number; readonly width: number }[];
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The first cell of each row is the row's header; a row of one cell is the heading of the rows beneath it. */
  readonly rows: readonly (readonly string[])[];
}

const HEAD: Voice = { font: 'bold', size: 7.5, colour: SOFT };
const GROUP: Voice = { font: 'bold', size: 8, colour: ACCENT };
const CELL: Voice = { font: 'plain', size: 8, colour: INK };

const voiceOf = (kind: Kind, at: number): Voice =>
  kind === 'head' ? HEAD : kind === 'group' ? GROUP : at === 0 ? { ...CELL, font: 'bold' } : CELL;

const heightOf = (state: State, { kind, cells, places }: Row): number => {
  const heights = cells.map((text, at) => {
    speak(state, voiceOf(kind, at));
    return state.doc.heightOfString(text || ' ', { width: kind === 'group' ? state.width : (places[at]?.width ?? 0) });
  });
  return Math.max(...heights) + (kind === 'group' ? 3 : 2) * PAD;
};

const ruled = ({ doc, width }: State, y: number): void => {
  doc.markContent('Artifact', { type: 'Layout' });
  doc
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + width, y)
    .lineWidth(0.5)
    .strokeColor(LINE)
    .stroke();
  doc.endMarkedContent();
};

const SCOPES: Readonly<Record<Kind, string>> = { head: 'Column', group: 'Row', row: 'Row' };

/** Sets the column span of a header, because pdfkit supports only its scope. */
const span = (cell: Struct, columns: number): void => {
  const { data } = (cell as unknown as { dictionary: { data: { A?: object } } }).dictionary;
  data.A = { ...data.A, O: 'Table', ColSpan: columns };
};

const structured = (state: State, table: Struct, row: Row, cell: (at: number) => void): void => {
  const { doc } = state;
  const line = doc.struct('TR');
  table.add(line);
  for (const at of row.cells.keys()) {
    const isHeader = row.kind !== 'row' || at === 0;
    if (row.kind === 'group') {
      const header = doc.struct('TH', { scope: 'Row' } as object);
      span(header, row.places.length);
      line.add(header);
      header.add(() => cell(at));
      header.end();
    } else tagged(state, line, isHeader ? 'TH' : 'TD', () => cell(at), isHeader ? { scope: SCOPES[row.kind] } : {});
  }
  line.end();
};

/**
 * Draws a row.
 * @param table null when the row is repeated at the top of a further page, as an artifact.
 */
const drawRow = (state: State, table: Struct | null, row: Row): void => {
  const { doc, width: whole } = state;
  const [top, height] = [doc.y, heightOf(state, row)];
  const cell = (at: number): void => {
    speak(state, voiceOf(row.kind, at));
    const { x, width } = row.places[at] as Row['places'][number];
    const y = top + (row.kind === 'group' ? 2 : 1) * PAD;
    doc.text(row.cells[at] || ' ', x, y, { width: row.kind === 'group' ? whole : width });
  };
  if (table) structured(state, table, row, cell);
  else {
    doc.markContent('Artifact', { type: 'Pagination' });
    for (const at of row.cells.keys()) cell(at);
    doc.endMarkedContent();
  }
  doc.y = top + height;
  ruled(state, doc.y);
};

const placesOf = ({ width }: State, columns: readonly Column[]): Row['places'] => {
  const all = columns.reduce((sum, { share }) => sum + share, 0);
  let x = MARGIN;
  return columns.map(({ share }) => {
    const own = (share / all) * width;
    const place = { x, width: own - GAP };
    x += own;
    return place;
  });
};

const clipped = (text: string): string => (text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text);

export const drawTable = (state: State, { name, columns, rows: given }: Table): void => {
  const { doc, root, bottom } = state;
  const places = placesOf(state, columns);
  const head: Row = { kind: 'head', cells: columns.map(({ title }) => title), places };
  const rows = given.map(
    (cells): Row => ({ kind: cells.length === 1 ? 'group' : 'row', cells: cells.map(clipped), places }),
  );
  const table = doc.struct('Table', { title: name });
  root.add(table);
  room(state, heightOf(state, head) + 40);
  doc.y += 4;
  drawRow(state, table, head);
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1];
    // The heading of a group must not be alone at the bottom of a page.
    const needed = heightOf(state, row) + (row.kind === 'group' && next ? heightOf(state, next) : 0);
    if (doc.y + needed > bottom) {
      doc.addPage();
      drawRow(state, null, head);
    }
    drawRow(state, table, row);
  }
  table.end();
  doc.x = MARGIN;
};
