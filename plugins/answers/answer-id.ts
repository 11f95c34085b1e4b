import { randomBytes } from 'node:crypto';

/** Returns an unguessable id of 128 random bits: without the id, an answer cannot be found. */
export const newAnswerId = (): string => `ans_${randomBytes(16).toString('hex')}`;
