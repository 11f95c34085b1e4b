/** Parses dates as reports print them. The order of day and month is never guessed: 03/04/2026 without a hint is ambiguous. */

/** Order of day and month; `both` if it is unknown. */
export type DayOrder = 'day' | 'month' | 'both';

export interface ReadDate {
  /** RFC 3339; null when the order of day and month is ambiguous. */
  readonly day: string | null;
  readonly text: string;
}

const months: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'jan january januar jänner janvier enero ene janv',
    'feb february februar février fevrier febrero févr fév',
    'mar march märz maerz mrz mär mars marzo',
    'apr april avril abril avr abr',
    'may mai mayo',
    'jun june juni juin junio',
    'jul july juli juillet julio juil',
    'aug august août aout agosto ago',
    'sep sept september septembre septiembre',
    'oct october okt oktober octobre octubre',
    'nov november novembre noviembre',
    'dec december dez dezember décembre decembre diciembre dic déc',
  ].flatMap((names, at) => names.split(' ').map((name) => [name, at + 1])),
);

export const isMonth = (word: string): boolean => word.toLowerCase() in months;

const iso = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const numeric = /(?<![\d.,/-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-])/;
const dayFirst =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.)?[ -]?(?:de )?(\p{L}{3,10})\.?,?[ -](?:de )?(\d{4}|\d{2})(?!\d)/iu;
const monthFirst = /(?<!\p{L})(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/iu;

const full = (year: number): number => (year >= 100 ? year : year > 40 ? 1900 + year : 2000 + year);

/** Returns the day, or null if it does not exist. */
const dayOf = (year: number, month: number, day: number): string | null => {
  const at = new Date(Date.UTC(full(year), month - 1, day));
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && full(year) > 1900 && full(year) < 2100;
  return isReal ? at.toISOString().slice(0, 10) : null;
};

const byNumbers = (found: RegExpExecArray, order: DayOrder): string | null => {
  const [a, b, year] = [Number(found[1]), Number(found[3]), Number(found[4])];
  // Points are used where the day comes first.
  const sure: DayOrder = found[2] === '.' ? 'day' : a > 12 ? 'day' : b > 12 ? 'month' : a === b ? 'day' : order;
  if (sure === 'both') return null;
  return sure === 'day' ? dayOf(year, b, a) : dayOf(year, a, b);
};

interface Reading {
  readonly at: number;
  readonly text: string;
  readonly day: string | null;
}

const readings = (text: string, order: DayOrder): Reading[] => {
  const all: Reading[] = [];
  const take = (pattern: RegExp, read: (found: RegExpExecArray) => string | null | undefined): void => {
    for (const found of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      const day = read(found);
      if (day !== undefined) all.push({ at: found.index, text: found[0], day });
    }
  };
  const named = (year: string, month: string, day: string): string | null | undefined => {
    const number = months[month.toLowerCase()];
    return number ? (dayOf(Number(year), number, Number(day)) ?? undefined) : undefined;
  };
  take(iso, (found) => dayOf(Number(found[1]), Number(found[2]), Number(found[3])) ?? undefined);
  take(numeric, (found) => byNumbers(found, order));
  take(dayFirst, (found) => named(found[3]!, found[2]!, found[1]!));
  take(monthFirst, (found) => named(found[3]!, found[1]!, found[2]!));
  return all.sort((a, b) => a.at - b.at);
};

/** Returns all dates of a text, in their order. */
export const datesIn = (text: string, order: DayOrder): ReadDate[] => readings(text, order);

/** Parses a text that consists of a date, optionally with a time; null for any other text. */
export const dateOf = (text: string, order: DayOrder): ReadDate | null => {
  const [found] = readings(text, order);
  if (!found) return null;
  const rest = text.replace(found.text, '').replace(/\d{1,2}:\d{2}(:\d{2})?( ?[ap]m)?/i, '');
  return /\p{L}|\d/u.test(rest) ? null : found;
};

const germanic =
  /\b(?:befund|laborbefund|entnahme|geburtsdatum|geb\.|eingang|résultats?|prélèvement|né[e]? le|laboratoire|resultados?|fecha|extracción|nacimiento|nhs|haemoglobin|gp practice)\b/iu;

/**
 * Determines the order from a date of the report that can be read in only one way, otherwise from its language if that is
 * conclusive.
 */
export const orderOf = (text: string): DayOrder => {
  let day = 0;
  let month = 0;
  for (const found of text.matchAll(/(?<![\d.,/-])(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?![\d/-])/g)) {
    if (Number(found[1]) > 12 && Number(found[2]) <= 12) day += 1;
    if (Number(found[2]) > 12 && Number(found[1]) <= 12) month += 1;
  }
  if (day !== month && Math.min(day, month) === 0) return day > month ? 'day' : 'month';
  if (germanic.test(text)) return 'day';
  return /\bCLIA\b|\b[A-Z]{2} \d{5}(?:-\d{4})?\b/.test(text) ? 'month' : 'both';
};
