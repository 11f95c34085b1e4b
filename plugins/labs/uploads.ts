/** Stores files between upload and reading, sealed in the object store; they are deleted once they are read. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Secrets } from '#core/secrets.ts';
import type { ObjectStore } from '#core/storage/object-store.ts';

const FOLDER = 'lab-uploads/';
const PURPOSE = 'lab_upload';

const keyOf = (reportId: string, at: number): string => `${FOLDER}${reportId}/${at}.bin`;

const reportOf = (key: string): string => key.slice(FOLDER.length).split('/')[0] ?? '';

export interface Uploads {
  /**
   * Seals local files, which the caller removes.
   * @returns the SHA-256 over the bytes of all files, in hex
   */
  put(reportId: string, paths: readonly string[]): Promise<string>;
  /** Returns a file by its index, starting at 0; null if it no longer exists. */
  get(reportId: string, at: number): Promise<Buffer | null>;
  remove(reportId: string, files: number): Promise<void>;
  /** Removes the files of reports that no longer wait or no longer exist. Returns how many. */
  sweep(isWaiting: (reportIds: readonly string[]) => Promise<ReadonlySet<string>>, now?: number): Promise<number>;
}

/** Minimum age of a file to remove: an upload in progress has its files before its row. */
const GRACE_MS = 3_600_000;
const BATCH = 200;

export const labUploads = (objects: ObjectStore, secrets: Secrets): Uploads => ({
  put: async (reportId, paths) => {
    const hash = createHash('sha256');
    for (const [at, from] of paths.entries()) {
      const key = keyOf(reportId, at);
      // The sealed file is beside the upload, so that it is removed with it if the process is killed.
      const to = `${from}.sealed`;
      try {
        await secrets.sealFile(
          { purpose: PURPOSE, id: key },
          { from, to, onPiece: (piece) => void hash.update(piece) },
        );
        await objects.putFile(key, to);
      } finally {
        await rm(to, { force: true });
      }
    }
    return hash.digest('hex');
  },
  get: async (reportId, at) => {
    const key = keyOf(reportId, at);
    const stored = await objects.get(key);
    return stored && secrets.open({ purpose: PURPOSE, id: key }, stored.body);
  },
  remove: async (reportId, files) => {
    for (let at = 0; at < files; at += 1) await objects.remove(keyOf(reportId, at));
  },
  sweep: async (isWaiting, now = Date.now()) => {
    let removed = 0;
    const clear = async (keys: readonly string[]): Promise<void> => {
      const waiting = await isWaiting([...new Set(keys.map(reportOf))]);
      for (const key of keys) {
        if (waiting.has(reportOf(key))) continue;
        await objects.remove(key);
        removed += 1;
      }
    };
    let batch: string[] = [];
    for await (const { key, storedAt } of objects.entries(FOLDER)) {
      if (storedAt.getTime() > now - GRACE_MS) continue;
      batch.push(key);
      if (batch.length < BATCH) continue;
      await clear(batch);
      batch = [];
    }
    await clear(batch);
    return removed;
  },
});
