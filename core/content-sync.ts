/** Synchronizes content/ into the database by digest: plugins read only the files that changed, in one transaction. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { recordChanges } from './db/change-log.ts';
import { ContentRecord } from './db/entities.ts';
import { withLease } from './db/lease.ts';
import { OperatorError } from './errors.ts';
import type { AnyPlugin, ContentFile, ContentSource } from './plugin.ts';
import type { Runtime } from './runtime.ts';
import { systemContext } from './system-context.ts';

/** Returns all files below `folder` as sorted paths with forward slashes. */
export const listContent = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
};

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

interface Owner {
  readonly plugin: AnyPlugin;
  readonly source: ContentSource;
}

/**
 * Synchronizes all content files.
 * @throws ContentError with file, line and field; the transaction is then rolled back.
 */
export const syncContent = async (runtime: Runtime, folder: string): Promise<{ changed: number; gone: number }> => {
  const owners: Owner[] = runtime.plugins.flatMap((plugin) =>
    (plugin.content ?? []).map((source) => ({ plugin, source })),
  );
  const paths = await listContent(folder);
  const files = await Promise.all(
    paths
      .filter((path) => owners.some(({ source }) => source.matches(path)))
      .map(async (path): Promise<ContentFile> => {
        const text = await readFile(join(folder, path), 'utf8');
        return { path, text, digest: digestOf(text) };
      }),
  );
  const known = await runtime.db.read((em) => em.find(ContentRecord, {}));
  const stale = new Map(known.map((row) => [row.path, row]));
  const isFresh = ({ path, digest }: ContentFile): boolean => stale.get(path)?.digest === digest;
  if (files.every(isFresh) && known.length === files.length) return { changed: 0, gone: 0 };
  const done = await withLease(runtime.db, 'corpus', { waitSeconds: 120 }, () => apply(runtime, owners, files));
  for (const { plugin, source } of owners) source.committed?.(runtime.servicesOf(plugin));
  if (!done)
    throw new OperatorError('content/ could not be synced: an import has been holding the corpus for two minutes.');
  return done.result;
};

const apply = (runtime: Runtime, owners: readonly Owner[], files: readonly ContentFile[]) =>
  runtime.db.write(async (em) => {
    const known = new Map((await em.find(ContentRecord, {})).map((row) => [row.path, row]));
    let [changed, gone] = [0, 0];
    for (const { plugin, source } of owners) {
      const mine = files.filter((file) => source.matches(file.path));
      const fresh = mine.filter((file) => known.get(file.path)?.digest !== file.digest);
      const here = new Set(mine.map((file) => file.path));
      const lost = [...known.values()]
        .filter((row) => row.source === source.id && !here.has(row.path))
        .map((row) => row.path);
      if (!fresh.length && !lost.length) continue;
      await source.sync(systemContext(runtime, plugin, AbortSignal.timeout(600_000)), fresh, lost, em);
      await em.nativeDelete(ContentRecord, { path: { $in: lost } });
      const syncedAt = new Date();
      for (const { path, digest } of fresh)
        await em.upsert(ContentRecord, { path, source: source.id, digest, syncedAt });
      await recordChanges(
        em,
        [...fresh.map((file) => file.path), ...lost].map((path) => ({
          kind: 'content.changed',
          subjectType: 'content',
          subjectId: path,
        })),
      );
      changed += fresh.length;
      gone += lost.length;
    }
    runtime.log.info('content_synced', { changed, gone });
    return { changed, gone };
  });
