/**
 * Caches compiled templates on disk beside the installed packages: pug needs 150 ms to compile one of the larger templates,
 * and reading the result takes 1 ms. When the folder is not writable, each process compiles for itself.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Pug from 'pug';
import pugPackage from 'pug/package.json' with { type: 'json' };
import { requireOnce } from '../lazy.ts';

const PROJECT = join(import.meta.dirname, '../..');
const FOLDER = join(PROJECT, 'node_modules/.cache/templates');

/** Loads pug, which is needed only to compile; cached templates are rendered without it. */
const pug = () => requireOnce<typeof Pug>('pug');

/** Part of the cache key; increase it when the way of compiling changes. */
const VERSION = 'compiled-1';

export type Render = (locals: Readonly<Record<string, unknown>>) => string;

interface Source {
  readonly file: string;
  readonly folder: string;
  /** All files of which the template consists, in a fixed order. */
  readonly files: readonly string[];
  /** Digest of these files. */
  readonly closure: string;
}

/** The templates loaded in this process, shared by all runtimes in it. */
const known = new Map<string, Render>();

/** Returns a compiled template. @throws Error of pug, or when the template uses a file that is not in `files` */
export const compiled = (source: Source): Render => {
  const key = keyOf(source);
  const render = known.get(key) ?? stored(key) ?? compileAndStore(source, key);
  known.set(key, render);
  return render;
};

/** Compiles with file and line information for errors, which makes a template slower; the result is never cached. */
export const compiledWithNotes = ({ file, folder }: Source): Render =>
  pug().compileFile(file, { basedir: folder, cache: false, compileDebug: true });

const keyOf = ({ file, closure }: Source): string => {
  const name = createHash('sha256').update(file).digest('hex').slice(0, 12);
  return `${name}-${createHash('sha256').update(`${VERSION} ${closure} ${pugPackage.version}`).digest('hex').slice(0, 32)}`;
};

const endOf = (key: string): string => `\n// ${key}\n`;

/** Reads a compiled template from the cache; null when it is missing or incomplete. */
const stored = (key: string): Render | null => {
  try {
    const code = readFileSync(join(FOLDER, `${key}.js`), 'utf8');
    return code.endsWith(endOf(key)) ? evaluated(code) : null;
  } catch {
    return null;
  }
};

/** Evaluates compiled code in the same way as pug does. */
const evaluated = (code: string): Render => new Function(`${code};return template;`)() as Render;

const compileAndStore = ({ file, folder, files }: Source, key: string): Render => {
  const options = { filename: file, basedir: folder, compileDebug: false, inlineRuntimeFunctions: true };
  const { body, dependencies } = pug().compileClientWithDependenciesTracked(readFileSync(file, 'utf8'), options);
  const unseen = dependencies.filter((other) => !files.includes(other));
  if (unseen.length) throw new Error(`The template ${file} is made of files that were not seen: ${unseen.join(', ')}`);
  const code = `${body}${endOf(key)}`;
  // Templates outside the project are those of tests and are not cached.
  if (file.startsWith(`${PROJECT}/`)) store(key, code);
  return evaluated(code);
};

/** Stores a compiled template and removes its previous versions. */
const store = (key: string, code: string): void => {
  const [name = ''] = key.split('-');
  const temporary = join(FOLDER, `${key}.${randomUUID()}.tmp`);
  try {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(temporary, code, { flag: 'wx' });
    renameSync(temporary, join(FOLDER, `${key}.js`));
    for (const other of readdirSync(FOLDER))
      if (other.startsWith(`${name}-`) && other.endsWith('.js') && !other.startsWith(key))
        rmSync(join(FOLDER, other), { force: true });
  } catch {
    // The folder is not writable, so only this process caches the compiled code.
  }
};
