/** Watches folders in which editors save: temporary files, renames and several consecutive writes are reported as one change. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, join, sep } from 'node:path';

/** Debounce interval, in milliseconds: an editor truncates a file, writes it, and renames it. */
const QUIET = 60;

/** Returns whether a file is temporary: swap files, locks, backups, and vim's test for write permission. */
const isScratch = (path: string): boolean => /^[.#]|[~#]$|\.(swp|swx|tmp|bak)$|^4913$/.test(basename(path));

/**
 * Watches folders. `told` receives the changed paths, with forward slashes and prefixed with the folder's name, and the start
 * time of the change.
 */
export const watchFolders = (
  folders: Readonly<Record<string, string>>,
  told: (paths: readonly string[], startedAt: number) => void,
): (() => void) => {
  const changed = new Set<string>();
  let [timer, startedAt]: [NodeJS.Timeout | undefined, number] = [undefined, 0];
  const tell = (): void => {
    const paths = [...changed].sort();
    changed.clear();
    told(paths, startedAt);
  };
  const watchers = Object.entries(folders).map(([name, folder]): FSWatcher => {
    const watcher = watch(folder, { recursive: true }, (_, file) => {
      if (!file || isScratch(file)) return;
      if (!changed.size) startedAt = performance.now();
      changed.add(join(name, file).split(sep).join('/'));
      clearTimeout(timer);
      timer = setTimeout(tell, QUIET);
    });
    // When a folder is deleted while it is watched, its parent reports the change.
    watcher.on('error', () => undefined);
    return watcher;
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
};
