/**
 * An exclusive file lock that the kernel releases when the process ends. It uses SQLite's file lock because Node has no flock: it
 * works the same on Linux, macOS and Windows and needs no detection of stale locks.
 */
import { DatabaseSync } from 'node:sqlite';

/** Acquires the lock, or returns null when another process holds it. */
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
