/** Formats words and numbers for the pages of products. */
import { dayInWords } from '#plugins/evidence/index.ts';

/** Formats to six significant figures without digit grouping, as on labels: "1500", "0.4", "3000000000". */
export const figure = (value: number): string => String(Number(value.toPrecision(6)));

const UNITS: Readonly<Record<string, string>> = {
  'milligram(s)': 'mg',
  'gram(s)': 'g',
  'microgram(s)': 'µg',
  mcg: 'µg',
};

/** Returns the short form of a unit: "mg" for "milligram(s)". */
export const unitWord = (unit: string): string => UNITS[unit.trim().toLowerCase()] ?? unit.trim();

/** Formats an amount with its unit: "400 mg". An empty unit is omitted. */
export const withUnit = (amount: number, unit: string): string => {
  const known = unitWord(unit);
  const shown = amount >= 10_000 ? amount.toLocaleString('en-GB') : figure(amount);
  return known ? `${shown} ${known}` : shown;
};

/** Formats a range: "200 to 2000 IU", or one amount when both ends are equal. */
export const rangeWithUnit = ({ min, max, unit }: { min: number; max: number; unit: string }): string =>
  min === max ? withUnit(min, unit) : `${figure(min)} to ${withUnit(max, unit)}`;

/** Returns a market status in words. */
export const marketWord = (onMarket: boolean | null): string =>
  onMarket === null ? 'Unknown' : onMarket ? 'On the market' : 'Off the market';

const days = new Map<string, string>();
/** Formats a day: "10 January 2026". Results are cached, because the same few days occur on thousands of pages. */
export const dayWords = (day: string | null): string => {
  if (!day) return '';
  const known = days.get(day);
  if (known !== undefined) return known;
  const words = dayInWords(day);
  if (days.size < 5_000) days.set(day, words);
  return words;
};

const ORIGIN_WORDS: Readonly<Record<string, string>> = {
  'dsld-json': 'label file of the database',
  'dsld-amounts': 'list of labels with amounts',
  'dsld-mineral': 'list of mineral labels',
  'dsld-csv': 'download of the database',
  'dsld-list': 'product list of 2019',
};
export const originWord = (origin: string): string => ORIGIN_WORDS[origin] ?? origin;

/** Joins names: "magnesium, zinc and copper". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Shortens a description for search engines to whole words and at most 155 characters. */
export const shortened = (text: string, most = 155): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/\s+\S*$/, '')}…`;

/** Attribution that is required wherever products are listed. */
export const DSLD = { name: 'Dietary Supplement Label Database (NIH ODS)', href: 'https://dsld.od.nih.gov/' };
