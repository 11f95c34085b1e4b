/** Splits a printed reference into bands: "Deficient <20; Insufficient 20-29" has two bands, "3.5 - 5.1" has one. Pure. */
import { type NumberStyle, numberOf } from '../reading/numbers.ts';
import { COMPARE, comparatorOf, NUMBER, TO } from '../reading/segments.ts';
import { type BandWords, isForAll, readBandWords } from './band-words.ts';

export interface Band extends BandWords {
  readonly low: number | null;
  readonly high: number | null;
  /** Whether the bound itself is excluded: "< 5.7". */
  readonly isLowStrict: boolean;
  readonly isHighStrict: boolean;
}

interface Figure extends Pick<Band, 'low' | 'high' | 'isLowStrict' | 'isHighStrict'> {
  readonly at: number;
  readonly end: number;
}

/**
 * Maximum length of a reference, in characters. Longer ones contain footnotes; the limit keeps the work proportional to the
 * useful text.
 */
const LONGEST = 600;

const AGE_UNIT = String.raw`(?:years?|yrs?|y\/?o|y|jahren?|j\.|ans|años|anni|jaar)`;
const YOUNG_UNIT = `(?:months?|mos?|monaten?|mois|meses|weeks?|wks?|wochen?|semaines?|semanas?|days?|tage?n?|jours?|días?|hours?|hrs?|h|min(?:utes?)?)`;
const SPAN = String.raw`(\d{1,3})\s?(?:-|–|—|to|bis|à|a)\s?(\d{1,3})`;

/** Replacements for numbers that are not bounds: ages, weeks, stages, powers of ten and units. */
const NO_BOUNDS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`\b(?:ages?|aged|alter|âge|edad)\s?:?\s?${SPAN}(?:\s?${AGE_UNIT}\b)?`, 'giu'), ' age_$1_$2 '],
  [new RegExp(String.raw`${SPAN}\s?${AGE_UNIT}(?![\p{L}])`, 'giu'), ' age_$1_$2 '],
  [
    new RegExp(
      String.raw`(?:>|≥|>=|over|above|über|ab|plus de|más de)\s?=?\s?(\d{1,3})\s?${AGE_UNIT}(?![\p{L}])`,
      'giu',
    ),
    ' age_$1_x ',
  ],
  [
    new RegExp(
      String.raw`(?:<|≤|<=|under|below|unter|bis|moins de|menos de)\s?=?\s?(\d{1,3})\s?${AGE_UNIT}(?![\p{L}])`,
      'giu',
    ),
    ' age_x_$1 ',
  ],
  [new RegExp(String.raw`(?:${SPAN}|\d{1,3})\s?${YOUNG_UNIT}(?![\p{L}])`, 'giu'), ' #time '],
  [
    /\b(?:stage|grade|class|type|typ|stadium|grad|ckd|g|phase|tanner|day|week|ssw|trimester|type)\s?\d+[ab]?(?:\s?[-–]\s?\d+[ab]?)?(?![\d.,])/giu,
    ' stage # ',
  ],
  [/\b\d(?:st|nd|rd|th|er|ère|e|ème|º|ª)\.?(?=\s?\p{L})|\b[1-3]\.(?=\s\p{L})/giu, ' # '],
  [/(?:[x×*]\s?)?10\s?(?:\^|\*{1,2}|e)\s?\d{1,2}(?:\s?\/\s?\S+)?/giu, ' '],
  [/(?<![\d.,])[a-zµμ%][\p{L}µμ%\d.²³]*\s?\/\s?[\p{L}\d.,²³^*]+/giu, ' '],
];

const clean = (text: string): string => {
  let rest = text.normalize('NFC').slice(0, LONGEST);
  for (const [pattern, by] of NO_BOUNDS) rest = rest.replace(pattern, by);
  return rest;
};

const FIGURES = new RegExp(
  String.raw`(?<![\p{L}\d_])(${NUMBER})(?:\s?[%a-zµ]{1,5})?${TO}(${NUMBER})|(${COMPARE})\s?(${NUMBER})|(?<![\p{L}\d_])(${NUMBER})\s?(or less|or more|or below|or above|or greater|or higher|or lower|and above|and below|and over|\+)`,
  'giu',
);

