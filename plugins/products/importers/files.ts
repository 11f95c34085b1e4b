/**
 * Lists the files under a path: the file itself, those of a folder, or the members of a ZIP archive, each readable as a
 * stream.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { bytesOf, filesUnder } from '#core/import/input-files.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { type ZipMember, zipMembers } from '#core/import/zip-members.ts';

export interface LabelFile {
  /** Display name: relative to the given folder; `archive.zip/member` inside an archive. */
  readonly name: string;
  /** Identity that changes with the file, used to recognize an interrupted run. */
  readonly identity: string;
  /** Modification date of the file; for a member, the date in the archive. */
  readonly modifiedAt: Date;
  readonly inArchive: boolean;
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

const WANTED = /\.(?:csv|json|jsonl|ndjson)(?:\.gz)?$|\.zip$/i;
const MEMBER = /\.(?:csv|json|jsonl|ndjson)(?:\.gz)?$/i;

/** Decompresses a member according to its extension, because a member may be compressed again. */
const unpacked = async function* (member: ZipMember, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const bytes = member.bytes(signal);
  if (!/\.gz$/i.test(member.name)) yield* bytes;
  else yield* pipeline(Readable.from(bytes), createGunzip(), () => undefined);
};

const membersOf = async (path: string): Promise<readonly ZipMember[]> => {
  const members = (await zipMembers(path)).filter(
    ({ name }) => MEMBER.test(name) && !/(?:^|\/)(?:\.|__MACOSX)/.test(name),
  );
  if (!members.length) throw new UnreadableInput('is an archive without a file of this kind');
  return members;
};

/**
 * Yields the members of an archive. An archive that cannot be opened yields one unreadable file, so that the files beside it
 * are still read.
 */
async function* filesOfArchive(path: string, archive: Omit<LabelFile, 'open'>): AsyncGenerator<LabelFile> {
  let members: readonly ZipMember[];
  try {
    members = await membersOf(path);
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
  for (const member of members) {
    yield {
      name: `${archive.name}/${member.name}`,
      identity: `${archive.identity}\0${member.name}`,
      modifiedAt: member.modifiedAt,
      inArchive: true,
      open: (signal) => unpacked(member, signal),
    };
  }
}

/**
 * Yields every file under `path` that may contain labels.
 * @throws UnreadableInput for a folder without any.
 */
export async function* labelFilesUnder(path: string): AsyncGenerator<LabelFile> {
  for await (const file of filesUnder(path, WANTED)) {
    const info = await stat(file.path);
    const identity = `${file.path}\0${info.size}\0${info.mtimeMs}`;
    const known = { name: file.name || basename(file.path), identity, modifiedAt: info.mtime, inArchive: false };
    if (/\.zip$/i.test(file.path)) yield* filesOfArchive(file.path, known);
    else yield { ...known, open: (signal) => bytesOf(file, signal) };
  }
}
