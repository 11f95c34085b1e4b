/**
 * Restricts DATA_DIR to the user of the service: folders 0700, files 0600. It contains health data, tokens and the secret that
 * decrypts them.
 */
import { chmodSync, type Dirent, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { OperatorError } from './errors.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
/** Permission bits of users other than the owner. */
const OTHERS = 0o077;
const WRITE_BY_ANYBODY = 0o002;
const WRITE_BY_GROUP = 0o020;

let operatorsMask: number | null = null;

/**
 * Sets the umask, so that only the owner can access files that the process and its children create. Threads share the process's
 * umask.
 */
export const closeUmask = (): void => {
  if (isMainThread) operatorsMask ??= process.umask(OTHERS);
};

/**
 * Returns the modes of files outside DATA_DIR that others may read, which follow the umask with which the operator started the
 * program.
 */
const publicModes = (): { readonly folder: number; readonly file: number } => {
  const mask = operatorsMask ?? process.umask();
  return { folder: 0o777 & ~mask, file: 0o666 & ~mask };
};

/** Creates a folder that a file server may read, with its missing parents. */
export const makePublicFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true });
  for (let at = path; first && at.length >= first.length; at = dirname(at)) await chmod(at, publicModes().folder);
};

export const openFileToPublic = (path: string): Promise<void> => chmod(path, publicModes().file);

/** Opens everything below a folder, and the folder, to the users that the operator's umask permits. */
export const openToPublic = (path: string): void => {
  const { folder, file } = publicModes();
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) openToPublic(below);
    else chmodSync(below, file);
  }
  chmodSync(path, folder);
};

/** Returns null for a file that was removed meanwhile, as another process may work in the folder, and for one without access. */
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

/** Returns the entry when others have access. Sockets and links have no content, and the folder around them is closed. */
const looseOf = (path: string, stats: Stats): Loose | null => {
  const isFolder = stats.isDirectory();
  const mode = stats.mode & 0o777;
  return (isFolder || stats.isFile()) && mode & OTHERS ? { path, mode, isFolder } : null;
};

/** Yields everything under a folder, and the folder, that others may read, write or enter. */
export function* looseIn(path: string): Generator<Loose> {
  const stats = whenThere(() => lstatSync(path));
  const loose = stats && looseOf(path, stats);
  if (loose) yield loose;
  if (!stats?.isDirectory()) return;
  const entries: readonly Dirent[] = whenThere(() => readdirSync(path, { withFileTypes: true })) ?? [];
  for (const entry of entries) yield* looseIn(join(path, entry.name));
}

/**
 * Restricts the mode. Only the owner can do so, and it is unnecessary when the parent folder is closed; failures are left to the
 * doctor.
 */
const tighten = ({ path, isFolder }: Loose): void => {
  whenThere(() => chmodSync(path, isFolder ? FOLDER_MODE : FILE_MODE));
};

const modeText = (mode: number): string => mode.toString(8).padStart(3, '0');

/** Throws when others can write to the folder: they may have put files there, which the program must not adopt. */
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
 * Creates the folder, or restricts the modes of an existing one and its contents.
 * @param isShared the volume controls access: no mode is checked or changed
 * @throws OperatorError when others may write to it
 */
export const openDataFolder = (path: string, isShared: boolean): void => {
  closeUmask();
  // A system without file modes has nothing to restrict.
  if (!isShared && process.platform !== 'win32') {
    refuseOpenFolder(path);
    for (const loose of looseIn(path)) tighten(loose);
  }
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
};
