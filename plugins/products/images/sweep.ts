/** Deletes objects without a row, left by an upload that was interrupted before its row was written. */
import type { Database, Job } from '#core/plugin.ts';
import type { ObjectStore } from '#core/storage/object-store.ts';
import { digestOfKey, IMAGE_FOLDER } from './files.ts';
import { rowsOf } from './rows.ts';
import type { HasImages } from './services.ts';

/** Minimum age of such an object in milliseconds: an upload in progress has objects but no row yet. */
const GRACE_MS = 86_400_000;
const BATCH = 500;

const unused = async (db: Database, keys: readonly string[]): Promise<readonly string[]> => {
  const digests = keys.map((key) => digestOfKey(key) ?? '');
  const text = `select distinct sha256 from label_image
    join jsonb_array_elements_text(?::jsonb) wanted on wanted = sha256`;
  const rows = await db.read((em) => rowsOf<{ sha256: string }>(em, text, [JSON.stringify(digests)]));
  const used = new Set(rows.map(({ sha256 }) => sha256));
  return keys.filter((_, at) => !used.has(digests[at] ?? ''));
};

/**
 * Deletes objects that have been unused for a day. Each one is checked again right before, because an upload may have stored
 * it in the meantime.
 */
export const sweepObjects = async (
  { db, objects, signal }: { readonly db: Database; readonly objects: ObjectStore; readonly signal: AbortSignal },
  now = Date.now(),
): Promise<{ readonly seen: number; readonly removed: number }> => {
  const isOld = (storedAt: Date | null): boolean => storedAt !== null && storedAt.getTime() < now - GRACE_MS;
  const counts = { seen: 0, removed: 0 };
  const clear = async (keys: readonly string[]): Promise<void> => {
    for (const key of await unused(db, keys)) {
      if (!isOld(await objects.storedAt(key))) continue;
      await objects.remove(key);
      counts.removed += 1;
    }
  };
  let batch: string[] = [];
  for await (const { key, storedAt } of objects.entries(IMAGE_FOLDER)) {
    signal.throwIfAborted();
    counts.seen += 1;
    if (isOld(storedAt)) batch.push(key);
    if (batch.length < BATCH) continue;
    await clear(batch);
    batch = [];
  }
  await clear(batch);
  return counts;
};

export const sweepJob: Job<HasImages> = {
  id: 'sweep_label_images',
  summary: 'removes stored pictures that belong to no image',
  schedule: '53 2 * * *',
  timeoutSeconds: 1_800,
  run: async ({ services, signal }) => ({ ...(await services.images.sweep(signal)) }),
};
