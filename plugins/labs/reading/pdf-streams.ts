/**
 * Checks how far the streams of a PDF unpack and how deep they nest, before any of them is passed to the library, which unpacks
 * without a limit. All filters except those of pictures are decoded here.
 */
import { ReadingFailure } from './failure.ts';
import { decodeFilter, TooMuch } from './pdf-filters.ts';

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
const END_STREAM = Buffer.from('endstream');
const [CR, LF] = [0x0d, 0x0a];

const tooLarge = (): ReadingFailure => new ReadingFailure('too_large');

const isFlate = (filter: string | undefined): boolean => filter === 'FlateDecode' || filter === 'Fl';

interface StreamHead {
  /** Names of the filters without slashes, in the order in which they are applied; [] if they are elsewhere. */
  readonly filters: readonly string[];
  /** The length in bytes; null if it is elsewhere. */
  readonly length: number | null;
}

/** Reads the dictionary that ends at `end`. */
const readHead = (bytes: Buffer, end: number): StreamHead => {
  const text = bytes.toString('latin1', Math.max(0, end - DICTIONARY_BYTES), end);
  const own = text.slice(text.lastIndexOf(' obj') + 1);
  const [, list, single] = /\/F(?:ilter)?\s*(?:\[([^\]]*)\]|(\/\w+))/.exec(own) ?? [];
  if (own.split('/FlateDecode').length - 1 > MOST_FILTERS) throw tooLarge();
  const [, length] = /\/Length\s+(\d{1,10})(?!\d|\s+\d+\s+R)/.exec(own) ?? [];
  const filters = (list ?? single ?? '').match(/\/\w+/g) ?? [];
  return { filters: filters.map((name) => name.slice(1)), length: length === undefined ? null : Number(length) };
};

/** Returns the bytes of a stream: to its end mark, or as far as its dictionary says if that is further. */
const contentFrom = (bytes: Buffer, start: number, { filters, length }: StreamHead): Buffer => {
  // Flate marks its own end.
  if (isFlate(filters[0])) return bytes.subarray(start);
  const mark = bytes.indexOf(END_STREAM, start);
  return bytes.subarray(start, Math.max(mark < 0 ? bytes.length : mark, start + (length ?? 0)));
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

const unpack = (filter: string, bytes: Buffer): Buffer | null => {
  try {
    return decodeFilter(filter, bytes, MOST_STREAM_BYTES);
  } catch (error) {
    throw error instanceof TooMuch ? tooLarge() : error;
  }
};

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
    const head = readHead(bytes, at);
    const { filters } = head;
    if (filters.length > MOST_FILTERS) throw tooLarge();
    let content: Buffer | null = filters.length ? contentFrom(bytes, start, head) : null;
    for (const filter of filters) {
      if (!content) break;
      // What is read counts as well, so that many streams that overlap are not all read to the end of the file.
      if (!isFlate(filter)) total += content.length;
      content = unpack(filter, content);
      total += content?.length ?? (isFlate(filter) ? DAMAGED_BYTES : 0);
      if (total > MOST_BYTES) throw tooLarge();
    }
    if (content) refuseDeep(content);
  }
};
