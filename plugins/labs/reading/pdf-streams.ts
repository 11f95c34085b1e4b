/**
 * Checks how far the streams of a PDF unpack and how deep they nest, before any of them is passed to the library, which unpacks
 * without a limit. Only Flate streams are unpacked here; other filter chains are bounded by their number of filters, and by the
 * memory of the process.
 */
import { constants, inflateSync } from 'node:zlib';
import { ReadingFailure } from './failure.ts';

/** Maximum number of filters. Real files have one or two: ASCII over Flate, Flate over an image. */
const MOST_FILTERS = 4;
const MEGABYTE = 1024 ** 2;
/** Maximum size of an unpacked stream: an image of forty million pixels in three colours. */
const MOST_STREAM_BYTES = 160 * MEGABYTE;
const MOST_BYTES = 512 * MEGABYTE;
/** Maximum size of the dictionary before a stream. */
const DICTIONARY_BYTES = 4_096;
/** Maximum number of streams; a report of thirty pages has some hundred. */
const MOST_STREAMS = 20_000;
/** Size assumed for a damaged stream, because it is unknown how far it was unpacked before the damage. */
const DAMAGED_BYTES = 8 * MEGABYTE;
/**
 * Maximum number of graphics states saved and not restored (`q` without `Q`). PDF 1.7 allows 28, and the library's time is
 * quadratic in their number: 13,600 of them in 1.3 kB took twelve seconds.
 */
const MOST_SAVED = 1_000;
const [SAVE, RESTORE] = [0x71, 0x51];
const STREAM = Buffer.from('stream');
const END = Buffer.from('end');
const [CR, LF] = [0x0d, 0x0a];

const tooLarge = (): ReadingFailure => new ReadingFailure('too_large');

/** Unpacks a stream. Returns null if it is not Flate or is damaged, which the library reports. */
const inflated = (bytes: Buffer): Buffer | null => {
  try {
    return inflateSync(bytes, { maxOutputLength: MOST_STREAM_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    return null;
  }
};

/** Returns the filters of the dictionary that ends at `end`, in the order in which they are applied; [] if they are elsewhere. */
const filtersBefore = (bytes: Buffer, end: number): readonly string[] => {
  const text = bytes.toString('latin1', Math.max(0, end - DICTIONARY_BYTES), end);
  const own = text.slice(text.lastIndexOf(' obj') + 1);
  const [, list, single] = /\/F(?:ilter)?\s*(?:\[([^\]]*)\]|(\/\w+))/.exec(own) ?? [];
  if (own.split('/FlateDecode').length - 1 > MOST_FILTERS) throw tooLarge();
  return (list ?? single ?? '').match(/\/\w+/g) ?? [];
};

/** Returns whether a byte ends an operator: white space, a delimiter, or the end of the stream. */
const isBorder = (byte: number | undefined): boolean =>
  byte === undefined || !(byte > 0x20) || '()<>[]{}/%'.includes(String.fromCharCode(byte));

const refuseDeep = (content: Buffer): void => {
  let depth = 0;
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at];
    if (byte !== SAVE && byte !== RESTORE) continue;
    if (!isBorder(content[at - 1]) || !isBorder(content[at + 1])) continue;
    depth = byte === SAVE ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MOST_SAVED) throw tooLarge();
  }
};

const isFlate = (filter: string | undefined): boolean => filter === '/FlateDecode' || filter === '/Fl';

/**
 * Checks all streams.
 * @throws ReadingFailure `too_large` when a stream, or all together, unpack to more than a report has
 */
export const checkStreams = (bytes: Buffer): void => {
  let [total, streams] = [0, 0];
  // This checks uncompressed streams, wherever they begin and end.
  refuseDeep(bytes);
  for (let at = bytes.indexOf(STREAM); at >= 0; at = bytes.indexOf(STREAM, at + STREAM.length)) {
    let start = at + STREAM.length;
    if (bytes[start] === CR) start += 1;
    if (bytes[start] === LF) start += 1;
    if (start === at + STREAM.length || bytes.subarray(at - END.length, at).equals(END)) continue;
    streams += 1;
    if (streams > MOST_STREAMS) throw tooLarge();
    const filters = filtersBefore(bytes, at);
    if (filters.length > MOST_FILTERS) throw tooLarge();
    let content: Buffer | null = bytes.subarray(start);
    for (const filter of filters) {
      if (!content || !isFlate(filter)) {
        content = null;
        break;
      }
      content = inflated(content);
      total += content?.length ?? DAMAGED_BYTES;
      if (total > MOST_BYTES) throw tooLarge();
    }
    if (content && filters.length) refuseDeep(content);
  }
};
