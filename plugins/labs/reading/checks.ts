/**
 * Checks a value for signs of a reading error. Nothing is corrected here: the doubts are for the person who reviews the report.
 */
import type { Comparator, Doubt } from '../report.ts';
import type { Book, Marker } from './book.ts';
import type { PrintedNumber } from './numbers.ts';
import type { Direction } from './value-words.ts';

export interface Checked {
  readonly marker: Marker | null;
  readonly number: PrintedNumber | null;
  /** The value as printed, to detect lost decimal separators. */
  readonly text: string;
  readonly comparator: Comparator;
  readonly unit: string;
  readonly ucum: string;
  readonly low: PrintedNumber | null;
  readonly high: PrintedNumber | null;
  readonly rangeText: string;
  readonly direction: Direction | null;
  readonly isOcr: boolean;
  /** Whether other rows of the report carry flags. If they do, a value outside its range without a flag is suspicious. */
  readonly hasFlags: boolean;
}

/** Returns whether the unit is dimensionless, so that the number needs no unit. */
const isUnitless = (ucum: string): boolean => /^(?:1|\{.*\}|\[pH\])?$/.test(ucum);

/** Factor below which laboratories differ from each other in one unit. */
const OTHER_SCALE = 30;

const outside = (value: number, marker: Marker): boolean =>
  marker.plausible !== null && (value < marker.plausible.low || value > marker.plausible.high);

/** Converts the number to the marker's own unit; null if its unit is unknown and the marker is not dimensionless. */
const inOwn = (book: Book, { marker, ucum }: Checked, value: number): number | null => {
  if (!marker) return null;
  if (ucum) return book.convert(marker, value, ucum, marker.ucum);
  return isUnitless(marker.ucum) ? value : null;
};

const unitDoubts = (book: Book, checked: Checked): Doubt[] => {
  const { marker, unit, ucum } = checked;
  if (!checked.number || (marker && marker.kind === 'ordinal' && !unit)) return [];
  if (!unit) return !marker || !isUnitless(marker.ucum) ? ['no_unit'] : [];
  if (!ucum) return ['unknown_unit'];
  return marker && book.convert(marker, 1, ucum, marker.ucum) === null ? ['unit_does_not_fit'] : [];
};

/**
 * Returns whether the value is plausible after scaling by 1000 or 100: cells instead of thousands of cells, or a fraction instead
 * of per cent.
 */
const isScaled = (own: number, marker: Marker): boolean =>
  (/10\*|^\/|%|L\/L/.test(marker.ucum) || /10\*/.test(marker.units.map(({ ucum }) => ucum).join())) &&
  [1000, 1 / 1000, 100, 1 / 100].some((step) => !outside(own * step, marker));

const plausibility = (book: Book, checked: Checked): Doubt[] => {
  const { marker, number, low, high, comparator } = checked;
  if (!marker || !number) return [];
  const own = inOwn(book, checked, number.value);
  const doubts: Doubt[] = [];
  const isBeyond =
    own !== null &&
    outside(own, marker) &&
    !(comparator === '<' && marker.plausible !== null && own < marker.plausible.low);
  if (isBeyond) doubts.push(isScaled(own, marker) ? 'percent_or_count' : 'implausible');
  const bounds = [low, high].flatMap((end) => (end && end.value !== 0 ? [inOwn(book, checked, end.value)] : []));
  if (
    !isBeyond &&
    bounds.some(
      (end) => end !== null && marker.plausible && (end > marker.plausible.high * 3 || end * 3 < marker.plausible.low),
    )
  )
    doubts.push('implausible');
  if (!doubts.length && isOtherScale(book, checked)) doubts.push('unit_does_not_fit');
  return doubts;
};

/**
 * Returns whether the printed range differs from the usual one in this unit by a factor of at least `OTHER_SCALE`: "370 /uL" of
 * platelets with a range of 150 to 400.
 */
const isOtherScale = (book: Book, checked: Checked): boolean => {
  const { marker, low, high } = checked;
  const steps = (['low', 'high'] as const).flatMap((side) => {
    const end = { low, high }[side];
    const [own, known] = [end && inOwn(book, checked, end.value), marker && usual(marker, side)];
    return own && known ? [own / known] : [];
  });
  return steps.length > 0 && steps.every((step) => step >= OTHER_SCALE || step <= 1 / OTHER_SCALE);
};

