/**
 * Manages the folder for uploaded files while their requests are handled: DATA_DIR/uploads, with a subfolder for each
 * process. The files may be laboratory reports, so the next process deletes what a killed process left.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER_MODE } from '../data-folder.ts';
import { tryLock } from '../db/file-lock.ts';

const LOCK = 'lock';

/** Folders of this process, which are deleted when it exits normally. */
const own = new Set<string>();

const removeOwn = (): void => {
  for (const folder of own) rmSync(folder, { recursive: true, force: true });
};

/** Returns a function that creates the folder on first use and locks it for the lifetime of the process. */
export const uploadFolder = (dataDir: string): (() => Promise<string>) => {
  let held: Promise<{ path: string; lock: ReturnType<typeof tryLock> }> | null = null;
  const make = async () => {
    const folder = join(dataDir, 'uploads', randomUUID());
    const path = join(folder, 'files');
    await mkdir(path, { recursive: true, mode: FOLDER_MODE });
    if (!own.size) process.once('exit', removeOwn);
    own.add(folder);
    return { path, lock: tryLock(join(folder, LOCK)) };
  };
  return async () => {
    held ??= make();
    const { path } = await held;
    // Another process may have deleted the folder before it was locked.
    await mkdir(path, { recursive: true, mode: FOLDER_MODE });
    return path;
  };
};

/** Deletes the folders of processes that no longer run, with their files. */
export const sweepUploads = async (dataDir: string): Promise<void> => {
  const folder = join(dataDir, 'uploads');
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const lock = tryLock(join(path, LOCK));
      if (!lock) continue;
      lock.release();
    }
    await rm(path, { recursive: true, force: true });
  }
};