/** Returns whether the bound is excluded: "up to 5", "bis 5" and "≤ 5" include it; "< 5" and "less than 5" do not. */
const isStrict = (sign: string): boolean =>
  /^(?:<|>|&[lg]t;|‹|›|＜|＞|less than|greater than|under|below|above|over|unter|über|kleiner|größer|menor|mayor|inférieur|supérieur|moins|plus de|inf|sup)$/i.test(
    sign.trim().replace(/\.? (?:de|que|à)$/i, ''),
  );

const figuresIn = (text: string, style: NumberStyle): Figure[] =>
  [...text.matchAll(FIGURES)].flatMap((found): Figure[] => {
    const [all, from, to, sign, bound, open, way] = found;
    const place = { at: found.index, end: found.index + all.length };
    const number = (printed: string | undefined): number | null =>
      printed === undefined ? null : (numberOf(printed.replace(/^[-−](?=\d)/, from ? '' : '-'), style)?.value ?? null);
    const none = { low: null, high: null, isLowStrict: false, isHighStrict: false };
    if (from !== undefined) {
      const [low, high] = [number(from), number(to)];
      return low === null || high === null || low > high ? [] : [{ ...none, ...place, low, high }];
    }
    const value = number(bound ?? open);
    if (value === null) return [];
    const isUpper = sign === undefined ? /less|below|lower/i.test(way ?? '') : comparatorOf(sign) === '<';
    const strict = sign !== undefined && isStrict(sign);
    return isUpper
      ? [{ ...none, ...place, high: value, isHighStrict: strict }]
      : [{ ...none, ...place, low: value, isLowStrict: strict }];
  });

const hasWords = (text: string): boolean => /[\p{L}#]/u.test(text);

/**
 * Combines a figure with its words. "Adults with diabetes: < 7" is not a state of low values: words that contradict their bound
 * get the meaning `unknown`.
 */
const withSide = (figure: Pick<Band, 'low' | 'high' | 'isLowStrict' | 'isHighStrict'>, words: BandWords): Band => {
  const open = figure.low === null ? 'low' : figure.high === null ? 'high' : null;
  const isAgainst = words.meaning === 'state' && words.side !== null && open !== null && words.side !== open;
  return { ...figure, ...words, ...(isAgainst ? { meaning: 'unknown', side: null } : {}) };
};

/** Returns the bands of one piece. Words precede their figures, or follow them if the piece begins with a figure. */
const bandsOfPiece = (piece: string, style: NumberStyle, carried: string): Band[] => {
  const figures = figuresIn(piece, style);
  const ends = [...figures.map(({ at }) => at), piece.length];
  const before = piece.slice(0, ends[0]);
  const between = figures.map(({ end }, nth) => piece.slice(end, ends[nth + 1]));
  const isBefore = hasWords(before) || figures.length === 1;
  return figures.map(({ at: _at, end: _end, ...figure }, nth) => {
    const own = isBefore
      ? `${nth === 0 ? before : between[nth - 1]} ${nth === figures.length - 1 ? between[nth] : ''}`
      : (between[nth] ?? '');
    return withSide(figure, readBandWords(`${carried} ${own}`));
  });
};

/**
 * Parses the bands of a printed reference.
 * @param text a reference as printed; its bands are separated by a semicolon, a line break, a vertical bar, a slash between
 * spaces, or a comma before a word or a comparison sign.
 * @returns bands in the order of the text; [] if no bound can be read.
 */
export const bandsOf = (text: string, style: NumberStyle): readonly Band[] => {
  const bands: Band[] = [];
  let carried = '';
  for (const piece of clean(text).split(/[;|\n]|,(?=\s*[\p{L}<>≤≥])|\s\/\s/u)) {
    const own = bandsOfPiece(piece, style, carried);
    // A heading such as "Women" belongs to the next piece.
    carried = own.length ? '' : hasWords(piece) ? `${carried} ${piece}` : carried;
    bands.push(...own);
  }
  return bands;
};

/** Returns whether the reference is one range for everybody, without words that give it another meaning. */
export const isPlain = (bands: readonly Band[]): boolean =>
  bands.length === 1 && isForAll(bands[0]!.condition) && /^(?:range|normal)$/.test(bands[0]!.meaning);