const isFar = (value: number, low: number | null, high: number | null): boolean =>
  (high !== null && high > 0 && value > 10 * high) || (low !== null && low > 0 && value < low / 10);

const hasSign = (text: string): boolean => /\d[.,]\d/.test(text);
/** Returns whether a number starts with zero: "09" is "0.9" without its decimal point. */
const startsWithNought = (text: string): boolean => /(?:^|[^\d.,'’ ]\s?)0\d/.test(text.replace(/^[<>≤≥=\s]+/, ''));

/** Returns whether the number would fit its range if a decimal point were restored. */
const fitsWithPoint = (value: number, low: number | null, high: number | null): boolean =>
  [10, 100, 1000].some(
    (step) => value / step >= (low ?? 0) * 0.4 && value / step <= (high ?? Number.POSITIVE_INFINITY) * 2.5,
  );

const usual = (marker: Marker, side: 'low' | 'high'): number | null => {
  const all = marker.ranges.flatMap((range) => (range[side] === null ? [] : [range[side]]));
  return all.length ? (side === 'low' ? Math.min(...all) : Math.max(...all)) : null;
};

/**
 * Returns whether the printed range is tens of times the usual one: its decimal points were lost, and so was that of the value.
 */
const isRangeOff = (book: Book, checked: Checked): boolean => {
  const { marker, high, low, rangeText } = checked;
  const end = high ?? low;
  const side = high ? 'high' : 'low';
  const known = marker && usual(marker, side);
  const own = end && inOwn(book, checked, end.value);
  if (hasSign(rangeText) || !known || own === null) return false;
  return own > 5 * known && [10, 100].some((step) => own / step > known * 0.5 && own / step < known * 2);
};

const isPointLost = (book: Book, checked: Checked): boolean => {
  const { marker, number, text, rangeText, low, high, isOcr } = checked;
  if (!number) return false;
  if (startsWithNought(text) || (isOcr && startsWithNought(rangeText))) return true;
  if (!isOcr) return false;
  if (isRangeOff(book, checked)) return true;
  if (hasSign(text)) return false;
  // Laboratories print a value with as many decimals as its range.
  if (/\d[.,]\d.*\d[.,]\d/.test(rangeText)) return true;
  const [least, most] = [low?.value ?? null, high?.value ?? null];
  const isOutside = (most !== null && number.value > most) || (least !== null && number.value < least);
  if (isOutside && hasSign(rangeText) && fitsWithPoint(number.value, least, most)) return true;
  const own = inOwn(book, checked, number.value);
  const top = marker ? usual(marker, 'high') : null;
  if (own === null || !marker || top === null) return false;
  return own > 4 * top && fitsWithPoint(own, usual(marker, 'low'), top);
};

const flagDoubts = ({ number, comparator, low, high, direction, isOcr, hasFlags }: Checked): Doubt[] => {
  if (!number || comparator !== '=' || (!low && !high)) return [];
  const { value } = number;
  const isHigh = high !== null && value >= high.value;
  const isLow = low !== null && value <= low.value;
  const isInside = !(high !== null && value > high.value) && !(low !== null && value < low.value);
  if (direction === 'high') return isHigh ? [] : ['flag_disagrees'];
  if (direction === 'low') return isLow ? [] : ['flag_disagrees'];
  if (direction === 'normal') return isInside ? [] : ['flag_disagrees'];
  if (direction === 'abnormal' || direction === 'critical')
    return isInside && !isHigh && !isLow ? ['flag_disagrees'] : [];
  return isOcr && hasFlags && !isInside ? ['flag_disagrees'] : [];
};

export const doubtsOf = (book: Book, checked: Checked): Doubt[] => {
  const { number, low, high } = checked;
  const doubts: Doubt[] = [...unitDoubts(book, checked), ...plausibility(book, checked), ...flagDoubts(checked)];
  if (number?.isEither || low?.isEither || high?.isEither) doubts.push('decimal_comma');
  if (low && high && low.value > high.value) doubts.push('unclear_number');
  if (number && isFar(number.value, low?.value ?? null, high?.value ?? null)) doubts.push('far_from_range');
  if (isPointLost(book, checked)) doubts.push('lost_decimal_point');
  return doubts;
};
