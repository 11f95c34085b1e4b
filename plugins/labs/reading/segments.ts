/**
 * Splits the words after (or before) the name of a row into segments, from left to right: numbers, bounds, ranges, units, flags
 * and words.
 */
import type { Comparator } from '../report.ts';
import { readUnit } from './book.ts';
import { isMonth } from './dates.ts';
import { isApart } from './lines.ts';
import { type NumberStyle, numberOf, type PrintedNumber } from './numbers.ts';
import { isOcrUnit } from './ocr-units.ts';
import { textOf, type Word } from './page-words.ts';
import { type Direction, flagOf, isLook, isNoRange, isPending, meaningOf } from './value-words.ts';

export type SegmentKind = 'number' | 'bound' | 'range' | 'unit' | 'flag' | 'result' | 'date' | 'state' | 'text';

export interface Segment {
  readonly kind: SegmentKind;
  readonly words: readonly Word[];
  readonly text: string;
  readonly comparator: Comparator;
  /** The number, or the number of the bound. */
  readonly number: PrintedNumber | null;
  /** Lower end of a range; `high` is its upper end. */
  readonly low: PrintedNumber | null;
  readonly high: PrintedNumber | null;
  /** UCUM code, if the unit is known. */
  readonly ucum: string | null;
  readonly direction: Direction | null;
  /** Letters were corrected to digits. */
  readonly isMended: boolean;
}

const blank = {
  comparator: '=',
  number: null,
  low: null,
  high: null,
  ucum: null,
  direction: null,
  isMended: false,
} as const;

export const NUMBER = String.raw`[-−]?(?:[1-9]\d{0,2}(?: \d{3})+|\d[\d.,'’]*\d|\d|[.,]\d+)`;
export const COMPARE = String.raw`(?:<\s?=|>\s?=|<\s?or\s?=|>\s?or\s?=|[<>≤≥‹›＜＞]|&[lg]t;|less than(?: or equal to)?|greater than(?: or equal to)?|up to|under|below|above|over|bis|unter|über|ab|kleiner|größer|hasta|menor (?:de|que)|mayor (?:de|que)|jusqu'à|inf\.? à|sup\.? à|inférieur à|supérieur à|moins de|plus de|until)`;
export const TO = String.raw`\s?(?:-|=|–|—|−|‐|‑|~|\.\.\.?|…|to|bis|à|a|hasta|until)\s?`;

const boundPattern = new RegExp(String.raw`^[([]?(${COMPARE})\s?(${NUMBER})[)\]]?$`, 'iu');
const belowPattern = new RegExp(
  String.raw`^[([]?(${NUMBER})\s?(or less|or more|or below|or above|and above|and below)[)\]]?$`,
  'iu',
);
const rangePattern = new RegExp(String.raw`^[([]?\s?(${NUMBER})${TO}(${NUMBER})\s?[)\]]?$`, 'iu');
const datePattern =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[- ]?[a-z]{3,9}\.?,?[- ]\d{2,4}|[a-z]{3,9}\.? \d{1,2},? \d{4})(?:,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?)?$/i;
/** Returns whether the text is a date. "21 Low 129" has the form of a date, but no month. */
const isDate = (text: string): boolean => {
  if (!datePattern.test(text)) return false;
  const word = /\p{L}{3,}/u.exec(text)?.[0];
  return !word || isMonth(word);
};
const timePattern = /^\d{1,2}:\d{2}(?::\d{2}(?: ?[ap]m)?| ?[ap]m)$/i;
/** Matches a power without its unit: "x10^3", "x10E3", "*10^9", "10*3". */
const power = /^(?:[x×*]\s?)?10\s?(?:\^|\*{1,2}|e|exp)\s?\d{1,2}/i;
const unitish = /^[%‰]$|^[a-zµμ%°.{}[\]()0-9^*×·]{0,18}\/[a-zµμ0-9.,²³^{}[\]() ]{1,18}$/i;

const MOST_WORDS = 6;

