/** The files behind a path: itself, those of a folder, or the members of a zip archive, each to be read as a stream. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import * as yauzl from 'yauzl';
import { bytesOf, filesUnder } from '#core/import/input-files.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';

export interface LabelFile {
  /** By which a person finds it: relative to the folder given; `archive.zip/member` inside an archive. */
  readonly name: string;
  /** Changes when the file does: enough to know an interrupted run again. */
  readonly identity: string;
  /** The file's own date; of a member, the one that the archive gives. */
  readonly modifiedAt: Date;
  readonly inArchive: boolean;
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

const WANTED = /\.(?:csv|json|jsonl|ndjson)(?:\.gz)?$|\.zip$/i;
const MEMBER = /\.(?:csv|json|jsonl|ndjson)(?:\.gz)?$/i;

/** A member larger than this, unpacked, is no label file. */
const LARGEST_MEMBER = 8 * 1024 ** 3;

const openArchive = promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open);

const membersOf = async (path: string): Promise<readonly yauzl.Entry[]> => {
  const archive = await openArchive(path, { lazyEntries: false, autoClose: true }).catch(() => {
    throw new UnreadableInput('is no zip archive that can be read');
  });
  const entries: yauzl.Entry[] = [];
  await new Promise<void>((resolve, reject) => {
    archive.on('entry', (entry: yauzl.Entry) => entries.push(entry));
    archive.on('end', () => resolve());
    archive.on('error', (error: Error) =>
      reject(new UnreadableInput(`has a damaged table of members (${error.message})`)),
    );
  });
  return entries.filter(({ fileName }) => MEMBER.test(fileName) && !/(?:^|\/)(?:\.|__MACOSX)/.test(fileName));
};

/** Opens the archive anew for each member: a stream that is left half read closes it. */
async function* readMember(path: string, name: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const archive = await openArchive(path, { lazyEntries: true, autoClose: false });
  try {
    const entry = await new Promise<yauzl.Entry>((resolve, reject) => {
      archive.on('entry', (found: yauzl.Entry) => (found.fileName === name ? resolve(found) : archive.readEntry()));
      archive.on('end', () => reject(new UnreadableInput('is gone from its archive')));
      archive.on('error', reject);
      archive.readEntry();
    });
    if (entry.uncompressedSize > LARGEST_MEMBER) throw new UnreadableInput('is far larger than any file of labels');
    const stream = await new Promise<Readable>((resolve, reject) =>
      archive.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
    );
    const unpacked = /\.gz$/i.test(name) ? pipeline(stream, createGunzip(), () => undefined) : stream;
    for await (const chunk of unpacked) {
      signal.throwIfAborted();
      yield chunk as Uint8Array;
    }
  } finally {
    archive.close();
  }
}

/** An archive that cannot be opened is one file that cannot be read: those beside it can. */
async function* filesOfArchive(path: string, archive: Omit<LabelFile, 'open'>): AsyncGenerator<LabelFile> {
  let entries: readonly yauzl.Entry[];
  try {
    entries = await membersOf(path);
    if (!entries.length) throw new UnreadableInput('is an archive without a file of this kind');
  } catch (error) {
    yield {
      ...archive,
      // biome-ignore lint/correctness/useYield: it fails before there is anything to give
      open: async function* () {
        throw error;
      },
    };
    return;
  }
  for (const entry of entries) {
    yield {
      name: `${archive.name}/${entry.fileName}`,
      identity: `${archive.identity}\0${entry.fileName}`,
      modifiedAt: entry.getLastModDate(),
      inArchive: true,
      open: (signal) => readMember(path, entry.fileName, signal),
    };
  }
}

/** Every file behind `path` that may hold labels. @throws UnreadableInput for a folder without any. */
export async function* labelFilesUnder(path: string): AsyncGenerator<LabelFile> {
  for await (const file of filesUnder(path, WANTED)) {
    const info = await stat(file.path);
    const identity = `${file.path}\0${info.size}\0${info.mtimeMs}`;
    const known = { name: file.name || basename(file.path), identity, modifiedAt: info.mtime, inArchive: false };
    if (/\.zip$/i.test(file.path)) yield* filesOfArchive(file.path, known);
    else yield { ...known, open: (signal) => bytesOf(file, signal) };
  }
}
