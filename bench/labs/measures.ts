/**
 * Compares the values that were read with those printed. A value is correct when marker, number or word, and unit are all
 * correct.
 */
import type { Book } from '#plugins/biomarkers/book.ts';
import type { Reading, ReadValue } from '#plugins/labs/report.ts';
import type { SpecimenRow } from './specimen.ts';

export interface Score {
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  /** Wrong values without a doubt attached. */
  readonly silent: readonly string[];
  readonly faults: readonly string[];
  /** Number of correct values with a doubt attached. */
  readonly doubted: number;
}

/** Returns whether two units are equivalent; for example `/nL` equals `10*3/uL`. */
const isSameUnit = (book: Book, row: SpecimenRow, ucum: string): boolean => {
  if (row.ucum === ucum) return true;
  const marker = book.bySlug(row.slug);
  return marker !== null && ucum !== '' && book.convert(marker, 1, row.ucum, ucum) === 1;
};

const same = (book: Book, row: SpecimenRow, value: ReadValue): boolean => {
  if (row.slug !== value.slug || !isSameUnit(book, row, value.ucum)) return false;
  if (row.value === null) return row.valueText.toLowerCase() === value.valueText.toLowerCase();
  return row.value === value.value && row.comparator === value.comparator;
};

const shown = (value: ReadValue): string =>
  `${value.slug} "${value.rawName}" ${value.valueText} ${value.unit} (${value.ucum}) [${value.doubts.join(' ')}] « ${value.snippet}`;

export const scoreOf = (book: Book, rows: readonly SpecimenRow[], reading: Reading): Score => {
  const open = [...reading.values];
  const faults: string[] = [];
  let right = 0;
  let doubted = 0;
  for (const row of rows) {
    const at = open.findIndex((value) => same(book, row, value));
    if (at < 0) {
      faults.push(`missed ${row.slug} "${row.name}" ${row.valueText} ${row.unit}`);
      continue;
    }
    right += 1;
    if (open[at]!.doubts.some((doubt) => doubt !== 'twice_in_report')) doubted += 1;
    open.splice(at, 1);
  }
  const wrong = open.filter(({ slug }) => slug !== null);
  const silent = open.filter(({ doubts }) => !doubts.length).map(shown);
  return {
    right,
    wrong: wrong.length,
    missed: rows.length - right,
    silent,
    faults: [
      ...faults,
      ...open.map((value) => `extra  ${shown(value)}`),
      ...reading.unread.map(({ text }) => `unread ${text}`),
    ],
    doubted,
  };
};