/**
 * Corrects letters that OCR confuses with digits, in a word that is otherwise a number. Returns null if there is nothing to
 * correct.
 */
const mended = (text: string): string | null => {
  if (!/\d/.test(text) || !/^[<>≤≥]?[\dOoIl|SBZ.,:;-]+$/.test(text) || !/[OoIl|SBZ:;]|[.,]$/.test(text)) return null;
  const fixed = text
    .replace(/(?<=\d)[:;](?=\d)/g, '.')
    .replace(/[.,:;]+$/, '')
    .replace(/[Oo]/g, '0')
    .replace(/[Il|]/g, '1')
    .replace(/S/g, '5')
    .replace(/B/g, '8')
    .replace(/Z/g, '2');
  return fixed !== text && fixed.replace(/\D/g, '').length >= text.replace(/\D/g, '').length ? fixed : null;
};

export const comparatorOf = (text: string): Comparator =>
  /^(?:[<≤‹＜]|&lt|less|up|under|below|bis|unter|kleiner|hasta|menor|jusqu|inf|moins|until)/i.test(text) ? '<' : '>';

/** Returns whether digits that follow digits are close enough to be one number: "399 200-1100" is a value and its range. */
const isClose = (words: readonly Word[]): boolean =>
  words.every((word, at) => {
    const before = words[at - 1];
    return !before || !/\d$/.test(before.text) || !/^\d/.test(word.text) || isThousands(before, word);
  });

/**
 * Returns whether a hyphen and the next word are in different columns. In "25-" followed by a value, the hyphen belongs to a name
 * that continues on the next line.
 */
const isTorn = (words: readonly Word[]): boolean =>
  words.some((word, at) => at > 0 && /\d[-–]$/.test(words[at - 1]!.text) && isApart(words[at - 1]!, word));

/**
 * Returns whether two words are one number with a space as thousands separator, as in "7 500". That space is narrower than the
 * space between columns.
 */
const isThousands = (first: Word, second: Word): boolean =>
  /(?:^|\D)[1-9]\d{0,2}$/.test(first.text) &&
  /^\d{3}(?:\D|$)/.test(second.text) &&
  second.x - (first.x + first.width) < 0.45 * first.height;

type Reader = (text: string, words: readonly Word[]) => Omit<Segment, 'words' | 'text'> | null;

const readers = (style: NumberStyle): readonly (readonly [number, Reader])[] => [
  [3, (text) => (isDate(text) || timePattern.test(text) ? { ...blank, kind: 'date' } : null)],
  [
    5,
    (text, words) => {
      const found = rangePattern.exec(text);
      if (!found || !isClose(words) || isTorn(words)) return null;
      const [low, high] = [numberOf(found[1]!, style), numberOf(found[2]!.replace(/^-/, ''), style)];
      return low && high ? { ...blank, kind: 'range', low, high } : null;
    },
  ],
  [
    6,
    (text, words) => {
      if (!isClose(words)) return null;
      const found = boundPattern.exec(text);
      const number = found && numberOf(found[2]!, style);
      if (number) return { ...blank, kind: 'bound', comparator: comparatorOf(found[1]!), number };
      const after = belowPattern.exec(text);
      const bound = after && numberOf(after[1]!, style);
      return bound
        ? { ...blank, kind: 'bound', comparator: /less|below/.test(after[2]!) ? '<' : '>', number: bound }
        : null;
    },
  ],
  [
    MOST_WORDS,
    (text, words) => {
      if (/^[\d.,]+$/.test(text) || words.slice(1).some((word, at) => isApart(words[at]!, word))) return null;
      const ucum = readUnit(text);
      return ucum === null ? null : { ...blank, kind: 'unit', ucum };
    },
  ],
  [
    2,
    (text, words) => {
      if (words.length > 1 && !isThousands(words[0]!, words[1]!)) return null;
      const number = numberOf(text, style);
      return number && { ...blank, kind: 'number', number };
    },
  ],
  [4, (text) => (isNoRange(text) ? { ...blank, kind: 'state' } : null)],
  [
    3,
    (text) => {
      const meaning = meaningOf(text);
      return meaning === null ? null : { ...blank, kind: 'result' };
    },
  ],
  [
    3,
    (text) => {
      const direction = flagOf(text, true);
      return direction && { ...blank, kind: 'flag', direction };
    },
  ],
  [3, (text) => (isPending(text) ? { ...blank, kind: 'state' } : null)],
  [2, (text) => (isLook(text) ? { ...blank, kind: 'result' } : null)],
  [1, (text) => ((unitish.test(text) && /[a-z%‰]/i.test(text)) || isOcrUnit(text) ? { ...blank, kind: 'unit' } : null)],
  [
    1,
    (text) => {
      const fixed = mended(text);
      if (!fixed) return null;
      const bound = boundPattern.exec(fixed);
      const number = numberOf(bound ? bound[2]! : fixed, style);
      if (!number) return null;
      return bound
        ? { ...blank, kind: 'bound', comparator: comparatorOf(bound[1]!), number, isMended: true }
        : { ...blank, kind: 'number', number, isMended: true };
    },
  ],
];

