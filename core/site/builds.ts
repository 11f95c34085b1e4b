/** Lists, publishes, rolls back and deletes the builds of a site. */
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '../db/file-lock.ts';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { type About, DamagedIndex, HEADER_BYTES, type IndexNames, openIndex, type SiteIndex } from './site-index.ts';
import { buildDir, type Current, indexPath, isBuildName, packPath, readCurrent, writeCurrent } from './site-layout.ts';

/** Number of builds retained for a roll-back, including the public one, unless their packs exceed PROPORTION. */
const KEPT = 5;
/** The public build and the previous one are retained whatever their size, because a server may still read them. */
const ALWAYS_KEPT = 2;
/** Maximum size of the packs of all builds together, as a multiple of the size of the public build's packs. */
const PROPORTION = 3;
/** Total size below which no build is deleted for its size, in bytes. */
const SENSIBLE = 512 * 1024 * 1024;

export interface ListedBuild extends About {
  readonly build: string;
  readonly isCurrent: boolean;
  readonly isHeld: boolean;
}

/** Returns a build name with a number above that of every build and pack, including those of killed builds. */
export const nextBuild = async (siteDir: string): Promise<string> => {
  const names = [...(await namesIn(siteDir, 'builds')), ...(await namesIn(siteDir, 'packs'))];
  const last = names.reduce((most, name) => Math.max(most, Number(/^b(\d+)/.exec(name)?.[1] ?? 0)), 0);
  return `b${String(last + 1).padStart(6, '0')}`;
};

const namesIn = (siteDir: string, folder: string): Promise<readonly string[]> =>
  readdir(join(siteDir, folder)).catch(() => []);

/** Opens the index of the public build; null when there is none or it is unreadable, so that everything is rendered again. */
export const openCurrent = async (
  siteDir: string,
  log: Log,
): Promise<{ readonly build: string; readonly index: SiteIndex } | null> => {
  const current = await readCurrent(siteDir);
  if (!current) return null;
  try {
    const index = await openIndex(await readFile(indexPath(siteDir, current.build)));
    await arePacksWhole(siteDir, index.names);
    return { build: current.build, index };
  } catch (error) {
    log.warn('site_unreadable', { build: current.build, reason: (error as Error).message });
    return null;
  }
};

const arePacksWhole = async (siteDir: string, { packs }: IndexNames): Promise<void> => {
  for (const { name, bytes } of packs) {
    const { size } = await stat(packPath(siteDir, name));
    if (size !== bytes) throw new DamagedIndex(`${name} has ${size} bytes instead of ${bytes}`);
  }
};

/** Reads only the names of an index; null when the file is not a valid index. */
const namesOf = async (siteDir: string, build: string): Promise<IndexNames | null> => {
  const file = await open(indexPath(siteDir, build), 'r').catch(() => null);
  if (!file) return null;
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    await file.read(header, 0, HEADER_BYTES, 0);
    const names = Buffer.alloc(header.readUInt32LE(8));
    await file.read(names, 0, names.length, HEADER_BYTES);
    return JSON.parse(names.toString());
  } catch {
    return null;
  } finally {
    await file.close();
  }
};

/** Lists the builds, newest first, without the remains of killed builds. */
export const listBuilds = async (siteDir: string): Promise<readonly ListedBuild[]> => {
  const current = await readCurrent(siteDir);
  const names = (await namesIn(siteDir, 'builds')).filter(isBuildName);
  const builds: ListedBuild[] = [];
  for (const name of names.toSorted(byNumber).reverse()) {
    const about = (await namesOf(siteDir, name))?.about;
    const isCurrent = current?.build === name;
    if (about) builds.push({ ...about, build: name, isCurrent, isHeld: isCurrent && current.held });
  }
  return builds;
};

const byNumber = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));

const LOCK_PATIENCE_MS = 30_000;

