/**
 * Defines the files below DATA_DIR/site: `current` names the published build; `builds/<name>/index` is its
 * index; `packs/` contains the bytes, which builds share.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const BUILD = /^b\d{6,}$/;

export interface Current {
  readonly build: string;
  /** Whether an operator rolled back to it: automatic builds then publish nothing until somebody runs `generate`. */
  readonly held: boolean;
}

export const buildDir = (siteDir: string, build: string): string => join(siteDir, 'builds', build);
export const indexPath = (siteDir: string, build: string): string => join(buildDir(siteDir, build), 'index');
export const packPath = (siteDir: string, pack: string): string => join(siteDir, 'packs', pack);

export const isBuildName = (name: string): boolean => BUILD.test(name);

/** Returns whether a path needs no escaping; clients may request other paths in a different spelling. */
export const isSiteAddress = (path: string): boolean => path === '/' || /^(\/[A-Za-z0-9][A-Za-z0-9._~-]*)+$/.test(path);

/** Reads the published build; null before the first one, and for the previous layout (a link to a folder). */
export const readCurrent = async (siteDir: string): Promise<Current | null> => {
  try {
    const { build, held } = JSON.parse(await readFile(join(siteDir, 'current'), 'utf8'));
    return isBuildName(build) ? { build, held: held === true } : null;
  } catch {
    return null;
  }
};

/** Replaces a file atomically and durably: temporary file, fsync, rename, fsync of the folder. */
export const replaceFile = async (path: string, parts: readonly (string | Buffer)[]): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx');
  try {
    for (const part of parts) await writeWhole(file, part);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
};

/** Writes a part in as few system calls as possible; `writeFile` of a file handle uses many small ones. */
const writeWhole = async (file: FileHandle, part: string | Buffer): Promise<void> => {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part;
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten;
};

export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Makes a build public in one atomic step. */
export const writeCurrent = (siteDir: string, current: Current): Promise<void> =>
  replaceFile(join(siteDir, 'current'), [`${JSON.stringify(current)}\n`]);
