/** AES-256 in counter mode from any offset of a file; encryption and decryption are the same operation. */
import { createCipheriv } from 'node:crypto';

export interface FileKey {
  /** 32 bytes in base64. */
  readonly key: string;
  /** 16 bytes in base64. */
  readonly iv: string;
}

const BLOCK = 16;
const COUNTER_BITS = 128;

/**
 * Creates a cipher at an offset. Counter mode counts blocks of 16 bytes from the initialization vector, as one number of 128
 * bits.
 */
export const cipherAt = ({ key, iv }: FileKey, position: number) => {
  const first = BigInt(`0x${Buffer.from(iv, 'base64').toString('hex')}`);
  const counter = BigInt.asUintN(COUNTER_BITS, first + BigInt(Math.floor(position / BLOCK)));
  const vector = Buffer.from(counter.toString(16).padStart(2 * BLOCK, '0'), 'hex');
  const cipher = createCipheriv('aes-256-ctr', Buffer.from(key, 'base64'), vector);
  cipher.update(Buffer.alloc(position % BLOCK));
  return cipher;
};
