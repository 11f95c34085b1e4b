/**
 * Decodes the stream filters of PDF (ISO 32000-1, 7.4), each up to a maximum size, so that the unpacked size of a chain of
 * filters is known before the library unpacks it. Filters of pictures (DCT, JPX, JBIG2, CCITT) are not decoded: the library
 * limits these by the size of the picture.
 */
import { constants, inflateSync } from 'node:zlib';

/** Thrown when a stream unpacks to more than its maximum. */
export class TooMuch extends Error {}

type Decode = (bytes: Buffer, most: number) => Buffer;

/** Collects bytes in a buffer that doubles, up to a maximum. */
class Output {
  private bytes = Buffer.allocUnsafe(4_096);
  private length = 0;
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** Reserves room for `count` bytes and returns the position of the first. @throws TooMuch */
  reserve(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.most) throw new TooMuch();
    if (this.length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length));
      this.bytes.copy(larger, 0, 0, at);
      this.bytes = larger;
    }
    return at;
  }

  add(byte: number): void {
    const at = this.reserve(1);
    this.bytes[at] = byte;
  }

  repeat(byte: number, count: number): void {
    const at = this.reserve(count);
    this.bytes.fill(byte, at, this.length);
  }

  copy(from: Buffer): void {
    const at = this.reserve(from.length);
    from.copy(this.bytes, at);
  }

  /** Repeats `count` bytes of the output from `start`, which may overlap the end. */
  again(start: number, count: number): void {
    let at = this.reserve(count);
    for (let from = start; from < start + count; from += 1, at += 1) this.bytes[at] = this.bytes[from] ?? 0;
  }

  get size(): number {
    return this.length;
  }

  whole(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

const flate: Decode = (bytes, most) => {
  try {
    return inflateSync(bytes, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new TooMuch();
    throw error;
  }
};

const END_OF_RUNS = 128;

/** A length byte below 128 announces that many bytes and one more; above 128, one byte that is repeated 257 − length times. */
const runLength: Decode = (bytes, most) => {
  const out = new Output(most);
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? END_OF_RUNS;
    if (length === END_OF_RUNS) break;
    if (length < END_OF_RUNS) {
      out.copy(bytes.subarray(at + 1, at + 2 + length));
      at += 2 + length;
    } else {
      out.repeat(bytes[at + 1] ?? 0, 257 - length);
      at += 2;
    }
  }
  return out.whole();
};

const [CLEAR, END_OF_DATA, FIRST_CODE, MOST_CODES] = [256, 257, 258, 4_096];

/** Codes of 9 to 12 bits; each new code stands for the previous sequence and the first byte of the next one. */
const lzw: Decode = (bytes, most) => {
  const out = new Output(most);
  // A sequence is stored as its place in the output, so that a table entry needs no copy.
  const [starts, lengths] = [new Uint32Array(MOST_CODES), new Uint32Array(MOST_CODES)];
  let [next, width, bits, held] = [FIRST_CODE, 9, 0, 0];
  let previous: { start: number; length: number } | null = null;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xff_ffff;
    bits += 8;
    if (bits < width) continue;
    const code = (held >> (bits - width)) & ((1 << width) - 1);
    bits -= width;
    if (code === END_OF_DATA) break;
    if (code === CLEAR) {
      [next, width, previous] = [FIRST_CODE, 9, null];
      continue;
    }
    const start = out.size;
    if (code < CLEAR) out.add(code);
    else if (code < next) out.again(starts[code] ?? 0, lengths[code] ?? 0);
    else if (previous) out.again(previous.start, previous.length + 1);
    else break;
    if (previous && next < MOST_CODES) {
      // The previous sequence and the byte after it are adjacent in the output.
      starts[next] = previous.start;
      lengths[next] = previous.length + 1;
      next += 1;
    }
    previous = { start, length: out.size - start };
    // Encoders change the width one code early unless the dictionary says otherwise (EarlyChange), which few files do.
    if (next + 1 >= 1 << width && width < 12) width += 1;
  }
  return out.whole();
};

/** Stops at `>`; other characters than digits are white space or damage, which the library skips as well. */
const asciiHex: Decode = (bytes, most) => {
  const end = bytes.indexOf('>');
  const digits = bytes.toString('latin1', 0, end < 0 ? bytes.length : end).replace(/[^0-9a-f]/gi, '');
  if (digits.length / 2 > most) throw new TooMuch();
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex');
};

const [BANG, LETTER_U, LETTER_Z, TILDE] = [0x21, 0x75, 0x7a, 0x7e];

/** Five characters stand for four bytes, and `z` for four zeros. */
const ascii85: Decode = (bytes, most) => {
  const out = new Output(most);
  const flush = (value: number, count: number): void => {
    for (let at = 0; at < count; at += 1) out.add(Math.floor(value / 256 ** (3 - at)) % 256);
  };
  let [value, count] = [0, 0];
  for (const byte of bytes) {
    if (byte === TILDE) break;
    if (byte === LETTER_Z && count === 0) out.repeat(0, 4);
    if (byte < BANG || byte > LETTER_U) continue;
    value = value * 85 + byte - BANG;
    count += 1;
    if (count < 5) continue;
    flush(value, 4);
    [value, count] = [0, 0];
  }
  if (count > 1) {
    for (let at = count; at < 5; at += 1) value = value * 85 + 84;
    flush(value, count - 1);
  }
  return out.whole();
};

const DECODERS: Readonly<Record<string, Decode>> = {
  FlateDecode: flate,
  Fl: flate,
  RunLengthDecode: runLength,
  RL: runLength,
  LZWDecode: lzw,
  LZW: lzw,
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  ASCII85Decode: ascii85,
  A85: ascii85,
};

/**
 * Decodes one filter, named without its slash. Returns null for a filter of pictures, an unknown filter, and damaged data.
 * @throws TooMuch when the result has more than `most` bytes
 */
export const decodeFilter = (name: string, bytes: Buffer, most: number): Buffer | null => {
  try {
    return DECODERS[name]?.(bytes, most) ?? null;
  } catch (error) {
    if (error instanceof TooMuch) throw error;
    return null;
  }
};
