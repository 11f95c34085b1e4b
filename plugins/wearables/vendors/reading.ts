/** Takes apart what a vendor answered: nothing of it is believed to be of a kind before it was looked at. */

export type Json = Readonly<Record<string, unknown>>;

/** {} for what is no object. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** Objects of a list; [] for what is no list. */
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

/** Vendors write 64-bit numbers as text. Null for everything else. */
export const numberOf = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null;
};

/** "" for what is no text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Of `2026-05-25T06:51:00+02:00`: the day where the person was, and the offset. Null without an offset: nobody knows the day. */
export const localOf = (time: unknown): { readonly day: string; readonly tz: string } | null => {
  const match = /^(\d{4}-\d{2}-\d{2})T[\d:.]+([+-]\d{2}:\d{2})$/.exec(textOf(time));
  return match ? { day: match[1] ?? '', tz: match[2] ?? '' } : null;
};

/** The day at an offset from UTC in seconds. */
export const dayAt = (milliseconds: number, offsetSeconds: number): string | null => {
  const time = new Date(milliseconds + offsetSeconds * 1_000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 10);
};

/** `+02:00` as seconds; null for what is no offset. */
export const secondsOf = (offset: string): number | null => {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(offset);
  if (!match) return offset === 'Z' ? 0 : null;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3_600 + Number(match[3]) * 60);
};

/** 7200 as `+02:00`. */
export const offsetOf = (seconds: number): string => {
  const minutes = Math.abs(Math.round(seconds / 60));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
};

/** The day in a zone such as `Europe/Berlin`; null when there is no such zone. */
export const dayIn = (milliseconds: number, zone: string): string | null => {
  try {
    const fields = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    // Swedes write dates as we do.
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...fields }).format(milliseconds);
  } catch {
    return null;
  }
};

/** Whether it is `YYYY-MM-DD`, and there is such a day. */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
};

const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` so many days later. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Pieces of a span, none longer than so many days, the newest first. */
export const piecesOf = ({ from, to }: { readonly from: string; readonly to: string }, days: number) => {
  const pieces: { readonly from: string; readonly to: string }[] = [];
  for (let end = to; end >= from; end = plusDays(end, -days)) {
    const start = plusDays(end, 1 - days);
    pieces.push({ from: start > from ? start : from, to: end });
  }
  return pieces;
};
