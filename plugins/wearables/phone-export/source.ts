/** A file on disk, in the clear or under a key, as bytes at any place. */
import { type FileHandle, open } from 'node:fs/promises';
import { cipherAt } from '../counter-mode.ts';
import type { ExportFile } from './reading.ts';

export interface Source {
  readonly bytes: number;
  /** Fewer than `length` only at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  /** From `start` to before `end`, in pieces; ends early where the file does. */
  range(start: number, end: number): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Larger ones are no faster, and what waits for the garbage collector is more. */
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

/** Rejects when the file is not there. */
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
        // Whoever stops in the middle never asks for it.
        piece.catch(() => undefined);
        return piece;
      };
      let next = pieceAt(start);
      for (let at = start; at < end; ) {
        const bytes = await next;
        if (!bytes.length) return;
        at += bytes.length;
        // The disk works while the reader does.
        next = pieceAt(at);
        yield decipher ? decipher.update(bytes) : bytes;
      }
    },
    close: () => handle.close(),
  };
};
