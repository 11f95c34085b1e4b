/** Watches folders as editors save in them: temporary files, renames and several writes in a row are one change. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, join, sep } from 'node:path';

/** Quiet that ends a change, in milliseconds: an editor empties a file, writes it, and renames. */
const QUIET = 60;

/** What editors leave beside the files: swap files, locks, backups, and vim's test of whether it may write. */
const isScratch = (path: string): boolean => /^[.#]|[~#]$|\.(swp|swx|tmp|bak)$|^4913$/.test(basename(path));

/** `told` gets the paths that changed, with forward slashes and the name of their folder in front, and when it began. */
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
    // A folder that went while it was looked at is told by its parent.
    watcher.on('error', () => undefined);
    return watcher;
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
};
