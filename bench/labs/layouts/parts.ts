/** Provides the shared parts of the synthetic layouts: styles, columns, and the head and table of an American report. */
import { type Column, drawTable, type Fonts, helvetica, type Page, type Sheet, type Table, write } from '../drawing.ts';
import type { Random, SpecimenRow, Style } from '../specimen.ts';

export type Draw = (document: Page, rows: readonly SpecimenRow[]) => void;

export interface Plan {
  readonly id: string;
  readonly testType?: 'blood' | 'urine';
  readonly collectedAt?: string | null;
  readonly rows: readonly SpecimenRow[];
  readonly draw: Draw;
  readonly size?: 'LETTER' | 'A4';
}

/**
 * Returns the random generator for a list of rows. Each list has its own number, so that changing one does not change the others.
 */
export type RandomOf = (number: number) => Random;

export const us: Style = { language: 'us', units: 'usual', decimal: '.', dash: '-' };
export const uk: Style = { language: 'uk', units: 'si', decimal: '.', dash: ' - ' };

export const column = (
  head: string,
  x: number,
  width: number,
  text: Column['text'],
  rest: Partial<Column> = {},
): Column => ({ head, x, width, text, ...rest });

export const name = (row: SpecimenRow): string => row.name;
export const value = (row: SpecimenRow): string => row.valueText;
export const unit = (row: SpecimenRow): string => row.unit;
export const range = (row: SpecimenRow): string => row.range;
export const flag = (row: SpecimenRow): string => row.flag;
export const previous = (row: SpecimenRow): string => row.previous;
export const flagged = (row: SpecimenRow): string => `${row.valueText}${row.flag ? ` ${row.flag}` : ''}`;

export const basic: readonly Column[] = [
  column('Test', 40, 190, name),
  column('Result', 240, 55, value),
  column('Units', 305, 85, unit),
  column('Reference Range', 400, 95, range),
  column('Flag', 505, 30, flag),
];

export const simple = (columns: readonly Column[], rest: Partial<Table> = {}): Table => ({
  columns,
  rowHeight: 16,
  hasHead: true,
  hasSections: false,
  borders: 'none',
  y: 140,
  ...rest,
});

export const sheetOf = (document: Page, fonts: Fonts): Sheet => ({
  document,
  fonts,
  bottom: 720,
  nextPage: () => {
    document.font(fonts.plain).fontSize(8);
    write(document, 'Patient: SPECIMEN, ALEX   continued', 40, 30);
    return 60;
  },
});

export const usHead = (document: Page, fonts: Fonts, lab: string): void => {
  document.font(fonts.bold).fontSize(15);
  write(document, lab, 40, 34);
  document.font(fonts.plain).fontSize(9);
  write(document, 'Patient: SPECIMEN, ALEX', 40, 62);
  write(document, 'DOB: 04/17/1980   AGE: 46   SEX: F', 40, 75);
  write(document, 'Phone: 555-0100', 40, 88);
  write(document, 'Specimen: QZ123456A', 240, 62);
  write(document, 'Collected: 03/25/2026 / 08:15 EDT', 240, 75);
  write(document, 'Received: 03/25/2026 / 22:40 EDT', 240, 88);
  write(document, 'Reported: 03/27/2026 / 06:12 EDT', 240, 101);
  write(document, 'Ordering: Dr. Invented Person', 440, 62);
  write(document, 'Account: 00012345', 440, 75);
};

export type Look = Partial<Omit<Table, 'columns'>> & { readonly fonts?: Fonts };

export const usTable =
  (lab: string, { fonts = helvetica, ...look }: Look, columns: readonly Column[]): Draw =>
  (document, rows) => {
    usHead(document, fonts, lab);
    const end = drawTable(sheetOf(document, fonts), simple(columns, look), rows);
    document.font(fonts.plain).fontSize(8);
    const foot = 'Made-up specimen for testing. Page 1 of 1. Lab Director: Invented Person, MD';
    write(document, foot, 40, Math.min(760, end + 14));
  };
