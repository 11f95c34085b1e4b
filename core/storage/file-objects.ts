/**
 * An object store in files of a folder. Files are written to a temporary name and renamed, so that a kill leaves the old or the
 * new object.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { FILE_MODE, FOLDER_MODE } from '../data-folder.ts';
import { checkFolder, checkKey, isObjectKey, typeOfKey } from './object-key.ts';
import type { ObjectEntry, ObjectStore } from './object-store.ts';

/** Folder of partial files; no key begins with a dot. */
const PARTIAL = '.partial';
const HOUR_MS = 3_600_000;

const whenThere = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
};

/** Removes partial files of killed writers; a running one finishes within an hour. */
const sweepPartial = async (folder: string): Promise<void> => {
  for (const name of (await whenThere(readdir(folder))) ?? []) {
    const found = await whenThere(stat(join(folder, name)));
    if (found && found.mtimeMs < Date.now() - HOUR_MS) await rm(join(folder, name), { force: true });
  }
};

const MOVES = 20;

/**
 * Renames the file into its folder. Another process may remove the folder with its last object between the creation and the
 * rename, so this is retried.
 */
const moveInto = async (partial: string, path: string): Promise<void> => {
  for (let left = MOVES; ; left -= 1) {
    try {
      await mkdir(dirname(path), { recursive: true });
      return await rename(partial, path);
    } catch (error) {
      // A recursive mkdir reports ENOTDIR when a parent disappears between its own steps.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ENOENT', 'ENOTDIR'].includes(code) || left <= 1) throw error;
    }
  }
};

/** Writes and syncs a file before it is renamed, so that after a power failure the name never refers to a partial file. */
const writeSafely = async (root: string, path: string, body: () => Uint8Array | Readable): Promise<void> => {
  const partial = join(root, PARTIAL, `${process.pid}-${randomBytes(8).toString('hex')}`);
  await mkdir(dirname(partial), { recursive: true, mode: FOLDER_MODE });
  try {
    const file = await open(partial, 'wx', FILE_MODE);
    try {
      await file.writeFile(body());
      await file.sync();
    } finally {
      await file.close();
    }
    await moveInto(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

/** Removes empty parent folders up to the root, which is kept, because an empty folder would reveal that an object existed. */
const removeEmpty = async (root: string, folder: string): Promise<void> => {
  for (let at = folder; at.startsWith(`${root}${sep}`); at = dirname(at)) {
    const isGone = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
};

async function* walk(root: string, folder: string): AsyncGenerator<ObjectEntry> {
  const found = await whenThere(readdir(join(root, folder), { withFileTypes: true }));
  for (const entry of found ?? []) {
    const key = `${folder}${entry.name}`;
    if (entry.isDirectory()) yield* walk(root, `${key}/`);
    if (!entry.isFile() || !isObjectKey(key)) continue;
    const known = await whenThere(stat(join(root, key)));
    if (known) yield { key, storedAt: known.mtime };
  }
}

/** Builds the object store; `root` is created with the first object. */
export const fileObjects = (root: string): ObjectStore => {
  let swept: Promise<void> | null = null;
  const pathOf = (key: string): string => join(root, checkKey(key));
  const put = async (key: string, body: () => Uint8Array | Readable): Promise<void> => {
    const path = pathOf(key);
    swept ??= sweepPartial(join(root, PARTIAL));
    await swept;
    await writeSafely(root, path, body);
  };
  return {
    kind: 'files',
    put: (key, body) => put(key, () => body),
    putFile: (key, path) => put(key, () => createReadStream(path)),
    get: async (key) => {
      const body = await whenThere(readFile(pathOf(key)));
      return body && { body, type: typeOfKey(key), etag: createHash('sha256').update(body).digest('hex') };
    },
    read: async (key, part) => {
      const file = await whenThere(open(pathOf(key)));
      // An open file can be read to its end, even when it is replaced or removed meanwhile.
      return file?.createReadStream(part && { start: part.first, end: part.last }) ?? null;
    },
    storedAt: async (key) => (await whenThere(stat(pathOf(key))))?.mtime ?? null,
    remove: async (key) => {
      const path = pathOf(key);
      await rm(path, { force: true });
      await removeEmpty(root, dirname(path));
    },
    entries: (folder) => walk(root, checkFolder(folder)),
  };
};
