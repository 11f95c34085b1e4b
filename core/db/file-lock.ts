/**
 * An exclusive lock on a file, held by the kernel and gone with the process however it ends. SQLite's own file lock is
 * used because Node has no flock: it works the same on Linux, macOS and Windows and needs no stale-lock guessing.
 */
import { DatabaseSync } from 'node:sqlite';

/** Takes the lock or answers null when another process has it. */
export const tryLock = (path: string): { release(): void } | null => {
  const handle = new DatabaseSync(path);
  try {
    handle.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    handle.close();
    if ((error as { errcode?: number }).errcode === 5) return null;
    throw error;
  }
  return {
    release: () => {
      handle.exec('ROLLBACK');
      handle.close();
    },
  };
};
