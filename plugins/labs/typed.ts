/** Parses values as people type them: a number with an optional comparator and a comma or point, or a word. */
import type { Comparator } from './report.ts';

export interface Typed {
  readonly value: number | null;
  readonly comparator: Comparator;
  /** The text with normalized spaces, as shown. */
  readonly text: string;
  /** The comma or point may also be a thousands separator: `1,234`. */
  readonly isEither: boolean;
  /** Neither a number nor a word: `5.4.1`. */
  readonly isUnclear: boolean;
}

const SIGNS: Readonly<Record<string, Comparator>> = { '<': '<', '≤': '<', '<=': '<', '>': '>', '≥': '>', '>=': '>' };
const NUMBER = /^(<=|>=|[<>≤≥])?\s*([-−]?\d{1,9}(?:[.,]\d{1,6})?)(?:\s*[x×*]\s*10\s*(?:\^|\*{1,2}|e)\s*(\d{1,2}))?$/i;
/** Matches a number with grouped thousands; of two separators, the last one is the decimal separator. */
const GROUPED = /^(<=|>=|[<>≤≥])?\s*(\d{1,3}(?:([.,' ])\d{3})+(?:[.,]\d{1,6})?)$/;

const plain = (text: string, comparator: Comparator, value: number | null, doubts = {}): Typed => ({
  value,
  comparator,
  text,
  isEither: false,
  isUnclear: false,
  ...doubts,
});

const groupedValue = (digits: string, group: string): number | null => {
  const parts = digits.split(group);
  const last = parts.at(-1) ?? '';
  const decimal = last.search(/[.,]/);
  if (decimal < 0 && parts.length === 2 && /[.,]/.test(group)) return null;
  const whole = [...parts.slice(0, -1), decimal < 0 ? last : last.slice(0, decimal)].join('');
  return Number(decimal < 0 ? whole : `${whole}.${last.slice(decimal + 1)}`);
};

export const readTyped = (typed: string): Typed => {
  const text = typed.normalize('NFC').replace(/\s+/g, ' ').trim();
  const grouped = GROUPED.exec(text);
  if (grouped) {
    const value = groupedValue(grouped[2] ?? '', grouped[3] ?? ',');
    const comparator = SIGNS[grouped[1] ?? ''] ?? '=';
    return plain(text, comparator, value, { isEither: value === null });
  }
  const number = NUMBER.exec(text);
  if (number) {
    const [, sign = '', digits = '', power = '0'] = number;
    const value = Number(digits.replace(',', '.').replace('−', '-')) * 10 ** Number(power);
    return plain(text, SIGNS[sign] ?? '=', Number.isFinite(value) ? value : null);
  }
  return plain(text, '=', null, { isUnclear: text === '' || /\d\D*\d/.test(text) });
};

/** Parses "3,5 - 5,1", "< 200", "> 60" or "3.5 to 5.1"; a bound that cannot be read is null. */
export const readTypedRange = (typed: string): { low: number | null; high: number | null; text: string } => {
  const text = typed.normalize('NFC').replace(/\s+/g, ' ').trim();
  const sides = /^(.+?)\s*(?:-|–|—|to|bis)\s*(.+)$/i.exec(text);
  if (sides) {
    const [low, high] = [readTyped(sides[1] ?? ''), readTyped(sides[2] ?? '')];
    if (low.value !== null && high.value !== null && low.value <= high.value)
      return { low: low.value, high: high.value, text };
  }
  const upTo = /^(?:up to|bis|hasta|jusqu'à)\s+(.+)$/i.exec(text)?.[1];
  if (upTo) return { low: null, high: readTyped(upTo).value, text };
  const one = readTyped(text);
  return {
    low: one.comparator === '>' ? one.value : null,
    high: one.comparator === '<' ? one.value : null,
    text,
  };
};
