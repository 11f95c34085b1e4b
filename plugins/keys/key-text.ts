/** The text of a key: `ekb_<live|test|admin>_<43 base62 of 256 random bits>_<6 base62 of their CRC-32>`. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
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
  /** What may be shown to recognise the key. */
  readonly prefix: string;
}

/** SHA-256 in hex: the keys are random, so a fast hash is enough. */
export const hashKey = (raw: string): string => createHash('sha256').update(raw).digest('hex');

export type KeyKind = 'live' | 'test' | 'admin';

export const newKeyId = (): string => `key_${randomUUID().replaceAll('-', '').slice(0, 20)}`;

/** What a shown prefix says of its key. */
export const kindOf = (prefix: string): KeyKind => (/^ekb_(test|admin)_/.exec(prefix)?.[1] ?? 'live') as KeyKind;

export const newKey = (kind: KeyKind): NewKey => {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_CHARS);
  const head = `ekb_${kind}_${secret}`;
  const raw = `${head}_${base62(BigInt(crc32(head)), CHECK_CHARS)}`;
  return { raw, hash: hashKey(raw), prefix: raw.slice(0, `ekb_${kind}_`.length + 4) };
};
