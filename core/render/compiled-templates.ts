/**
 * Compiled templates, kept beside the installed packages: compiling one of the larger takes pug 150 ms, reading it 1 ms.
 * Where nothing can be written there, each process compiles for itself.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Pug from 'pug';
import pugPackage from 'pug/package.json' with { type: 'json' };
import { requireOnce } from '../lazy.ts';

const PROJECT = join(import.meta.dirname, '../..');
const FOLDER = join(PROJECT, 'node_modules/.cache/templates');

/** Only to compile: what is kept beside the packages is rendered without it. */
const pug = () => requireOnce<typeof Pug>('pug');

/** Raise it when the way of compiling changes. */
const VERSION = 'compiled-1';

export type Render = (locals: Readonly<Record<string, unknown>>) => string;

interface Source {
  readonly file: string;
  readonly folder: string;
  /** All files that the template is made of, in a fixed order. */
  readonly files: readonly string[];
  /** Digest of these files. */
  readonly closure: string;
}

/** Of this process; services that run side by side share them. */
const known = new Map<string, Render>();

/** @throws Error of pug, or when a template is made of a file that is not among `files`. */
export const compiled = (source: Source): Render => {
  const key = keyOf(source);
  const render = known.get(key) ?? stored(key) ?? compileAndStore(source, key);
  known.set(key, render);
  return render;
};

/** With notes of file and line, which make a template slower; never kept. */
export const compiledWithNotes = ({ file, folder }: Source): Render =>
  pug().compileFile(file, { basedir: folder, cache: false, compileDebug: true });

const keyOf = ({ file, closure }: Source): string => {
  const name = createHash('sha256').update(file).digest('hex').slice(0, 12);
  return `${name}-${createHash('sha256').update(`${VERSION} ${closure} ${pugPackage.version}`).digest('hex').slice(0, 32)}`;
};

const endOf = (key: string): string => `\n// ${key}\n`;

/** Null when there is none, or only a part of one. */
const stored = (key: string): Render | null => {
  try {
    const code = readFileSync(join(FOLDER, `${key}.js`), 'utf8');
    return code.endsWith(endOf(key)) ? evaluated(code) : null;
  } catch {
    return null;
  }
};

/** As pug itself does it. */
const evaluated = (code: string): Render => new Function(`${code};return template;`)() as Render;

const compileAndStore = ({ file, folder, files }: Source, key: string): Render => {
  const options = { filename: file, basedir: folder, compileDebug: false, inlineRuntimeFunctions: true };
  const { body, dependencies } = pug().compileClientWithDependenciesTracked(readFileSync(file, 'utf8'), options);
  const unseen = dependencies.filter((other) => !files.includes(other));
  if (unseen.length) throw new Error(`The template ${file} is made of files that were not seen: ${unseen.join(', ')}`);
  const code = `${body}${endOf(key)}`;
  // Templates from elsewhere are those of tests.
  if (file.startsWith(`${PROJECT}/`)) store(key, code);
  return evaluated(code);
};

/** In the place of what the template was before. */
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
    // Nothing may be written here: compiled code is kept by this process alone.
  }
};
