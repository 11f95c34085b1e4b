/**
 * Reads the members of a ZIP archive from its central directory (ZIP64 too) and decompresses them as streams; no file is
 * extracted.
 */
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import * as yauzl from 'yauzl';
import { UnreadableInput } from './unreadable-input.ts';

export interface ZipMember {
  readonly name: string;
  /** Uncompressed size in bytes, as declared by the archive. */
  readonly size: number;
  readonly modifiedAt: Date;
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Maximum compression ratio: an entry of more than a gigabyte that exceeds it is treated as a decompression bomb. */
const LARGEST_RATIO = 200;
const RATIO_FROM = 1024 ** 3;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

/** The path of an archive, or the bytes of one that was a member of another. */
type ArchiveSource = string | Buffer;

const openFile = promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open);
const openBuffer = promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer);
const openArchive = (source: ArchiveSource, options: yauzl.Options): Promise<yauzl.ZipFile> =>
  typeof source === 'string' ? openFile(source, options) : openBuffer(source, options);

/** Names are displayed and matched, but never used as paths, so they need no validation. */
const OPTIONS = { lazyEntries: false, decodeStrings: false, validateEntrySizes: true } as const;

const nameOf = ({ fileName }: yauzl.Entry): string => Buffer.from(fileName).toString('utf8');

const refuse = (entry: yauzl.Entry): void => {
  const name = nameOf(entry);
  if (entry.generalPurposeBitFlag & 1) throw new UnreadableInput(`holds ${name} under a password`);
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw new UnreadableInput(`holds ${name} packed in a way unknown here`);
  const { uncompressedSize: size, compressedSize: packed } = entry;
  if (size > RATIO_FROM && size > packed * LARGEST_RATIO)
    throw new UnreadableInput(`holds ${name}, which unpacks to over ${LARGEST_RATIO} times its size`);
};

/** Decompresses a member. It opens the archive again for each one, because destroying a partially read stream closes it. */
async function* unpack(source: ArchiveSource, entry: yauzl.Entry, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  refuse(entry);
  const archive = await openArchive(source, { ...OPTIONS, lazyEntries: true, autoClose: false });
  try {
    const stream = await new Promise<Readable>((resolve, reject) =>
      archive.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
    );
    for await (const chunk of stream) {
      signal.throwIfAborted();
      yield chunk as Uint8Array;
    }
  } catch (error) {
    if (/too many bytes in the stream/.test((error as Error).message))
      throw new UnreadableInput(`holds ${nameOf(entry)}, which is larger than its directory says`, { cause: error });
    throw error;
  } finally {
    archive.close();
  }
}

/**
 * Throws when entries overlap. Entries that share their compressed bytes expand each byte of the archive once per entry, so ten
 * megabytes can become terabytes although no single entry is suspicious.
 */
const refuseOverlap = (entries: readonly yauzl.Entry[], archiveBytes: number): void => {
  const packed = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0);
  if (packed > archiveBytes) throw new UnreadableInput('has entries that share their bytes');
};

const entriesOf = async (source: ArchiveSource): Promise<readonly yauzl.Entry[]> => {
  const archive = await openArchive(source, { ...OPTIONS, autoClose: true });
  const entries: yauzl.Entry[] = [];
  await new Promise<void>((resolve, reject) => {
    archive.on('entry', (entry: yauzl.Entry) => entries.push(entry));
    archive.on('end', () => resolve());
    archive.on('error', reject);
  });
  return entries;
};

/**
 * Returns every file in the archive, in the order of its directory.
 * @throws UnreadableInput when it is not a ZIP archive or is truncated.
 */
export const zipMembers = async (source: ArchiveSource): Promise<readonly ZipMember[]> => {
  const entries = await entriesOf(source).catch((error: NodeJS.ErrnoException) => {
    if (error.code) throw error;
    throw new UnreadableInput('is no whole ZIP archive: its directory is missing', { cause: error });
  });
  refuseOverlap(entries, typeof source === 'string' ? (await stat(source)).size : source.length);
  return entries
    .map((entry) => ({
      name: nameOf(entry),
      size: entry.uncompressedSize,
      modifiedAt: entry.getLastModDate(),
      bytes: (signal: AbortSignal) => unpack(source, entry, signal),
    }))
    .filter(({ name }) => !name.endsWith('/'));
};

/** Returns whether the file begins with the signature of a ZIP archive. */
export const isZip = async (path: string): Promise<boolean> => {
  await using handle = await open(path, 'r');
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return bytesRead === 4 && buffer.readUInt32LE(0) === LOCAL;
};
