/** Finds the input files of an importer and reads their bytes, decompressed if they are gzip. */
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UnreadableInput } from './unreadable-input.ts';

/** An input file with its display name, which is relative to the given folder. */
export interface InputFile {
  readonly path: string;
  readonly name: string;
}

async function* filesBelow(folder: string, wanted: RegExp): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  // The names of PubMed's update files determine their order.
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) yield* filesBelow(path, wanted);
    else if (!wanted.test(entry.name)) continue;
    // A link to a folder is not followed, because it could form a cycle.
    else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(path)).isFile())) yield path;
  }
}

/** Yields the file itself, whatever its name, or the files below a folder whose names match, sorted. */
export async function* filesUnder(path: string, wanted: RegExp): AsyncGenerator<InputFile> {
  const found = await stat(path);
  if (found.isFile()) {
    yield { path, name: basename(path) };
    return;
  }
  if (!found.isDirectory()) throw new UnreadableInput('is neither a file nor a folder');
  let count = 0;
  for await (const file of filesBelow(path, wanted)) {
    count += 1;
    yield { path: file, name: relative(path, file) };
  }
  if (count === 0) throw new UnreadableInput('is a folder without a file of this kind');
}

const firstBytes = async (path: string): Promise<Buffer> => {
  await using handle = await open(path, 'r');
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  return buffer.subarray(0, bytesRead);
};

/**
 * Yields the bytes of a file, decompressed if it is gzip. Data before a corruption is yielded before the error is thrown: the
 * decompressor buffers at most one block (`readableHighWaterMark` 1), because an error discards its buffer.
 */
export async function* bytesOf(file: InputFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const magic = await firstBytes(file.path);
  if (magic.length === 0) throw new UnreadableInput('is empty');
  const isGzip = magic[0] === 0x1f && magic[1] === 0x8b;
  if (!isGzip && /\.t?gz$/i.test(file.path)) throw new UnreadableInput('is named .gz but holds no gzip data');
  const source = createReadStream(file.path, { signal, highWaterMark: 256 * 1024 });
  const unpack = { readableHighWaterMark: 1, chunkSize: 128 * 1024 };
  const stream = isGzip ? pipeline(source, createGunzip(unpack), () => {}) : source;
  for await (const chunk of stream) {
    signal.throwIfAborted();
    yield chunk as Uint8Array;
  }
}
