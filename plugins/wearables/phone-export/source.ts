/** Random access to a file on disk, plaintext or encrypted. */
import { type FileHandle, open } from 'node:fs/promises';
import { cipherAt } from '../counter-mode.ts';
import type { ExportFile } from './reading.ts';

export interface Source {
  readonly bytes: number;
  /** Returns fewer than `length` bytes only at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  /** Yields the bytes from `start` to before `end` in pieces; ends early where the file does. */
  range(start: number, end: number): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Size of a piece in bytes. Larger ones are not faster, and leave more for the garbage collector. */
const PIECE = 64 * 1024;
const NOTHING = Buffer.alloc(0);

const readAt = async (handle: FileHandle, position: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (!bytesRead) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
};

/** Opens a file. Rejects when it does not exist. */
export const openSource = async ({ path, key }: Pick<ExportFile, 'path' | 'key'>): Promise<Source> => {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    bytes: size,
    read: async (position, length) => {
      const bytes = await readAt(handle, position, Math.max(0, Math.min(length, size - position)));
      return key ? cipherAt(key, position).update(bytes) : bytes;
    },
    range: async function* (start, end) {
      const decipher = key ? cipherAt(key, start) : null;
      const pieceAt = (at: number): Promise<Buffer> => {
        const piece = at < end ? readAt(handle, at, Math.min(PIECE, end - at)) : Promise.resolve(NOTHING);
        // A caller that stops early never awaits this promise, so its rejection is handled here.
        piece.catch(() => undefined);
        return piece;
      };
      let next = pieceAt(start);
      for (let at = start; at < end; ) {
        const bytes = await next;
        if (!bytes.length) return;
        at += bytes.length;
        // The next piece is read ahead while the caller processes this one.
        next = pieceAt(at);
        yield decipher ? decipher.update(bytes) : bytes;
      }
    },
    close: () => handle.close(),
  };
};
