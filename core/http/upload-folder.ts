/**
 * Where the files of requests lie while they are handled: DATA_DIR/uploads, in a folder for each process. They may be
 * somebody's laboratory report, so what a killed process left goes when the next one starts.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER_MODE } from '../data-folder.ts';
import { tryLock } from '../db/file-lock.ts';

const LOCK = 'lock';

/** Made when it is first asked for, and held as long as the process lives. */
export const uploadFolder = (dataDir: string): (() => Promise<string>) => {
  let held: Promise<{ path: string; lock: ReturnType<typeof tryLock> }> | null = null;
  const make = async () => {
    const own = join(dataDir, 'uploads', randomUUID());
    const path = join(own, 'files');
    await mkdir(path, { recursive: true, mode: FOLDER_MODE });
    return { path, lock: tryLock(join(own, LOCK)) };
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