/** Runs the work under a lock on the site folder, so that one process at a time publishes or deletes builds. */
const alone = async <T>(siteDir: string, work: () => Promise<T>): Promise<T> => {
  await mkdir(siteDir, { recursive: true });
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  for (;;) {
    const lock = tryLock(join(siteDir, 'lock'));
    if (lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (Date.now() > deadline)
      throw new OperatorError(`Another process has been publishing in ${siteDir} for too long.`);
    await sleep(20);
  }
};

/** Makes a build public; returns false when the build is automatic and an operator has rolled back in the meantime. */
export const publish = (
  siteDir: string,
  build: string,
  { isAutomatic }: { readonly isAutomatic: boolean },
): Promise<boolean> =>
  alone(siteDir, async () => {
    if (isAutomatic && (await readCurrent(siteDir))?.held) return false;
    await writeCurrent(siteDir, { build, held: false });
    return true;
  });

/** Allows automatic builds to publish again, whichever build is public. */
export const release = (siteDir: string): Promise<void> =>
  alone(siteDir, async () => {
    const current = await readCurrent(siteDir);
    if (current?.held) await writeCurrent(siteDir, { ...current, held: false });
  });

/**
 * Makes an earlier build public and prevents automatic builds from replacing it.
 * @param wanted name of the build; null for the one before the public build
 * @throws OperatorError when there is no such build or it is damaged
 */
export const rollBack = (siteDir: string, wanted: string | null): Promise<Current> =>
  alone(siteDir, async () => {
    const builds = await listBuilds(siteDir);
    const current = builds.findIndex(({ isCurrent }) => isCurrent);
    const target = wanted === null ? builds[current + 1] : builds.find(({ build }) => build === wanted);
    if (!builds.length || current < 0)
      throw new OperatorError('Nothing is published yet: there is no build to go back to.');
    if (!target && wanted === null)
      throw new OperatorError(
        `There is no build before ${builds[current]?.build}; generate --list shows those that are kept.`,
      );
    if (!target)
      throw new OperatorError(`There is no build ${wanted}; kept are ${builds.map(({ build }) => build).join(', ')}.`);
    const names = await namesOf(siteDir, target.build);
    if (!names) throw new OperatorError(`The index of ${target.build} cannot be read.`);
    await arePacksWhole(siteDir, names).catch((error) => {
      throw new OperatorError(`The build ${target.build} is damaged: ${(error as Error).message}`, { cause: error });
    });
    const now = { build: target.build, held: true };
    await writeCurrent(siteDir, now);
    return now;
  });

/**
 * Deletes builds that are not retained, packs that no retained build uses, and the files left by killed builds and by the
 * previous storage layout.
 */
export const sweep = (siteDir: string): Promise<void> =>
  alone(siteDir, async () => {
    const kept = await keptBuilds(siteDir);
    if (!kept) return;
    for (const name of await namesIn(siteDir, 'builds'))
      if (!kept.builds.has(name)) await remove(join(siteDir, 'builds', name));
    for (const name of await namesIn(siteDir, 'packs'))
      if (!kept.packs.has(name)) await remove(packPath(siteDir, name));
    for (const name of kept.builds)
      for (const file of await readdir(buildDir(siteDir, name)))
        if (file.endsWith('.tmp')) await remove(join(buildDir(siteDir, name), file));
    for (const name of await readdir(siteDir))
      if (name.endsWith('.tmp') || name === 'build-record.json') await remove(join(siteDir, name));
  });

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

interface Kept {
  readonly builds: ReadonlySet<string>;
  readonly packs: ReadonlySet<string>;
}

/** Selects the builds and packs to retain; null when no build is public, so that nothing is deleted. */
const keptBuilds = async (siteDir: string): Promise<Kept | null> => {
  const listed = await listBuilds(siteDir);
  const current = listed.find(({ isCurrent }) => isCurrent);
  if (!current) return null;
  const ordered = [current, ...listed.filter(({ isCurrent }) => !isCurrent)].slice(0, KEPT);
  const builds = new Set<string>();
  const packs = new Map<string, number>();
  let most = SENSIBLE;
  for (const { build } of ordered) {
    const names = await namesOf(siteDir, build);
    if (!names) continue;
    const more = names.packs.filter(({ name }) => !packs.has(name));
    const total = sum(packs.values()) + sum(more.map(({ bytes }) => bytes));
    if (builds.size >= ALWAYS_KEPT && total > most) continue;
    builds.add(build);
    for (const { name, bytes } of more) packs.set(name, bytes);
    if (build === current.build) most = Math.max(SENSIBLE, PROPORTION * total);
  }
  return { builds, packs: new Set(packs.keys()) };
};

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};
