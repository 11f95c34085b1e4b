/** Parses the responses of vendors, without assuming the type of any value. */

export type Json = Readonly<Record<string, unknown>>;

/** Returns the object; {} for any other value. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** Returns the objects of a list; [] for any other value. */
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

/** Returns the number; null for any other value. Vendors write 64-bit numbers as strings. */
export const numberOf = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null;
};

/** Returns the string; "" for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Parses `2026-05-25T06:51:00+02:00` to the local day and the offset. Returns null without an offset, because the day is then
 * unknown.
 */
export const localOf = (time: unknown): { readonly day: string; readonly tz: string } | null => {
  const match = /^(\d{4}-\d{2}-\d{2})T[\d:.]+([+-]\d{2}:\d{2})$/.exec(textOf(time));
  return match ? { day: match[1] ?? '', tz: match[2] ?? '' } : null;
};

/** Returns the day at an offset from UTC in seconds; null for an invalid time. */
export const dayAt = (milliseconds: number, offsetSeconds: number): string | null => {
  const time = new Date(milliseconds + offsetSeconds * 1_000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 10);
};

/** Converts `+02:00` to seconds; null for an invalid offset. */
export const secondsOf = (offset: string): number | null => {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(offset);
  if (!match) return offset === 'Z' ? 0 : null;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3_600 + Number(match[3]) * 60);
};

/** Formats 7200 as `+02:00`. */
export const offsetOf = (seconds: number): string => {
  const minutes = Math.abs(Math.round(seconds / 60));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
};

/** Returns the day in a zone such as `Europe/Berlin`; null for an unknown zone. */
export const dayIn = (milliseconds: number, zone: string): string | null => {
  try {
    const fields = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    // The Swedish date format is YYYY-MM-DD.
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...fields }).format(milliseconds);
  } catch {
    return null;
  }
};

/** Returns whether the text is `YYYY-MM-DD` and the day exists. */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
};

const DAY_MS = 86_400_000;

/** Returns the day, `YYYY-MM-DD`, after the given number of days. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Splits a span into pieces of at most the given number of days, newest first. */
export const piecesOf = ({ from, to }: { readonly from: string; readonly to: string }, days: number) => {
  const pieces: { readonly from: string; readonly to: string }[] = [];
  for (let end = to; end >= from; end = plusDays(end, -days)) {
    const start = plusDays(end, 1 - days);
    pieces.push({ from: start > from ? start : from, to: end });
  }
  return pieces;
};
