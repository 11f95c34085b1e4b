/**
 * Stores exports between upload and reading. They are too large for the object store, so they are on this machine's disk, each
 * encrypted under its own key, which is sealed in the row of its import. Without that row a file is unreadable.
 */
import { randomBytes } from 'node:crypto';
import { constants, createReadStream, createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cipherAt, type FileKey } from '../counter-mode.ts';

export type { FileKey } from '../counter-mode.ts';

export interface ImportFiles {
  /** Identifies this disk: an import waits for a server that has its file. */
  readonly place: string;
  /** Encrypts a copy of a plaintext file, which the caller removes. */
  keep(importId: string, path: string): Promise<FileKey>;
  /**
   * Encrypts plaintext pieces and writes them from an offset. Returns the offset of their end. Rejects if the pieces or `onKept`
   * do.
   */
  append(importId: string, key: FileKey, pieces: Pieces): Promise<number>;
  /** Returns the size of the stored file in bytes; 0 without a file. */
  sizeOf(importId: string): Promise<number>;
  /** Returns the first bytes in plaintext, fewer if the file is shorter. */
  startOf(importId: string, key: FileKey, bytes: number): Promise<Buffer>;
  pathOf(importId: string): string;
  isThere(importId: string): Promise<boolean>;
  remove(importId: string): Promise<void>;
  /** Removes the files of imports that no longer wait or no longer exist. Returns how many. */
  sweep(isWaiting: (importIds: readonly string[]) => Promise<ReadonlySet<string>>, now?: number): Promise<number>;
}

export interface Pieces {
  readonly from: number;
  readonly pieces: AsyncIterable<Buffer>;
  /** Called when this number of bytes of the file is on disk. */
  onKept(bytes: number): Promise<void>;
}

/** Creates a key for counter mode, so that a ZIP can be read, and an upload resumed, at any offset. */
export const newFileKey = (): FileKey => ({
  key: randomBytes(32).toString('base64'),
  iv: randomBytes(16).toString('base64'),
});

const PIECE = 1024 * 1024;
/** Minimum age of a file to remove: an upload in progress has its file before its row. */
const GRACE_MS = 3_600_000;
const ENDING = '.bin';

export const importFiles = (dataDir: string): ImportFiles => {
  const folder = join(dataDir, 'wearable-imports');
  const pathOf = (importId: string): string => join(folder, `${importId}${ENDING}`);
  return {
    pathOf,
    place: placeOf(dataDir),
    keep: async (importId, path) => {
      await mkdir(folder, { recursive: true });
      const key = newFileKey();
      await pipeline(
        createReadStream(path, { highWaterMark: PIECE }),
        cipherAt(key, 0),
        createWriteStream(pathOf(importId), { flags: 'wx', mode: 0o600, flush: true, highWaterMark: PIECE }),
      );
      return key;
    },
    append: async (importId, key, pieces) => {
      await mkdir(folder, { recursive: true });
      const handle = await open(pathOf(importId), constants.O_RDWR | constants.O_CREAT, 0o600);
      try {
        return await writeSealed(handle, key, pieces);
      } finally {
        await handle.datasync().finally(() => handle.close());
      }
    },
    sizeOf: (importId) =>
      stat(pathOf(importId)).then(
        ({ size }) => size,
        (error) => {
          if (error.code !== 'ENOENT') throw error;
          return 0;
        },
      ),
    startOf: async (importId, key, bytes) => {
      const handle = await open(pathOf(importId), 'r');
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
        return cipherAt(key, 0).update(buffer.subarray(0, bytesRead));
      } finally {
        await handle.close();
      }
    },
    isThere: (importId) =>
      stat(pathOf(importId)).then(
        () => true,
        () => false,
      ),
    remove: (importId) => rm(pathOf(importId), { force: true }),
    sweep: async (isWaiting, now = Date.now()) => {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ENDING));
      const waiting = await isWaiting(names.map((name) => name.slice(0, -ENDING.length)));
      let removed = 0;
      for (const name of names) {
        const info = await stat(join(folder, name)).catch(() => null);
        if (!info || info.mtimeMs > now - GRACE_MS || waiting.has(name.slice(0, -ENDING.length))) continue;
        await rm(join(folder, name), { force: true });
        removed += 1;
      }
      return removed;
    },
  };
};

const writeSealed = async (handle: FileHandle, key: FileKey, { from, pieces, onKept }: Pieces): Promise<number> => {
  const cipher = cipherAt(key, from);
  let at = from;
  for await (const piece of pieces) {
    const sealed = cipher.update(piece);
    for (let done = 0; done < sealed.length; ) {
      const { bytesWritten } = await handle.write(sealed, done, sealed.length - done, at + done);
      done += bytesWritten;
    }
    at += sealed.length;
    await onKept(at);
  }
  return at;
};

/** Returns a random name that is stored in the folder. */
const placeOf = (dataDir: string): string => {
  const path = join(dataDir, 'place');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(path, randomBytes(16).toString('hex'), { flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
};
