/** The files behind a path: itself, those of a folder, or the members of a zip archive, each to be read as a stream. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { bytesOf, filesUnder } from '#core/import/input-files.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { type ZipMember, zipMembers } from '#core/import/zip-members.ts';

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

/** As its ending says: a member may be packed once more. */
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

/** An archive that cannot be opened is one file that cannot be read: those beside it can. */
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
