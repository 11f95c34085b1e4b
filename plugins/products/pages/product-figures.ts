/** Words for readers, and numbers as they are printed, shared by the pages of products. */
import { dayInWords } from '#plugins/evidence/index.ts';

/** To six figures, without a grouping that a label does not have: "1500", "0.4", "3000000000". */
export const figure = (value: number): string => String(Number(value.toPrecision(6)));

const UNITS: Readonly<Record<string, string>> = {
  'milligram(s)': 'mg',
  'gram(s)': 'g',
  'microgram(s)': 'µg',
  mcg: 'µg',
};

/** "milligram(s)" as "mg". */
export const unitWord = (unit: string): string => UNITS[unit.trim().toLowerCase()] ?? unit.trim();

/** "400 mg"; "" for a unit stays without one. */
export const withUnit = (amount: number, unit: string): string => {
  const known = unitWord(unit);
  const shown = amount >= 10_000 ? amount.toLocaleString('en-GB') : figure(amount);
  return known ? `${shown} ${known}` : shown;
};

/** "200 to 2000 IU", or one amount where both ends are the same. */
export const rangeWithUnit = ({ min, max, unit }: { min: number; max: number; unit: string }): string =>
  min === max ? withUnit(min, unit) : `${figure(min)} to ${withUnit(max, unit)}`;

/** A status and the day on which it was true. */
export const marketWord = (onMarket: boolean | null): string =>
  onMarket === null ? 'Unknown' : onMarket ? 'On the market' : 'Off the market';

const days = new Map<string, string>();
/** "10 January 2026"; the same few days stand on thousands of pages. */
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

/** "magnesium, zinc and copper". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** A description for search engines: whole words, at most 155 characters. */
export const shortened = (text: string, most = 155): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/\s+\S*$/, '')}…`;

/** The one thing that must stand wherever products are listed. */
export const DSLD = { name: 'Dietary Supplement Label Database (NIH ODS)', href: 'https://dsld.od.nih.gov/' };
