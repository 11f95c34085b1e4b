/**
 * Reads content/interactions/labels.tsv and practice.tsv: each row is one supplement and medicine that a label names, or that
 * pharmacists warn about although none of our labels does.
 */
import type { DueEntry, Reviewed } from '#core/content-check/reviewed.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';
import type { KnownNames } from './cross-check.ts';
import { OLD_LABEL, PENDING } from './due-kinds.ts';
import { AFFECTED, LABEL_MECHANISMS, LABEL_NAMES, type LabelStatement, SET_ID } from './label-rules.ts';
import { SEVERITIES } from './severity-labels.ts';
import { rowsOf } from './table-rows.ts';

export const LABEL_COLUMNS = [
  'supplement',
  'medicine',
  'affected',
  'mechanism',
  'severity',
  'hours_before',
  'hours_after',
  'set_id',
  'date',
  'section',
  'names',
  'quote',
  'note',
] as const;
type Column = (typeof LABEL_COLUMNS)[number];

const DATE = /^\d{4}(-\d{2}){0,2}$/;
const SECTION = /^[a-z]+(_[a-z]+)*$/;
const LONGEST_QUOTE = 500;

interface Named {
  readonly name: string;
}

/** A row with its line number; the medicine still has the name that the file uses. */
export interface PlacedStatement {
  readonly line: number;
  readonly statement: LabelStatement;
}

type Cells = Readonly<Record<Column, string>>;
type Refuse = (column: Column, message: string) => never;

const refuseIn =
  (file: ContentFile, line: number): Refuse =>
  (column, message) => {
    throw new ContentError(file.path, line, `field ${column}: ${message}`);
  };

/** Reads all columns of a row but the supplement, whose name only the database knows. */
const readRow = (cells: Cells, wrong: Refuse): Omit<LabelStatement, 'supplement'> => {
  const word = <T extends string>(column: Column, words: readonly T[]): T =>
    words.find((one) => one === cells[column]) ?? wrong(column, `"${cells[column]}" is none of ${words.join(', ')}`);
  const hours = (column: 'hours_before' | 'hours_after'): number | null => {
    if (!cells[column]) return null;
    const count = Number(cells[column]);
    return count > 0 && count <= 72 ? count : wrong(column, `"${cells[column]}" is no number of hours up to 72`);
  };
  const isPractice = cells.names === 'practice';
  if (!isPractice && !SET_ID.test(cells.set_id)) wrong('set_id', `"${cells.set_id}" is no set id of a label`);
  if (!isPractice && !DATE.test(cells.date)) wrong('date', `"${cells.date}" is no day, month or year`);
  if (!isPractice && !SECTION.test(cells.section)) wrong('section', `"${cells.section}" is no section of a label`);
  if (cells.quote.length > LONGEST_QUOTE || (!cells.quote && !isPractice))
    wrong('quote', `has 1 to ${LONGEST_QUOTE} characters`);
  return {
    medicine: cells.medicine,
    affected: word('affected', AFFECTED),
    mechanism: word('mechanism', LABEL_MECHANISMS),
    severity: word('severity', SEVERITIES),
    names: word('names', LABEL_NAMES),
    hoursBefore: hours('hours_before'),
    hoursAfter: hours('hours_after'),
    setId: cells.set_id,
    date: cells.date,
    section: cells.section,
    quote: cells.quote,
    note: cells.note,
  };
};

/**
 * Parses the table of label statements.
 * @throws ContentError with the invalid line and column.
 */
export const readLabelTable = (file: ContentFile, names: KnownNames): readonly PlacedStatement[] =>
  rowsOf(file, LABEL_COLUMNS).map(({ line, cells }) => {
    const wrong = refuseIn(file, line);
    const slug = cells.supplement;
    const subject = (names.supplements.get(slug) ?? names.substances.get(slug)) as Named | undefined;
    if (!subject) return wrong('supplement', `no supplement or substance is called "${slug}"`);
    return { line, statement: { supplement: { slug, name: subject.name }, ...readRow(cells, wrong) } };
  });

/**
 * Checks what can be checked without the database: the columns of each row, and that no pair has two rows.
 * @throws ContentError with the invalid line and column.
 */
const checkRows = (file: ContentFile, rows: readonly { readonly line: number; readonly cells: Cells }[]): void => {
  const seen = new Set<string>();
  for (const { line, cells } of rows) {
    readRow(cells, refuseIn(file, line));
    const pair = `${cells.supplement} × ${cells.medicine.toLowerCase()}`;
    if (seen.has(pair)) throw new ContentError(file.path, line, `${pair} stands there twice`);
    seen.add(pair);
  }
};

/**
 * Returns the entry of the review list for a row: professional knowledge needs a source, and a label is read again after some
 * time because it may have a newer edition.
 */
const dueRow = (line: number, { supplement, medicine, date }: Cells): DueEntry =>
  date
    ? {
        kind: OLD_LABEL,
        line,
        words: `${supplement} × ${medicine}: the label is as of ${date}`,
        since: date,
      }
    : {
        kind: PENDING,
        line,
        words: `${supplement} × ${medicine}: no source has been opened`,
      };

/** Reviews the table for `npm run content:check`. The quotes are the label's, so no passage is checked as our prose. */
export const reviewLabels = (file: ContentFile): Reviewed => {
  const rows = rowsOf(file, LABEL_COLUMNS);
  checkRows(file, rows);
  const origin = file.path.endsWith('practice.tsv') ? 'practice' : 'label';
  return {
    kind: 'labels',
    entries: rows.length,
    offers: rows.map(({ cells }) => ({
      ids: [`${origin}:${cells.supplement}/${cells.medicine}`],
      says: JSON.stringify(cells),
      about: [
        `supplement:${cells.supplement}`,
        `substance:${cells.supplement}`,
        `drug:${cells.medicine.toLowerCase()}`,
      ],
      warns: true,
    })),
    names: [],
    reviewedAt: [],
    toldDays: [],
    passages: [],
    due: rows.map(({ line, cells }) => dueRow(line, cells)),
  };
};
