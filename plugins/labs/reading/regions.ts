/** Separates two tables side by side on a page. */
import type { Book } from './book.ts';
import { headerOf } from './headers.ts';
import { cellsOf, isApart, type Line, linesOf } from './lines.ts';
import { readName } from './names.ts';
import { textOf, type Word } from './page-words.ts';

const hints = { specimen: null, ucum: null } as const;

const isMarker = (words: readonly Word[], book: Book): boolean => {
  for (let count = Math.min(6, words.length); count > 0; count -= 1)
    if (readName(textOf(words.slice(0, count)), book, hints).certainty >= 0.9) return true;
  return false;
};

const hasDigits = (cells: readonly (readonly Word[])[]): boolean =>
  cells.some((cell) => /\d|[+]|neg|pos/i.test(textOf(cell)));

/** Returns where the second name of a line begins; null when there is none with a value before and after it. */
const secondName = (line: Line, book: Book, width: number): number | null => {
  const cells = cellsOf(line.words);
  for (const [at, cell] of cells.entries()) {
    const x = cell[0]!.x;
    if (at < 2 || x < 0.3 * width || !/\p{L}/u.test(textOf(cell))) continue;
    const isBetween = hasDigits(cells.slice(1, at)) && at < cells.length - 1;
    if (isBetween && isMarker(cell, book) && isMarker(cells[0]!, book)) return x;
  }
  return null;
};

/** Returns where the second table begins, if a header names the tests twice; otherwise null. */
const secondHead = (lines: readonly Line[], width: number): number | null => {
  for (const line of lines) {
    const names = (headerOf(line, 'both') ?? []).filter(({ kind }) => kind === 'name');
    const second = names.find(({ x }) => x > 0.3 * width);
    if (names.length > 1 && second) return second.x;
  }
  return null;
};

/** Returns the left edge of the right table; null when the page has only one table. */
const gutterOf = (lines: readonly Line[], book: Book, width: number): number | null => {
  const headed = secondHead(lines, width);
  if (headed !== null) return headed;
  const starts = lines.map((line) => secondName(line, book, width)).filter((x) => x !== null);
  if (starts.length < 3) return null;
  const sorted = starts.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)]!;
  const near = sorted.filter((x) => Math.abs(x - middle) < 0.025 * width);
  return near.length >= 3 && near.length >= 0.6 * starts.length ? near[0]! : null;
};

/** Splits a line at the gutter if it has a wide gap there, or is on one side. Returns null for a line that crosses the gutter. */
const cutAt = (line: Line, x: number, height: number): [Word[], Word[]] | null => {
  const right = line.words.filter((word) => word.x >= x - height);
  const left = line.words.filter((word) => word.x < x - height);
  if (!right.length || !left.length) return [left, right];
  return isApart(left.at(-1)!, right[0]!) ? [left, right] : null;
};

/** Returns the lines of a page in reading order; with two tables side by side, those of the left one first. */
export const regionsOf = (words: readonly Word[], book: Book, width: number): Line[][] => {
  const lines = linesOf(words);
  const x = gutterOf(lines, book, width);
  if (x === null) return [lines];
  const [left, right]: [Word[], Word[]] = [[], []];
  for (const line of lines) {
    const parts = cutAt(line, x, line.height / 2);
    if (!parts) left.push(...line.words);
    else {
      left.push(...parts[0]);
      right.push(...parts[1]);
    }
  }
  return [linesOf(left), linesOf(right)];
};
