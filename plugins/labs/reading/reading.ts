/** Converts the words of pages to the values of a report. */
import type { FileOutcome, Reading, ReadValue, TestType } from '../report.ts';
import { type About, aboutOf } from './about.ts';
import type { Book, Specimen } from './book.ts';
import { orderOf } from './dates.ts';
import { isInstruction } from './instructions.ts';
import type { Letters } from './letters.ts';
import { linesOf } from './lines.ts';
import { styleOf } from './numbers.ts';
import type { OpenFile } from './opening.ts';
import { type PageWords, textOf } from './page-words.ts';
import type { ReadPage } from './pages.ts';
import { saidOf } from './reports.ts';
import { reread } from './reread.ts';
import { type Row, rowsOf, type TableState } from './rows.ts';
import { readValueOf, withRepeats } from './values.ts';
import { type Vision, withVision } from './vision.ts';

export interface Upload {
  readonly files: readonly OpenFile[];
  readonly pages: readonly ReadPage[];
}

export interface Means {
  readonly book: Book;
  readonly testType: TestType;
  readonly letters: Letters;
  readonly vision?: Vision;
}

interface FileReading {
  readonly values: readonly ReadValue[];
  readonly unread: Reading['unread'];
  readonly about: About;
  readonly hasInstructions: boolean;
}

const specimens: Readonly<Record<TestType, Specimen | null>> = { blood: 'blood', urine: 'urine', other: null };

const textOfPage = (page: PageWords): string =>
  linesOf(page.words)
    .map(({ words }) => textOf(words))
    .join('\n');

interface PlacedRow {
  readonly row: Row;
  readonly page: ReadPage;
}

const readFile = async (
  pages: readonly ReadPage[],
  { book, testType, letters, vision }: Means,
): Promise<FileReading> => {
  const text = pages.map(textOfPage).join('\n');
  const days = orderOf(text);
  const context = { book, style: styleOf(text), days, specimen: specimens[testType] };
  let state: TableState = { header: null, specimen: context.specimen };
  const rows: PlacedRow[] = [];
  const unread: { page: number; text: string }[] = [];
  for (const page of pages) {
    const first = rowsOf(page, context, state);
    const again = page.picture ? await reread(page, first.lines, letters) : page;
    const found = again === page ? first : rowsOf(again, context, state);
    state = found.state;
    rows.push(...found.rows.map((row) => ({ row, page })));
    unread.push(...found.unread.map((line) => ({ page: page.page, text: line.slice(0, 300) })));
  }
  const hasFlags = rows.some(({ row }) => row.parts.flag !== null);
  const values: ReadValue[] = [];
  for (const page of pages) {
    const own = rows
      .filter((placed) => placed.page === page)
      .map(({ row }) => readValueOf(row, { book, page, hasFlags, style: context.style }));
    values.push(...(vision ? await withVision(vision, { page, values: own, context }) : own));
  }
  return {
    values,
    unread,
    about: aboutOf(pages, days),
    hasInstructions: text.split('\n').some(isInstruction),
  };
};

const readByOf = (pages: readonly PageWords[]): Reading['readBy'] => {
  const ways = new Set(pages.map(({ readBy }) => readBy));
  return ways.size > 1 ? 'mixed' : ([...ways][0] ?? 'text');
};

const withoutValues = (file: OpenFile, pages: readonly ReadPage[]): FileOutcome => {
  const isPhoto =
    file.picture !== null && pages.every(({ words }) => words.filter(({ text }) => /\p{L}{3}/u.test(text)).length < 5);
  return isPhoto ? 'not_a_report' : 'no_values';
};

export const readingOf = async ({ files, pages }: Upload, means: Means): Promise<Reading> => {
  const read: FileReading[] = [];
  const told: { name: string; pages: number; outcome: FileOutcome }[] = [];
  for (const [at, file] of files.entries()) {
    const own = pages.filter((page) => page.file === at);
    let { outcome } = file;
    if (outcome === 'read') {
      const found = await readFile(own, means);
      read.push(found);
      if (!found.values.length) outcome = withoutValues(file, own);
    }
    told.push({ name: file.name, pages: file.pages, outcome });
  }
  const values = withRepeats(read.flatMap((one) => one.values));
  const { warnings, ...said } = saidOf(read.map(({ about }) => about));
  return {
    files: told,
    pages: pages.length,
    ...said,
    readBy: values.some(({ doubts }) => doubts.includes('from_model')) ? 'mixed' : readByOf(pages),
    values,
    unread: read.flatMap(({ unread }) => unread),
    warnings: [...warnings, ...(read.some(({ hasInstructions }) => hasInstructions) ? ['instructions_in_text'] : [])],
  };
};
