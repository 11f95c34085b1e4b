/**
 * Exports between their arrival and their reading: too large for the object store, so on this machine's disk, each under a
 * key of its own that stands sealed in the row of its import. Without that row a file is noise.
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Of AES-256 in counter mode, so that a ZIP can be read at any place. */
export interface FileKey {
  /** 32 bytes in base64. */
  readonly key: string;
  /** 16 bytes in base64. */
  readonly iv: string;
}

export interface ImportFiles {
  /** Names this disk: an import waits for a server that has its file. */
  readonly place: string;
  /** Copies a file that lies in the clear; the caller removes that one. */
  keep(importId: string, path: string): Promise<FileKey>;
  pathOf(importId: string): string;
  isThere(importId: string): Promise<boolean>;
  remove(importId: string): Promise<void>;
  /** Removes files of imports that wait no longer, or are no more; answers how many. */
  sweep(isWaiting: (importIds: readonly string[]) => Promise<ReadonlySet<string>>, now?: number): Promise<number>;
}

const PIECE = 1024 * 1024;
/** An upload that is under way has its file and no row yet. */
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
      const [key, iv] = [randomBytes(32), randomBytes(16)];
      await pipeline(
        createReadStream(path, { highWaterMark: PIECE }),
        createCipheriv('aes-256-ctr', key, iv, { highWaterMark: PIECE }),
        createWriteStream(pathOf(importId), { flags: 'wx', mode: 0o600, flush: true, highWaterMark: PIECE }),
      );
      return { key: key.toString('base64'), iv: iv.toString('base64') };
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

/** A random name that stays with the folder. */
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
