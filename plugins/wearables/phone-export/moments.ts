/**
 * Parses dates of an export, `2018-12-19 09:58:25 -0600`, without a regular expression or Date, because each of millions of
 * records has two.
 */

/** Date and time. It is reused, so that parsing allocates no objects. */
export interface Moment {
  /** The local day, 2018-12-19 as 20181219. */
  day: number;
  /** Seconds since 1970 in UTC. */
  epoch: number;
  /** Minutes east of UTC. */
  offset: number;
}

/** Parses a date into `into`. Returns false when the text is not a date; `into` is then in an undefined state. */
export type ReadMoment = (text: string | undefined, into: Moment) => boolean;

export const newMoment = (): Moment => ({ day: 0, epoch: 0, offset: 0 });

export const copyMoment = (from: Moment, to: Moment): void => {
  to.day = from.day;
  to.epoch = from.epoch;
  to.offset = from.offset;
};

const LENGTH = 25;
const [SPACE, PLUS, MINUS, COLON, ZERO] = [0x20, 0x2b, 0x2d, 0x3a, 0x30];
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;
const MOST_OFFSET = 14 * 60;
const NO_NUMBER = -10_000;

const digit = (text: string, at: number): number => {
  const value = text.charCodeAt(at) - ZERO;
  return value >= 0 && value <= 9 ? value : NO_NUMBER;
};

/** Parses two digits; negative when they are not a number. */
const two = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

const isShaped = (text: string): boolean =>
  text.length === LENGTH &&
  text.charCodeAt(4) === MINUS &&
  text.charCodeAt(7) === MINUS &&
  text.charCodeAt(10) === SPACE &&
  text.charCodeAt(13) === COLON &&
  text.charCodeAt(16) === COLON &&
  text.charCodeAt(19) === SPACE;

/** Returns the seconds at the start of the day in UTC; NaN for a day that does not exist. */
const secondsOfDay = (day: number): number => {
  const [year, month, date] = [Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100];
  const at = new Date(Date.UTC(year, month - 1, date));
  const isThere = at.getUTCMonth() === month - 1 && at.getUTCDate() === date;
  return isThere && year >= FIRST_YEAR && year <= LAST_YEAR ? at.getTime() / 1000 : Number.NaN;
};

/** Creates a parser, one per file. It caches the last day, because adjacent records mostly have the same one. */
export const createReadMoment = (): ReadMoment => {
  let [knownDay, knownSeconds] = [0, 0];
  return (text, into) => {
    if (text === undefined || !isShaped(text)) return false;
    const day = (two(text, 0) * 100 + two(text, 2)) * 10_000 + two(text, 5) * 100 + two(text, 8);
    const [hour, minute, second] = [two(text, 11), two(text, 14), two(text, 17)];
    const sign = text.charCodeAt(20);
    const [offsetHours, offsetMinutes] = [two(text, 21), two(text, 23)];
    if (day < 0 || hour < 0 || minute < 0 || second < 0 || offsetHours < 0 || offsetMinutes < 0) return false;
    if (hour > 23 || minute > 59 || second > 60 || offsetMinutes > 59) return false;
    const offset = (sign === MINUS ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
    if ((sign !== MINUS && sign !== PLUS) || offset > MOST_OFFSET || offset < -MOST_OFFSET) return false;
    if (day !== knownDay) {
      knownDay = day;
      knownSeconds = secondsOfDay(day);
    }
    into.day = day;
    into.offset = offset;
    into.epoch = knownSeconds + hour * 3600 + minute * 60 + second - offset * 60;
    return !Number.isNaN(knownSeconds);
  };
};

/** Returns the local day of a time, 2018-12-19 as 20181219. */
export const dayAt = (epoch: number, offset: number): number => {
  const at = new Date((epoch + offset * 60) * 1000);
  return at.getUTCFullYear() * 10_000 + (at.getUTCMonth() + 1) * 100 + at.getUTCDate();
};

const padded = (value: number, length = 2): string => String(value).padStart(length, '0');

/** Formats 20181219 as `2018-12-19`. */
export const dayText = (day: number): string =>
  `${padded(Math.floor(day / 10_000), 4)}-${padded(Math.floor(day / 100) % 100)}-${padded(day % 100)}`;

/** Formats -360 as `-06:00`. */
export const offsetText = (offset: number): string =>
  `${offset < 0 ? '-' : '+'}${padded(Math.floor(Math.abs(offset) / 60))}:${padded(Math.abs(offset) % 60)}`;

/** Formats a date as RFC 3339; null when the text is not a date. */
export const momentText = (text: string | undefined): string | null => {
  const moment = newMoment();
  if (text === undefined || !createReadMoment()(text, moment)) return null;
  return `${dayText(moment.day)}T${text.slice(11, 19)}${offsetText(moment.offset)}`;
};
