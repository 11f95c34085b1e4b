/** Writes a dataset as gzipped JSON Lines; rows are streamed, so that memory does not grow with their number. */
import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { OfferedDataset } from '#core/plugin.ts';

export interface WrittenDataset {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly unpacked_bytes: number;
  readonly unpacked_sha256: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0085': '\\u0085',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * Serializes a row as one line. It escapes U+0085, U+2028 and U+2029, which JSON leaves as they are but which Unicode-aware
 * readers treat as line breaks.
 */
const lineOf = (row: object): string =>
  `${JSON.stringify(row).replace(/[\u0085\u2028\u2029]/g, (end) => ESCAPES[end] ?? '')}\n`;

interface Count {
  rows: number;
  bytes: number;
  readonly hash: Hash;
}
const newCount = (): Count => ({ rows: 0, bytes: 0, hash: createHash('sha256') });

const counted = (count: Count, bytes: Buffer): Buffer => {
  count.bytes += bytes.length;
  count.hash.update(bytes);
  return bytes;
};

async function* textOf(dataset: OfferedDataset, signal: AbortSignal, count: Count): AsyncGenerator<Buffer> {
  for await (const rows of dataset.rows(signal)) {
    signal.throwIfAborted();
    if (!rows.length) continue;
    count.rows += rows.length;
    yield counted(count, Buffer.from(rows.map(lineOf).join('')));
    // Yields to the requests of the same process.
    await breathe();
  }
}

/**
 * Writes the file and resolves once it is flushed to disk. Equal rows give equal bytes, because the gzip header contains no
 * timestamp.
 */
export const writeDataset = async (
  dataset: OfferedDataset,
  path: string,
  signal: AbortSignal,
): Promise<WrittenDataset> => {
  const [text, packed] = [newCount(), newCount()];
  await pipeline(
    textOf(dataset, signal, text),
    createGzip({ level: 6 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) yield counted(packed, chunk);
    },
    createWriteStream(path, { flush: true }),
    { signal },
  );
  return {
    rows: text.rows,
    bytes: packed.bytes,
    sha256: packed.hash.digest('hex'),
    unpacked_bytes: text.bytes,
    unpacked_sha256: text.hash.digest('hex'),
  };
};