/** Matches one word that contains two or three segments: "5.6H", "*5.6", "5.6mg/dL", "12(L)", "7.5x10^3". */
const glued = new RegExp(
  String.raw`^([*!]*)((?:[<>≤≥]=?)?${NUMBER})((?:[([]?[HLACN*!↑↓▲▼+]{1,2}[)\]]?)?)((?:[x×*]10|[a-zµμ%]).*)?$`,
  'u',
);

const cut = (word: Word, text: string, from: number): Word => {
  const all = word.text.length || 1;
  return { ...word, text, x: word.x + (word.width * from) / all, width: (word.width * text.length) / all };
};

/** Splits such words, unless the whole word is a unit ("10*3/uL") or a range. */
export const unglued = (words: readonly Word[]): Word[] =>
  words.flatMap((word) => {
    const { text } = word;
    if (
      !/\d/.test(text) ||
      meaningOf(text) !== null ||
      power.test(text) ||
      readUnit(text) !== null ||
      rangePattern.test(text)
    )
      return [word];
    const found = glued.exec(text);
    if (!found) return [word];
    const parts = [found[1], found[2], found[3], found[4]];
    if (parts.filter(Boolean).length < 2) return [word];
    if (found[4] && readUnit(found[4]) === null && !power.test(found[4])) return [word];
    let at = 0;
    return parts.flatMap((part) => {
      if (!part) return [];
      at += part.length;
      return [cut(word, part, at - part.length)];
    });
  });

const longest = (words: readonly Word[], at: number, way: readonly [number, Reader]): Segment | null => {
  const [most, read] = way;
  for (let count = Math.min(most, words.length - at); count > 0; count -= 1) {
    const own = words.slice(at, at + count);
    const text = textOf(own);
    const found = read(text, own);
    if (found) return { ...found, words: own, text };
  }
  return null;
};

/** Reads a power and the unit in the following words as one unit: "x10^3 /µL". */
const withPower = (words: readonly Word[], at: number): Segment | null => {
  if (!power.test(words[at]!.text)) return null;
  for (let count = Math.min(3, words.length - at); count > 0; count -= 1) {
    const own = words.slice(at, at + count);
    const text = own.map((word) => word.text).join('');
    const ucum = readUnit(text);
    if (ucum !== null || count === 1) return { ...blank, kind: 'unit', words: own, text: textOf(own), ucum };
  }
  return null;
};

export const segmentsOf = (given: readonly Word[], style: NumberStyle): Segment[] => {
  const words = unglued(given);
  const ways = readers(style);
  const segments: Segment[] = [];
  for (let at = 0; at < words.length; ) {
    let best = withPower(words, at);
    for (const way of ways) best ??= longest(words, at, way);
    const word = words[at]!;
    const segment = best ?? { ...blank, kind: 'text' as const, words: [word], text: word.text };
    segments.push(segment);
    at += segment.words.length;
  }
  return segments;
};
