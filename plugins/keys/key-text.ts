/**
 * Generates and hashes the text of a key or of its owner's secret: `ekb_<live|test|admin|owner>_<43 base62 of 256 random
 * bits>_<6 base62 of their CRC-32>`.
 */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 43;
const CHECK_CHARS = 6;

const base62 = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62[Number(rest % 62n)] + text;
  return text;
};

export interface NewKey {
  readonly raw: string;
  readonly hash: string;
  /** The part that may be shown to identify the key. */
  readonly prefix: string;
}

/** Returns the SHA-256 in hexadecimal: the keys are random, so a fast hash is sufficient. */
export const hashKey = (raw: string): string => createHash('sha256').update(raw).digest('hex');

export const isHashOf = (raw: string, hash: string): boolean => {
  const [own, given] = [Buffer.from(hash), Buffer.from(hashKey(raw))];
  return own.length === given.length && timingSafeEqual(own, given);
};

export type KeyKind = 'live' | 'test' | 'admin';

export const newKeyId = (): string => `key_${randomUUID().replaceAll('-', '').slice(0, 20)}`;

/** Returns the kind of a key from its displayed prefix. */
export const kindOf = (prefix: string): KeyKind => (/^ekb_(test|admin)_/.exec(prefix)?.[1] ?? 'live') as KeyKind;

const newSecret = (kind: KeyKind | 'owner'): string => {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_CHARS);
  const head = `ekb_${kind}_${secret}`;
  return `${head}_${base62(BigInt(crc32(head)), CHECK_CHARS)}`;
};

export const newKey = (kind: KeyKind): NewKey => {
  const raw = newSecret(kind);
  return { raw, hash: hashKey(raw), prefix: raw.slice(0, `ekb_${kind}_`.length + 4) };
};

/** Returns a secret that the owner stores separately from the key, so that whoever finds the key does not have it. */
export const newOwnerSecret = (): string => newSecret('owner');
