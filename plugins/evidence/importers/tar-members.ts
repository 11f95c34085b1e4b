import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { UnreadableInput } from '#core/import/unreadable-input.ts';

/** One file of an archive: its name and its bytes, which must be read before the next member is requested. */
export interface TarMember {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Returns whether the first bytes are those of a tar archive. */
export const isTar = (head: Uint8Array): boolean => Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar';

const reasonOf = (error: unknown): UnreadableInput => {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UnreadableInput || (error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
  if (/unexpected end/i.test(message))
    return new UnreadableInput('ends in the middle of a member: the archive is cut short');
  return new UnreadableInput(`is no readable tar archive from here on (${message.replace(/\.$/, '')})`);
};

/**
 * Wraps a member's bytes so that the reader may stop early. tar-stream treats a destroyed member as a destroyed archive, and its
 * iterator then never settles. The wrapper therefore does not forward `return`, and `rest` reads the bytes that the reader left.
 */
const unbreakable = (
  entry: AsyncIterable<Uint8Array>,
): { bytes: AsyncIterable<Uint8Array>; rest: () => Promise<void> } => {
  const chunks = entry[Symbol.asyncIterator]();
  const rest = async (): Promise<void> => {
    while (!(await chunks.next()).done);
  };
  return { bytes: { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) }, rest };
};

/** Yields the regular files of a tar archive whose names match, as streams; other members are skipped. */
export async function* tarMembers(bytes: AsyncIterable<Uint8Array>, wanted: RegExp): AsyncGenerator<TarMember> {
  const archive = extract();
  const source = Readable.from(bytes, { objectMode: false });
  source.on('error', (error) => archive.destroy(error));
  source.pipe(archive);
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header;
      const base = name.slice(name.lastIndexOf('/') + 1);
      const member = unbreakable(entry as unknown as AsyncIterable<Uint8Array>);
      if (type === 'file' && wanted.test(base) && !base.startsWith('.')) yield { name, bytes: member.bytes };
      await member.rest();
    }
  } catch (error) {
    throw reasonOf(error);
  } finally {
    source.destroy();
  }
}
