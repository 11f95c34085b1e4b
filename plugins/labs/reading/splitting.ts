/**
 * Finds where a line's name ends and its result begins. Names contain digits too (CA 125, Vitamin B12, 25-OH), so each position
 * is tried.
 */
import type { Book } from './book.ts';
import { columnOf, type Order, type Parts, partsOf } from './columns.ts';
import type { HeaderCell } from './headers.ts';
import { isApart } from './lines.ts';
import { type Hints, type NameReading, readName } from './names.ts';
import type { NumberStyle } from './numbers.ts';
import { textOf, type Word } from './page-words.ts';
import { qualifiedWords } from './qualified-names.ts';
import { type Segment, segmentsOf } from './segments.ts';

export interface Surroundings {
  readonly book: Book;
  readonly style: NumberStyle;
  readonly header: readonly HeaderCell[] | null;
  readonly order: Order;
  readonly hints: Hints;
}

export interface Split {
  readonly name: NameReading;
  readonly nameWords: readonly Word[];
  readonly segments: readonly Segment[];
  readonly parts: Parts;
  readonly score: number;
}

const longestName = 12;

const isText = (segment: Segment | undefined): boolean => !segment || segment.kind === 'text';

const scoreOf = (name: NameReading, segments: readonly Segment[], parts: Parts): number => {
  const texts = segments.filter(({ kind, text }) => kind === 'text' && /\p{L}/u.test(text)).length;
  const value = parts.value ? 1 : 0;
  const fitting = parts.unit?.ucum ? 0.3 : 0;
  return 2 * name.certainty + value + fitting - 0.3 * Math.min(3, texts) - 0.35 * Math.min(2, parts.others.length);
};

const splitAt = (words: readonly Word[], at: number, around: Surroundings): Split | null => {
  const [nameWords, rest] = [words.slice(0, at), words.slice(at)];
  const segments = segmentsOf(rest, around.style);
  const { header } = around;
  const wide = rest.length > 0 && (isApart(words[at - 1]!, rest[0]!) || rest[0]!.x < words[at - 1]!.x);
  if (rest.length && isText(segments[0]) && !wide) return null;
  // In "HbA1c >", the sign belongs to the value and not to the name.
  if (/[<>≤≥]$/.test(nameWords.at(-1)!.text)) return null;
  const parts = partsOf(segments, header, around.order);
  const ucum = parts.unit?.ucum ?? null;
  const name = readName(textOf(nameWords), around.book, { ...around.hints, ucum: ucum ?? around.hints.ucum });
  const ends =
    header && rest[0] ? columnOf(header, rest[0]) !== 'name' && columnOf(header, words[at - 1]!) === 'name' : false;
  // A number in a separate column is not part of a name.
  const crosses = nameWords.some(
    (word, nth) => nth > 0 && /^[<>]?\d/.test(word.text) && isApart(nameWords[nth - 1]!, word),
  );
  const score = scoreOf(name, segments, parts) - (crosses ? 0.5 : 0) + (wide ? 0.5 : 0) + (ends ? 0.7 : 0);
  return { name, nameWords, segments, parts, score };
};

/** Returns the text with two spaces between columns. */
const withColumns = (words: readonly Word[]): string =>
  words.map((word, nth) => (nth === 0 ? '' : isApart(words[nth - 1]!, word) ? '  ' : ' ') + word.text).join('');

/** Returns the split with the best score; null when there is none. Of equal splits, the last one wins. */
export const splitOf = (words: readonly Word[], around: Surroundings): Split | null => {
  let best: Split | null = null;
  for (let at = Math.max(1, qualifiedWords(withColumns(words))); at <= Math.min(words.length, longestName); at += 1) {
    const split = splitAt(words, at, around);
    if (split && (!best || split.score >= best.score)) best = split;
  }
  return best;
};
