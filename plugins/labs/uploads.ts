/** Files between their arrival and their reading: sealed in the object store, gone once they are read. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Secrets } from '#core/secrets.ts';
import type { ObjectStore } from '#core/storage/object-store.ts';

const FOLDER = 'lab-uploads/';
const PURPOSE = 'lab_upload';

const keyOf = (reportId: string, at: number): string => `${FOLDER}${reportId}/${at}.bin`;

const reportOf = (key: string): string => key.slice(FOLDER.length).split('/')[0] ?? '';

export interface Uploads {
  /** Answers the SHA-256 of all of them, in hex. */
  put(reportId: string, files: readonly Buffer[]): Promise<string>;
  /** Null for a file that is not there any more. */
  get(reportId: string, files: number): Promise<readonly (Buffer | null)[]>;
  remove(reportId: string, files: number): Promise<void>;
  /** Removes files of reports that wait no longer, or are no more; answers how many. */
  sweep(isWaiting: (reportIds: readonly string[]) => Promise<ReadonlySet<string>>, now?: number): Promise<number>;
}

/** An upload that is under way has its files and no row yet. */
const GRACE_MS = 3_600_000;
const BATCH = 200;

/** Hashing and sealing hold the thread for some milliseconds a file: one at a time, with other requests in between. */
const turns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => T): Promise<T> => {
    const own = last.then(() => setImmediate()).then(work);
    last = own.catch(() => undefined);
    return own;
  };
};

export const labUploads = (objects: ObjectStore, secrets: Secrets, inTurn = turns()): Uploads => ({
  put: async (reportId, files) => {
    const hash = createHash('sha256');
    for (const [at, bytes] of files.entries()) {
      const key = keyOf(reportId, at);
      await inTurn(() => hash.update(bytes));
      await objects.put(key, await inTurn(() => secrets.seal({ purpose: PURPOSE, id: key }, bytes)));
    }
    return hash.digest('hex');
  },
  get: async (reportId, files) => {
    const all: (Buffer | null)[] = [];
    for (let at = 0; at < files; at += 1) {
      const key = keyOf(reportId, at);
      const stored = await objects.get(key);
      all.push(stored && secrets.open({ purpose: PURPOSE, id: key }, stored.body));
    }
    return all;
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
