import { randomBytes } from 'node:crypto';

let made = 0;

/** Generates ids that sort by creation: milliseconds, then a counter of this process, then random bits. */
export const newId = (prefix: 'wh' | 'evt' | 'dlv', now: number): string => {
  made = (made + 1) % 36 ** 4;
  const place = made.toString(36).padStart(4, '0');
  return `${prefix}_${now.toString(36).padStart(9, '0')}${place}${randomBytes(8).toString('hex')}`;
};
