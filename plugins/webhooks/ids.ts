import { randomBytes } from 'node:crypto';

/** Ids that sort by the time they were made, as their first nine letters are milliseconds. */
export const newId = (prefix: 'wh' | 'evt' | 'dlv', now: number): string =>
  `${prefix}_${now.toString(36).padStart(9, '0')}${randomBytes(8).toString('hex')}`;
