/**
 * Everything under DATA_DIR is the service's alone: folders 0700, files 0600. It holds health data, tokens and the secret
 * that opens them.
 */
import { chmodSync, type Dirent, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { OperatorError } from './errors.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
/** What any other user than the owner may do. */
const OTHERS = 0o077;
const WRITE_BY_ANYBODY = 0o002;
const WRITE_BY_GROUP = 0o020;

let operatorsMask: number | null = null;

/** What the process and its children make from now on is nobody else's. A thread has the mask of its process. */
export const closeUmask = (): void => {
  if (isMainThread) operatorsMask ??= process.umask(OTHERS);
};

/** The modes of what is written for others to read, outside DATA_DIR: by the mask that the operator started with. */
const publicModes = (): { readonly folder: number; readonly file: number } => {
  const mask = operatorsMask ?? process.umask();
  return { folder: 0o777 & ~mask, file: 0o666 & ~mask };
};

/** Makes a folder that a file server may read, and those above it that are missing. */
export const makePublicFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true });
  for (let at = path; first && at.length >= first.length; at = dirname(at)) await chmod(at, publicModes().folder);
};

export const openFileToPublic = (path: string): Promise<void> => chmod(path, publicModes().file);

/** Opens all that was written below a folder, itself included, to whoever the operator's mask lets in. */
export const openToPublic = (path: string): void => {
  const { folder, file } = publicModes();
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) openToPublic(below);
    else chmodSync(below, file);
  }
  chmodSync(path, folder);
};

/** Null for what went away meanwhile, as another process may be at work there, and for what is closed to us. */
const whenThere = <T>(look: () => T): T | null => {
  try {
    return look();
  } catch (error) {
    if (/^(ENOENT|ENOTDIR|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
};

interface Loose {
  readonly path: string;
  readonly mode: number;
  readonly isFolder: boolean;
}

/** Sockets and links have no content of their own, and the folder around them is closed. */
const looseOf = (path: string, stats: Stats): Loose | null => {
  const isFolder = stats.isDirectory();
  const mode = stats.mode & 0o777;
  return (isFolder || stats.isFile()) && mode & OTHERS ? { path, mode, isFolder } : null;
};

/** Everything under a folder, itself included, that others may read, write or enter. */
export function* looseIn(path: string): Generator<Loose> {
  const stats = whenThere(() => lstatSync(path));
  const loose = stats && looseOf(path, stats);
  if (loose) yield loose;
  if (!stats?.isDirectory()) return;
  const entries: readonly Dirent[] = whenThere(() => readdirSync(path, { withFileTypes: true })) ?? [];
  for (const entry of entries) yield* looseIn(join(path, entry.name));
}

/** Only the owner can, and it is not needed where the folder above is closed: what cannot be changed is for the doctor. */
const tighten = ({ path, isFolder }: Loose): void => {
  whenThere(() => chmodSync(path, isFolder ? FOLDER_MODE : FILE_MODE));
};

const modeText = (mode: number): string => mode.toString(8).padStart(3, '0');

/** Whoever could write there may have put something there: that is not for us to take over. */
const refuseOpenFolder = (path: string): void => {
  const stats = whenThere(() => lstatSync(path));
  if (!stats?.isDirectory()) return;
  const isOurs = stats.uid === process.geteuid?.();
  if (!(stats.mode & WRITE_BY_ANYBODY) && (isOurs || !(stats.mode & WRITE_BY_GROUP))) return;
  throw new OperatorError(
    `Cannot use the data folder ${path}: other users may write to it (mode ${modeText(stats.mode & 0o777)}). Look at what is in it, then run \`chmod -R go-rwx ${path}\` as its owner, or set DATA_DIR_SHARED=on where its volume gives access by other means.`,
  );
};

/**
 * Makes the folder, or closes it with all that is in it.
 * @param isShared its volume decides who may do what: nothing is refused or changed
 * @throws OperatorError when others may write to it
 */
export const openDataFolder = (path: string, isShared: boolean): void => {
  closeUmask();
  // A system without modes has nothing to close.
  if (!isShared && process.platform !== 'win32') {
    refuseOpenFolder(path);
    for (const loose of looseIn(path)) tighten(loose);
  }
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
};
