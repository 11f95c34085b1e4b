/** Finds the files that an importer needs: single files, in a folder, or in a ZIP archive. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { bytesOf, filesUnder } from '#core/import/input-files.ts';
import { decodeText, expectFormat, type TextFormat } from '#core/import/text-stream.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { isZip, zipMembers } from '#core/import/zip-members.ts';

export interface Member {
  readonly name: string;
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Returns the files whose names match, the one nearest to the top first; a single file matches with any name. */
export const membersAt = async (path: string, wanted: RegExp): Promise<readonly Member[]> => {
  const found: Member[] = [];
  if ((await stat(path)).isFile() && (await isZip(path))) {
    for (const member of await zipMembers(path)) if (wanted.test(member.name)) found.push(member);
    if (!found.length) throw new UnreadableInput(`holds no file of this kind (${wanted.source})`);
  } else {
    for await (const file of filesUnder(path, wanted))
      found.push({ name: file.name, bytes: (signal) => bytesOf(file, signal) });
  }
  const depth = ({ name }: Member): number => name.split('/').length;
  return found.toSorted((a, b) => depth(a) - depth(b) || a.name.length - b.name.length);
};

/** Returns the text of a member without byte order mark, after checking that its start has the expected format. */
export const textOf = (
  member: Member,
  { format, wanted }: { readonly format: TextFormat; readonly wanted: string },
  signal: AbortSignal,
): AsyncIterable<string> => expectFormat(decodeText(member.bytes(signal)).chunks, format, wanted);

/** Returns the location of a member for a message. */
export const placeOf = (path: string, { name }: Member): string =>
  name === basename(path) ? name : `${basename(path)} › ${name}`;
