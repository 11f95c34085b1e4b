/**
 * Parses numbers as laboratories print them. The decimal separator is determined once per report, from all its numbers and words.
 */

export type Decimal = 'point' | 'comma';

export interface NumberStyle {
  readonly decimal: Decimal;
  /** Enough numbers support the separator, and almost none contradict it. */
  readonly isSure: boolean;
}

export interface PrintedNumber {
  readonly value: number;
  /** Another reading is equally likely: `1,234` if the role of the comma is unknown. */
  readonly isEither: boolean;
  /** Printed with a decimal separator, according to the style. */
  readonly hasFraction: boolean;
}

const plain = /^[-−]?\d+(?:[.,'’]\d+)*$/;

/** Returns the evidence that the form of one number gives: 2 for certain, 1 for likely. */
const evidenceOf = (text: string): Record<Decimal, number> => {
  const none = { point: 0, comma: 0 };
  const both = /^\d+([.,])\d*([.,])\d+$/.exec(text);
  if (both && both[1] !== both[2]) return both[2] === '.' ? { point: 2, comma: 0 } : { point: 0, comma: 2 };
  const one = /^(\d+)([.,])(\d+)$/.exec(text);
  if (!one) return none;
  const isGroup = one[3]!.length === 3 && one[1]!.length <= 3 && !one[1]!.startsWith('0');
  if (!isGroup) return one[2] === '.' ? { point: 2, comma: 0 } : { point: 0, comma: 2 };
  return none;
};

const commaWords =
  /\b(befund|untersuchung|ergebnis|einheit|referenzbereich|normbereich|laborbefund|entnahme|labor|messwert|résultats?|unités?|prélèvement|valeurs|usuelles|patiente?|laboratoire|analyses|resultados?|unidad(?:es)?|valores|extracción|paciente|referencia)\b/giu;
const pointWords =
  /\b(results?|units?|reference|range|collected|reported|specimen|patient name|interval|date of birth)\b/gi;

/** Returns the numbers of a text, with both ends of ranges. Names such as `1,25-Dihydroxy` are excluded. */
const numbersIn = (text: string): string[] =>
  [
    ...text.matchAll(/(?<![\w.,/:-])\d+(?:[.,]\d+)+(?=$|[\s)\]–—-])(?!-[A-Za-z])|(?<=\d\s?[–—-]\s?)\d+(?:[.,]\d+)+/gu),
  ].map(([found]) => found);

/** Removes dates, which are not evidence: 12.03.2026 contains points in every German report. */
const withoutDates = (text: string): string => text.replace(/\b\d{1,4}([./-])\d{1,2}\1\d{2,4}\b/g, ' ');

export const styleOf = (text: string): NumberStyle => {
  const seen = { point: 0, comma: 0 };
  for (const number of numbersIn(withoutDates(text))) {
    const evidence = evidenceOf(number);
    seen.point += evidence.point;
    seen.comma += evidence.comma;
  }
  const [points, commas] = [seen.point + 0.5, seen.comma + 0.5];
  const words = (text.match(commaWords)?.length ?? 0) - (text.match(pointWords)?.length ?? 0);
  const isDecided = Math.max(points, commas) >= 3 * Math.min(points, commas) && points !== commas;
  const decimal = isDecided ? (commas > points ? 'comma' : 'point') : words > 0 ? 'comma' : 'point';
  const [most, least] = decimal === 'comma' ? [commas, points] : [points, commas];
  return { decimal, isSure: most >= 4 && most >= 4 * least };
};

const single = (whole: string, sign: string, rest: string, style: NumberStyle): PrintedNumber => {
  const isDecimalSign = sign === (style.decimal === 'comma' ? ',' : '.');
  const isGroup = rest.length === 3 && whole.length <= 3 && !whole.startsWith('0');
  const asFraction = Number(`${whole}.${rest}`);
  const asGroup = Number(whole + rest);
  if (isDecimalSign) return { value: asFraction, isEither: isGroup && !style.isSure, hasFraction: true };
  if (isGroup) return { value: asGroup, isEither: !style.isSure || sign === '.', hasFraction: false };
  // The other separator, and not a thousands separator: this number alone is written differently, or was misread.
  return { value: asFraction, isEither: style.isSure, hasFraction: true };
};

/** Parses a number; null when the text is not one. */
export const numberOf = (text: string, style: NumberStyle): PrintedNumber | null => {
  const trimmed = text
    .replace(/^([.,])(?=\d)/, '0$1')
    .replace(/−/g, '-')
    .replace(/(?<=\d) (?=\d{3}(?!\d))/g, '');
  if (!plain.test(trimmed)) return null;
  const isNegative = trimmed.startsWith('-');
  const digits = trimmed.replace(/^-/, '').replace(/['’]/g, '');
  const signed = (read: PrintedNumber | null): PrintedNumber | null =>
    read && isNegative ? { ...read, value: -read.value } : read;
  if (/^\d+$/.test(digits)) return signed({ value: Number(digits), isEither: false, hasFraction: false });
  const one = /^(\d+)([.,])(\d+)$/.exec(digits);
  if (one) return signed(single(one[1]!, one[2]!, one[3]!, style));
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const [front, back] = [digits.slice(0, last), digits.slice(last + 1)];
  const groups = front.split(/[.,]/);
  if (!groups.slice(1).every((group) => group.length === 3) || groups[0]!.length > 3) return null;
  const signs = new Set(digits.replace(/\d/g, ''));
  if (signs.size === 1 && back.length === 3)
    return signed({ value: Number(groups.join('') + back), isEither: false, hasFraction: false });
  if (signs.size !== 2) return null;
  return signed({ value: Number(`${groups.join('')}.${back}`), isEither: false, hasFraction: true });
};
