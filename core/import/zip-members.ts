/** Members of a ZIP archive, read from its directory at the end and unpacked as they are read; ZIP64 too. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { UnreadableInput } from './unreadable-input.ts';

export interface ZipMember {
  readonly name: string;
  /** Unpacked size in bytes, as the archive says. */
  readonly size: number;
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
/** The directory of an archive with a million members fits. */
const LARGEST_DIRECTORY = 128 * 1024 * 1024;
/** An entry that unpacks to more than this many times its size, and more than a gigabyte, is no honest file. */
const LARGEST_RATIO = 200;
const RATIO_FROM = 1024 ** 3;

const cutShort = (): UnreadableInput => new UnreadableInput('is no whole ZIP archive: its directory is missing');

const readAt = async (handle: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw cutShort();
  return buffer;
};

const big = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

/** Where the directory lies. */
const findDirectory = async (handle: FileHandle): Promise<{ offset: number; length: number }> => {
  const { size } = await handle.stat();
  const tailLength = Math.min(size, 65_557);
  const tail = await readAt(handle, size - tailLength, tailLength);
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== END) at -= 1;
  if (at < 0) throw cutShort();
  const length = tail.readUInt32LE(at + 12);
  const offset = tail.readUInt32LE(at + 16);
  if (offset !== 0xffffffff && length !== 0xffffffff) return { offset, length };
  if (at < 20 || tail.readUInt32LE(at - 20) !== LOCATOR_64) throw cutShort();
  const end = await readAt(handle, big(tail, at - 12), 56);
  if (end.readUInt32LE(0) !== END_64) throw cutShort();
  return { offset: big(end, 48), length: big(end, 40) };
};

/** Sizes and offset that need 64 bits stand in an extra field, in this order, each only where its short form is full. */
const wide = (extra: Buffer, short: readonly number[]): number[] => {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    return short.map((value) => {
      if (value !== 0xffffffff || next + 8 > extra.length) return value;
      next += 8;
      return big(extra, next - 8);
    });
  }
  return [...short];
};

const entriesIn = (directory: Buffer): Entry[] => {
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === DIRECTORY; ) {
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const short = [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)];
    const [size = 0, packedSize = 0, offset = 0] = wide(directory.subarray(nameEnd, extraEnd), short);
    const name = directory.toString('utf8', at + 46, nameEnd);
    const encrypted = (directory.readUInt16LE(at + 8) & 1) === 1;
    entries.push({ name, method: directory.readUInt16LE(at + 10), encrypted, packedSize, size, offset });
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  return entries;
};

async function* unpack(path: string, entry: Entry, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (entry.encrypted) throw new UnreadableInput(`holds ${entry.name} under a password`);
  if (entry.method !== 0 && entry.method !== 8)
    throw new UnreadableInput(`holds ${entry.name} packed in a way unknown here`);
  if (entry.size > RATIO_FROM && entry.size > entry.packedSize * LARGEST_RATIO)
    throw new UnreadableInput(`holds ${entry.name}, which unpacks to over ${LARGEST_RATIO} times its size`);
  if (entry.packedSize === 0) return;
  await using handle = await open(path, 'r');
  const local = await readAt(handle, entry.offset, 30);
  if (local.readUInt32LE(0) !== LOCAL) throw cutShort();
  const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  const source = createReadStream(path, { start, end: start + entry.packedSize - 1, signal });
  const stream = entry.method === 8 ? pipeline(source, createInflateRaw(), () => {}) : source;
  let seen = 0;
  for await (const chunk of stream) {
    signal.throwIfAborted();
    seen += (chunk as Uint8Array).length;
    if (seen > entry.size) throw new UnreadableInput(`holds ${entry.name}, which is larger than its directory says`);
    yield chunk as Uint8Array;
  }
}

/** Every file in the archive, in the order of its directory. @throws UnreadableInput when it is none or is cut short. */
export const zipMembers = async (path: string): Promise<readonly ZipMember[]> => {
  await using handle = await open(path, 'r');
  const { offset, length } = await findDirectory(handle);
  if (length > LARGEST_DIRECTORY) throw new UnreadableInput('has a ZIP directory of over 128 MB');
  return entriesIn(await readAt(handle, offset, length))
    .filter(({ name }) => !name.endsWith('/'))
    .map((entry) => ({ name: entry.name, size: entry.size, bytes: (signal) => unpack(path, entry, signal) }));
};

/** True when the file begins as ZIP archives do. */
export const isZip = async (path: string): Promise<boolean> => {
  await using handle = await open(path, 'r');
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return bytesRead === 4 && buffer.readUInt32LE(0) === LOCAL;
};
