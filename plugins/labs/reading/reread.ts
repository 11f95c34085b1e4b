/**
 * Reads the numbers of an image a third time, each on its own. Two readings of three win; where one differs, the word stores the
 * rival reading, which becomes a doubt. A missing value is searched where it is expected.
 */
import type { Letters } from './letters.ts';
import { around, type Rectangle, textOf, type Word } from './page-words.ts';
import type { ReadPage } from './pages.ts';
import { withPoint } from './points.ts';
import type { ReadLine } from './rows.ts';
import { lookAgain } from './second-look.ts';

interface Place {
  readonly box: Rectangle;
  /** Words currently at this place; [] for a gap. */
  readonly words: readonly Word[];
  /** The place contains a number, so only its digits are read again. */
  readonly isNumber: boolean;
  /** The number fits a range of whole numbers, so no decimal point is searched. */
  readonly isWhole: boolean;
}

const bare = (text: string): string =>
  text
    .replace(/[‹＜]/g, '<')
    .replace(/[^0-9.,<>≤≥-]/g, '')
    .replace(/^[.,-]+|[.,-]+$/g, '');

const holds = (word: Word, part: Rectangle): boolean => {
  const [x, y] = [part.x + part.width / 2, part.y + part.height / 2];
  return x >= word.x && x <= word.x + word.width && y >= word.y && y <= word.y + word.height;
};

/** Returns the whole words of the page from which the parts of a row were cut. */
const wholeWords = (page: ReadPage, parts: readonly Word[]): Word[] => [
  ...new Set(parts.flatMap((part) => page.words.find((word) => holds(word, part)) ?? [])),
];

const valuePlace = ({ split }: ReadLine, page: ReadPage): Place | null => {
  const value = split?.parts.value;
  if (!value || (value.kind !== 'number' && value.kind !== 'bound')) return null;
  const words = wholeWords(page, value.words);
  const { range } = split.parts;
  const [only] = range;
  const [low, high] = [only?.low?.value ?? only?.number?.value, only?.high?.value ?? only?.number?.value];
  const fits =
    low !== undefined && high !== undefined && value.number!.value > 0.3 * low && value.number!.value < 3 * high;
  const isWhole = fits && !/\d[.,]\d/.test(range.map(({ text }) => text).join(' '));
  return words.length ? { box: around(words), words, isNumber: true, isWhole } : null;
};

/**
 * Returns the place between the name and what follows the value, if the value was not read, or was read as letters that are not a
 * number.
 */
const hole = ({ split, line }: ReadLine, page: ReadPage): Place | null => {
  if (!split || split.name.certainty < 0.55 || split.parts.value) return null;
  const next = split.segments.find(({ kind }) => kind === 'unit' || kind === 'range' || kind === 'bound');
  if (!next) return null;
  const names = around(split.nameWords);
  const from = names.x + names.width + 0.5 * names.height;
  const to = around(next.words).x - 0.3 * names.height;
  if (to - from < 0.8 * names.height) return null;
  const box = { x: from, y: line.y, width: to - from, height: line.height };
  const words = page.words.filter((word) => holds({ ...box, text: '', confidence: 1 }, word));
  return { box: words.length ? around(words) : box, words, isNumber: false, isWhole: false };
};

/** Distributes the words of a new reading over the box of the old ones. */
const spread = (text: string, box: Rectangle, rival: string): Word[] => {
  const all = text.split(' ').filter(Boolean);
  const letter = box.width / (text.length || 1);
  let at = 0;
  return all.map((word) => {
    const x = box.x + at * letter;
    at += word.length + 1;
    return { text: word, x, y: box.y, width: word.length * letter, height: box.height, confidence: 0.7, rival };
  });
};

/**
 * Returns whether the second reading has the same digits plus a decimal separator. Separators are often lost in reading, but
 * almost never invented.
 */
const isPointFound = (now: string, again: string): boolean =>
  bare(now).replace(/[.,]/g, '') === bare(again).replace(/[.,]/g, '') &&
  /\d[.,]\d/.test(again) &&
  !/\d[.,]\d/.test(now);

const voted = ({ box, words, isNumber }: Place, again: string): readonly Word[] => {
  const now = words.map(({ text }) => text).join(' ');
  if (!isNumber) return /\d/.test(again) ? spread(again, box, now) : words;
  if (bare(again) === bare(now)) return words;
  const rival = words.map((word) => word.rival ?? '').join(' ');
  const isSecond = /\d/.test(rival) && bare(rival) === bare(again);
  if (isSecond || isPointFound(now, again)) return spread(again.replace(/(?<=\d) (?=[.,]?\d)/g, ''), box, `${now} 0`);
  return words.map((word) => ({ ...word, rival: `${again || '?'} 0` }));
};

/** Returns the page with the words of a third reading. */
export const reread = async (page: ReadPage, lines: readonly ReadLine[], letters: Letters): Promise<ReadPage> => {
  const { picture } = page;
  const sign = lines[0]?.around.style.decimal === 'comma' ? ',' : '.';
  const places = lines.flatMap((line) => valuePlace(line, page) ?? hole(line, page) ?? []);
  if (!picture || !places.length) return page;
  const texts = await lookAgain(
    picture,
    places.map(({ box }) => box),
    letters,
  );
  const gone = new Set<Word>();
  const come: Word[] = [];
  for (const [at, place] of places.entries()) {
    const now = textOf(place.words);
    const pointed = place.isNumber && !place.isWhole ? await withPoint(picture, place.box, now) : null;
    const words = pointed ? spread(pointed.replace('.', sign), place.box, `${now} 0`) : voted(place, texts[at] ?? '');
    if (words === place.words) continue;
    for (const word of place.words) gone.add(word);
    come.push(...words);
  }
  return { ...page, words: [...page.words.filter((word) => !gone.has(word)), ...come] };
};
