/**
 * Where things lie below DATA_DIR/site: `current` names the published build; `builds/<name>/index` is its
 * index; `packs/` has the bytes, which builds share.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const BUILD = /^b\d{6,}$/;

export interface Current {
  readonly build: string;
  /** An operator rolled back to it: automatic builds publish nothing until somebody generates by hand. */
  readonly held: boolean;
}

export const buildDir = (siteDir: string, build: string): string => join(siteDir, 'builds', build);
export const indexPath = (siteDir: string, build: string): string => join(buildDir(siteDir, build), 'index');
export const packPath = (siteDir: string, pack: string): string => join(siteDir, 'packs', pack);

export const isBuildName = (name: string): boolean => BUILD.test(name);

/** Plain addresses only: what is published under another would not be asked for as it is written. */
export const isSiteAddress = (path: string): boolean => path === '/' || /^(\/[A-Za-z0-9][A-Za-z0-9._~-]*)+$/.test(path);

/** Null before the first build, and for the layout of before (a link to a folder). */
export const readCurrent = async (siteDir: string): Promise<Current | null> => {
  try {
    const { build, held } = JSON.parse(await readFile(join(siteDir, 'current'), 'utf8'));
    return isBuildName(build) ? { build, held: held === true } : null;
  } catch {
    return null;
  }
};

/** Temporary file, fsync, rename, and the folder's own fsync: a reader sees the old text or the new one, a power cut too. */
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

/** In as few steps as the system likes: `writeFile` of a handle goes in many small ones. */
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

/** The one step that makes a build public. */
export const writeCurrent = (siteDir: string, current: Current): Promise<void> =>
  replaceFile(join(siteDir, 'current'), [`${JSON.stringify(current)}\n`]);
