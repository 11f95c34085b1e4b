/** Makes a snapshot, stores it where every node can read it, and deletes the oldest ones. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '#core/plugin.ts';
import type { ObjectStore } from '#core/storage/object-store.ts';
import { FOLDER, folderOf, idOfKey, keyOf } from './files.ts';
import { type MadeSnapshot, type Making, writeSnapshot } from './making/write-snapshot.ts';
import { addSnapshot, forgetOldest, markChecked, newestSnapshot, readSnapshots } from './store.ts';

export interface Publishing {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly making: Making;
  /** Local folder for the files until they are stored. */
  readonly workFolder: string;
  /** Number of snapshots to retain. */
  readonly keep: number;
}

/** Longer than a run may take: younger objects may belong to a run in progress. */
const GRACE_MS = 3 * 3_600_000;

const removeObjects = async (objects: ObjectStore, id: string): Promise<void> => {
  for await (const { key } of objects.entries(folderOf(id))) await objects.remove(key);
};

/** Removes objects of runs that were killed before they finished storing or deleting. */
const sweep = async ({ db, objects, making }: Publishing, now = Date.now()): Promise<void> => {
  const known = new Set((await db.read(readSnapshots)).map(({ id }) => id));
  for await (const { key, storedAt } of objects.entries(FOLDER)) {
    making.signal.throwIfAborted();
    if (!known.has(idOfKey(key)) && storedAt.getTime() < now - GRACE_MS) await objects.remove(key);
  }
};

const store = async ({ objects, making }: Publishing, folder: string, made: MadeSnapshot): Promise<void> => {
  for (const { name } of made.files) {
    making.signal.throwIfAborted();
    await objects.putFile(keyOf(made.manifest.id, name), join(folder, name));
  }
};

/** Deletes the rows first, because no one requests files without a row. */
const letGo = async ({ db, objects, keep }: Publishing): Promise<number> => {
  const gone = await db.write((em) => forgetOldest(em, keep));
  for (const id of gone) await removeObjects(objects, id);
  return gone.length;
};

const rowsIn = ({ manifest }: MadeSnapshot): number => manifest.datasets.reduce((sum, { rows }) => sum + rows, 0);

/**
 * Publishes a snapshot unless the data are unchanged. If it is killed at any moment, the published snapshots remain unchanged, or
 * the new one is added completely. Only one call may run across all nodes: the caller holds the lease.
 */
export const publishSnapshot = async (parts: Publishing): Promise<Readonly<Record<string, number>>> => {
  const { db, making, workFolder } = parts;
  const folder = join(workFolder, 'making');
  await rm(folder, { recursive: true, force: true });
  await sweep(parts);
  try {
    const made = await writeSnapshot(making, folder);
    const before = await db.read(newestSnapshot);
    const isSame = before?.digest === made.manifest.digest;
    if (isSame) await db.write((em) => markChecked(em, before.id));
    else {
      await store(parts, folder, made);
      making.signal.throwIfAborted();
      await db.write((em) => addSnapshot(em, made));
    }
    return { made: isSame ? 0 : 1, rows: rowsIn(made), removed: await letGo(parts) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
