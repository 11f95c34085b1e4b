/** AES-256 in counter mode from any place of a file: what it seals at a place it also opens there. */
import { createCipheriv } from 'node:crypto';

export interface FileKey {
  /** 32 bytes in base64. */
  readonly key: string;
  /** 16 bytes in base64. */
  readonly iv: string;
}

const BLOCK = 16;
const COUNTER_BITS = 128;

/** Counter mode counts blocks of 16 bytes from its first vector, as one number of 128 bits. */
export const cipherAt = ({ key, iv }: FileKey, position: number) => {
  const first = BigInt(`0x${Buffer.from(iv, 'base64').toString('hex')}`);
  const counter = BigInt.asUintN(COUNTER_BITS, first + BigInt(Math.floor(position / BLOCK)));
  const vector = Buffer.from(counter.toString(16).padStart(2 * BLOCK, '0'), 'hex');
  const cipher = createCipheriv('aes-256-ctr', Buffer.from(key, 'base64'), vector);
  cipher.update(Buffer.alloc(position % BLOCK));
  return cipher;
};
