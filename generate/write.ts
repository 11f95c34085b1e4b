/** Files of a build: written whole, linked when unchanged, published by moving one link. */

import { linkSync, writeFileSync } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const pack = { br: promisify(brotliCompress), gz: promisify(gzip) };
const compress = {
  br: (body: Buffer) =>
    pack.br(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        // No wider than the page: the default window of 4 MB costs half as much time again.
        [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length)))),
      },
    }),
  gz: (body: Buffer) => pack.gz(body, { level: 6 }),
};
/** Below this size a compressed twin saves no packet. */
const WORTH_COMPRESSING = 1_200;
const TWINS = ['.gz', '.br'] as const;

/** Temporary file, fsync, rename: readers see the old text or the new one. */
export const replaceFile = async (path: string, text: string | Buffer): Promise<void> => {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
};

const madeFolders = new Set<string>();

const ensureFolder = async (folder: string): Promise<void> => {
  if (madeFolders.has(folder)) return;
  await mkdir(folder, { recursive: true });
  madeFolders.add(folder);
};

/**
 * Writes a file and its compressed twins into a build that nobody reads yet. Small files are written at once: handing
 * each step to another thread takes three times as long as the step.
 */
export const writePage = async (folder: string, file: string, text: string | Buffer): Promise<void> => {
  const path = join(folder, file);
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  await ensureFolder(dirname(path));
  writeFileSync(path, body);
  if (body.length < WORTH_COMPRESSING) return;
  const [gz, br] = await Promise.all([compress.gz(body), compress.br(body)]);
  writeFileSync(`${path}.gz`, gz);
  writeFileSync(`${path}.br`, br);
};

/** Takes a file over from the build before, twins and all; false when it is not there. */
export const linkPage = async (from: string, to: string, file: string): Promise<boolean> => {
  const target = join(to, file);
  await ensureFolder(dirname(target));
  try {
    linkSync(join(from, file), target);
  } catch {
    return false;
  }
  for (const twin of TWINS) {
    try {
      linkSync(join(from, `${file}${twin}`), `${target}${twin}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return true;
};

/** The text of a page of an earlier build, to compare bytes with. */
export const readPage = (folder: string, file: string): Promise<string | null> =>
  readFile(join(folder, file), 'utf8').catch(() => null);

export const currentBuild = async (siteDir: string): Promise<string | null> => {
  const target = await readlink(join(siteDir, 'current')).catch(() => null);
  const name = target?.replace(/^builds\//, '') ?? null;
  const there = name && (await lstat(join(siteDir, 'builds', name)).catch(() => null));
  return there ? name : null;
};

/** The one step that makes a build public. */
export const publish = async (siteDir: string, build: string): Promise<void> => {
  const temporary = join(siteDir, `current.${process.pid}.tmp`);
  await rm(temporary, { force: true });
  await symlink(join('builds', build), temporary);
  await rename(temporary, join(siteDir, 'current'));
};

/** A number above every folder there is, killed builds included. */
export const nextBuild = async (siteDir: string): Promise<string> => {
  await mkdir(join(siteDir, 'builds'), { recursive: true });
  const names = await readdir(join(siteDir, 'builds'));
  const last = Math.max(0, ...names.map((name) => Number(/^b(\d+)$/.exec(name)?.[1] ?? 0)));
  return `b${String(last + 1).padStart(6, '0')}`;
};

/** Removes all builds but the named ones, and what killed builds left. */
export const sweep = async (siteDir: string, keep: readonly string[]): Promise<void> => {
  for (const name of await readdir(join(siteDir, 'builds'))) {
    if (!keep.includes(name)) await rm(join(siteDir, 'builds', name), { recursive: true, force: true });
  }
  for (const name of await readdir(siteDir)) if (name.endsWith('.tmp')) await rm(join(siteDir, name), { force: true });
};
