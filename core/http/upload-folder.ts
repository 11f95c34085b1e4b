/**
 * Where the files of requests lie while they are handled: DATA_DIR/uploads, in a folder for each process. They may be
 * somebody's laboratory report, so what a killed process left goes when the next one starts.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER_MODE } from '../data-folder.ts';
import { tryLock } from '../db/file-lock.ts';

const LOCK = 'lock';

/** Of this process: they go when it ends in order. */
const own = new Set<string>();

const removeOwn = (): void => {
  for (const folder of own) rmSync(folder, { recursive: true, force: true });
};

/** Made when it is first asked for, and held as long as the process lives. */
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
    // Another process may have swept it in the moment before it was locked.
    await mkdir(path, { recursive: true, mode: FOLDER_MODE });
    return path;
  };
};

/** Removes folders whose process is no more, files and all. */
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
