/** Exports the published build as plain files for hosts that serve a folder: `/a/b` becomes a/b.html, `/` becomes index.html. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openToPublic } from '#core/data-folder.ts';
import { OperatorError } from '#core/errors.ts';
import type { Log } from '#core/log.ts';
import { progressBar } from '#core/progress.ts';
import { openCurrent } from '#core/site/builds.ts';
import { openSite } from '#core/site/site-reader.ts';

/** Name of a marker file in each exported folder, which permits replacing the folder. */
const MARK = '.generated';

export interface Export {
  readonly build: string;
  readonly files: number;
  readonly folder: string;
}

interface Wanted {
  readonly siteDir: string;
  readonly folder: string;
  readonly twins: boolean;
  readonly log: Log;
}

/**
 * Writes the files to a temporary folder, which is renamed when it is complete.
 * @throws OperatorError when nothing is published, or when the folder contains other files.
 */
export const exportSite = async ({ siteDir, folder: wanted, twins, log }: Wanted): Promise<Export> => {
  const folder = resolve(wanted);
  const current = await openCurrent(siteDir, log);
  if (!current) throw new OperatorError('Nothing is published yet: run `npm run generate` first.');
  await refuseOthers(folder);
  const partial = `${folder}.partial-${process.pid}`;
  await mkdir(partial, { recursive: true });
  try {
    const files = await writeFiles(siteDir, partial, twins);
    await writeFile(join(partial, MARK), `${current.build}\n`);
    openToPublic(partial);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
    return { build: current.build, files, folder };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
};

const refuseOthers = async (folder: string): Promise<void> => {
  const info = await stat(folder).catch(() => null);
  if (!info) return;
  const names = info.isDirectory() ? await readdir(folder) : null;
  if (!names) throw new OperatorError(`${folder} is a file: give --out a folder.`);
  if (names.length && !names.includes(MARK))
    throw new OperatorError(`${folder} has other files in it: give --out a new folder, or one that it made before.`);
};

/** Returns the file of a published address, relative to the folder. */
export const fileOf = (path: string, type: string): string => {
  if (path === '/') return 'index.html';
  return type.startsWith('text/html') ? `${path.slice(1)}.html` : path.slice(1);
};

const writeFiles = async (siteDir: string, folder: string, twins: boolean): Promise<number> => {
  const [site, current] = [await openSite(siteDir), await openCurrent(siteDir, { warn: () => undefined } as never)];
  const index = current?.index;
  const bar = progressBar('out', index?.count ?? 0);
  const made = new Set<string>();
  let files = 0;
  try {
    for (let number = 0; index && number < index.count; number += 1) {
      const entry = site.find(index.path(number));
      if (!entry) continue;
      const file = join(folder, fileOf(entry.path, entry.type));
      const parent = dirname(file);
      if (!made.has(parent)) mkdirSync(parent, { recursive: true });
      made.add(parent);
      const body = await site.read(entry, 'identity');
      writeFileSync(file, body);
      files += 1;
      if (twins && entry.bytes.br) {
        writeFileSync(`${file}.br`, await site.read(entry, 'br'));
        writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
      }
      bar.update(files, entry.path);
    }
  } finally {
    bar.stop();
    await site.close();
  }
  return files;
};
