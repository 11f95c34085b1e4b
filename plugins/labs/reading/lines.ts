/** Groups words into lines, from top to bottom, each from left to right. */
import { around, median, type Rectangle, type Word } from './page-words.ts';

export interface Line extends Rectangle {
  readonly words: readonly Word[];
}

const middle = (word: Rectangle): number => word.y + word.height / 2;

const share = (a: Rectangle, b: Rectangle): number => Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);

/**
 * Returns whether two words overlap horizontally. Words of one line never do, so a wrapped name beside a centred value remains
 * two lines.
 */
const covers = (a: Rectangle, b: Rectangle): boolean =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 0.3 * Math.min(a.width, b.width);

const nearest = (words: readonly Word[], word: Word): Word =>
  words.reduce((best, other) => (Math.abs(other.x - word.x) < Math.abs(best.x - word.x) ? other : best));

/**
 * Returns whether the word belongs to the line. It is compared with the nearest word of the line only, because a page may still
 * be slightly tilted.
 */
const belongs = (words: readonly Word[], word: Word): boolean => {
  const beside = nearest(words, word);
  const lower = Math.min(beside.height, word.height);
  if (share(beside, word) < 0.45 * lower) return false;
  return !words.some((other) => covers(other, word));
};

const toLine = (words: Word[]): Line => ({ words: words.sort((a, b) => a.x - b.x), ...around(words) });

export const linesOf = (words: readonly Word[]): Line[] => {
  const usual = median(words.map(({ height }) => height));
  const open: Word[][] = [];
  const done: Word[][] = [];
  const sorted = words.filter(({ text }) => text).sort((a, b) => middle(a) - middle(b) || a.x - b.x);
  for (const word of sorted) {
    const fitting = open.filter((line) => belongs(line, word));
    const best = fitting.sort(
      (a, b) => Math.abs(middle(nearest(a, word)) - middle(word)) - Math.abs(middle(nearest(b, word)) - middle(word)),
    )[0];
    if (best) best.push(word);
    else open.push([word]);
    while (open.length > 12 || (open[0] && middle(open[0][0]!) < middle(word) - 6 * usual - 1))
      done.push(open.shift()!);
  }
  return [...done, ...open].map(toLine).sort((a, b) => middle(a) - middle(b));
};

/** Splits words at wide gaps, into the cells of a table. */
export const cellsOf = (words: readonly Word[]): Word[][] => {
  const cells: Word[][] = [];
  for (const [at, word] of words.entries()) {
    if (at > 0 && !isApart(words[at - 1]!, word)) cells.at(-1)!.push(word);
    else cells.push([word]);
  }
  return cells;
};

/** Returns whether the gap between two neighbours is wider than a space between words. */
export const isApart = (before: Word, word: Word): boolean =>
  word.x - (before.x + before.width) > 0.7 * Math.min(before.height, word.height);
