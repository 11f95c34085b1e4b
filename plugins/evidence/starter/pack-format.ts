/**
 * Format of the starter corpus file: one line of plain JSON with the header, then a Brotli stream of JSON lines. The first line
 * of the stream lists all words of the abstracts, most frequent first. Every other line is one record, which refers to its words
 * by their positions in that list.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { emptyRecord, type PackedReading, type SourceRecord } from '../source-record.ts';

export const PACK_FORMAT = 'supplement-evidence-corpus';
/** Version of the format. Raise it when a reader of the previous version could not read the file. */
export const PACK_VERSION = 1;
/** Maximum unpacked size, in bytes; a larger file is not a valid corpus. */
const MOST_BYTES = 512 * 1024 * 1024;

export interface PackHeader {
  readonly format: typeof PACK_FORMAT;
  readonly version: number;
  readonly records: number;
  /** Version of the abstract reader and of the vocabulary with which the records were packed. */
  readonly read_by: string;
  /** SHA-256 of all bytes after this line, as hex. */
  readonly sha256: string;
}

/** A record in the file. Empty fields are omitted, and `packed.words` is encoded as positions in the word list. */
type PackedLine = Partial<Omit<SourceRecord, 'packed'>> & {
  readonly packed: Omit<PackedReading, 'words'>;
  readonly words: string;
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const countOf = (terms: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** Encodes words as "3 1 4*2": differences between ascending positions, with the number of occurrences when it exceeds one. */
const encodeWords = (words: string, places: ReadonlyMap<string, number>): string => {
  const counts = countOf(words.split(' ').filter(Boolean));
  const entries = [...counts].map(([term, count]) => [places.get(term) as number, count] as const);
  let previous = -1;
  return entries
    .sort(([a], [b]) => a - b)
    .map(([place, count]) => {
      const distance = place - previous;
      previous = place;
      return count > 1 ? `${distance}*${count}` : String(distance);
    })
    .join(' ');
};

const decodeWords = (coded: string, list: readonly string[]): string => {
  const words: string[] = [];
  let place = -1;
  for (const part of coded.split(' ').filter(Boolean)) {
    const [distance, count = 1] = part.split('*').map(Number);
    place += distance as number;
    const word = list[place];
    if (word === undefined || !(count > 0 && count < 1_000))
      throw new UnreadableInput('names a word that it does not list');
    for (let at = 0; at < count; at += 1) words.push(word);
  }
  // The list is ordered by frequency, but the words of a record are in alphabetical order.
  return words.sort().join(' ');
};

/** Lists all words, most frequent first, so that most differences are short. */
const listWords = (records: readonly SourceRecord[]): string[] => {
  const documents = new Map<string, number>();
  for (const record of records)
    for (const term of new Set(record.packed?.words.split(' ').filter(Boolean)))
      documents.set(term, (documents.get(term) ?? 0) + 1);
  return [...documents].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([term]) => term);
};

const lineOf = (record: SourceRecord, places: ReadonlyMap<string, number>): string => {
  const { packed, ...fields } = record;
  if (!packed) throw new Error('A record without a reading cannot be packed');
  const { words, ...reading } = packed;
  const told = Object.entries(fields).filter(
    ([name, value]) => name !== 'origin' && !isEmpty(value) && value !== 'none',
  );
  return JSON.stringify({ ...Object.fromEntries(told), packed: reading, words: encodeWords(words, places) });
};

/** Returns the bytes of a corpus file; equal records give equal bytes. */
export const encodePack = async (records: readonly SourceRecord[], readBy: string): Promise<Buffer> => {
  const terms = listWords(records);
  const places = new Map(terms.map((term, place) => [term, place]));
  const lines = [terms.join(' '), ...records.map((record) => lineOf(record, places))];
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  const body = await promisify(brotliCompress)(text, { params });
  const header: PackHeader = {
    format: PACK_FORMAT,
    version: PACK_VERSION,
    records: records.length,
    read_by: readBy,
    sha256: sha256(body),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
};

const headerOf = (bytes: Buffer): { header: PackHeader; body: Buffer } => {
  const end = bytes.subarray(0, 4_096).indexOf(0x0a);
  let header: Partial<PackHeader> | null = null;
  try {
    header = end < 0 ? null : JSON.parse(bytes.subarray(0, end).toString('utf8'));
  } catch {
    // Text that is not JSON is reported below.
  }
  if (header?.format !== PACK_FORMAT) throw new UnreadableInput('is no file of a starter corpus');
  if (header.version !== PACK_VERSION)
    throw new UnreadableInput(`has format version ${header.version}; this program reads version ${PACK_VERSION}`);
  const body = bytes.subarray(end + 1);
  if (sha256(body) !== header.sha256)
    throw new UnreadableInput('does not match its own checksum: it is truncated or was changed');
  return { header: header as PackHeader, body };
};

/** Reads the description of a corpus file and verifies its checksum. @throws UnreadableInput with one sentence. */
export const readPackHeader = (bytes: Buffer): PackHeader => headerOf(bytes).header;

/** Yields the records of a corpus file in order. @throws UnreadableInput with one sentence. */
export async function* decodePack(bytes: Buffer): AsyncGenerator<SourceRecord> {
  const { body } = headerOf(bytes);
  const text = (await promisify(brotliDecompress)(body, { maxOutputLength: MOST_BYTES })).toString('utf8');
  const lines = text.split('\n');
  const list = (lines[0] ?? '').split(' ');
  for (const line of lines.slice(1)) {
    if (line === '') continue;
    const { packed, words, ...fields } = JSON.parse(line) as PackedLine;
    yield { ...emptyRecord('corpus'), ...fields, packed: { ...packed, words: decodeWords(words, list) } };
  }
}
