/** Parses the small values that all label files share. */

/** Removes characters that databases reject: NUL and unpaired surrogates. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim();

export const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? cleanText(value)
    : typeof value === 'number' && Number.isFinite(value)
      ? String(value)
      : '';

/** Returns the non-empty texts of a list. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textOf).filter((text) => text !== '') : [];

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(recordOf) : [];

export const numberOf = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const text = textOf(value).replaceAll(',', '');
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
};

/** Earliest valid day. The first label of the database is from 2011. */
const EARLIEST = '2000-01-01';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const realDay = (day: string): string | null => {
  const time = Date.parse(`${day}T00:00:00Z`);
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
  return isReal && day >= EARLIEST && time < Date.now() + 86_400_000 ? day : null;
};

/**
 * Parses "2025-06-25…", "20250625" or "April 25, 2019" to YYYY-MM-DD. Returns null for no day, an impossible one or a future
 * one (the list of 2019 has one in 3012).
 */
export const dayOf = (text: string): string | null => {
  const trimmed = text.trim();
  const iso = /^(\d{4})-?(\d{2})-?(\d{2})(?:\D|$)/.exec(trimmed);
  if (iso) return realDay(`${iso[1]}-${iso[2]}-${iso[3]}`);
  const [, month = '', day = '', year = ''] = /^([A-Z][a-z]+) (\d{1,2}), (\d{4})$/.exec(trimmed) ?? [];
  const number = MONTHS.indexOf(month) + 1;
  return number ? realDay(`${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`) : null;
};

/**
 * Normalizes a unit without the markup of the database: "Gram(s)" is g, "{Calories}" and "Calorie(s)" are Calories. Returns
 * "" for none.
 */
export const unitOf = (value: unknown): string => {
  const unit = textOf(value).replace(/^\{(.*)\}$/, '$1');
  if (/^gram\(?s?\)?$/i.test(unit)) return 'g';
  if (/^calories?$|^calorie\(s\)$/i.test(unit)) return 'Calories';
  return /^(?:np|none|not present|not provided)$/i.test(unit) ? '' : unit;
};

/** Returns whether a unit means that the label prints no amount. */
export const isNotPrinted = (unit: unknown): boolean => /^(?:np|none|not present|not provided)?$/i.test(textOf(unit));

/** Returns a UNII of ten letters and digits; other values such as "1" are dropped. */
export const uniiOf = (value: unknown): string => {
  const code = textOf(value);
  return /^(?=.*\d)[A-Z0-9]{10}$/.test(code) ? code : '';
};
