import { randomBytes } from 'node:crypto';

/** 128 random bits: who does not have the id does not find the answer. */
export const newAnswerId = (): string => `ans_${randomBytes(16).toString('hex')}`;
