/** Loads Pug templates, compiles them on first use, and tracks the files of which each consists, to detect changes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { compiled, compiledWithNotes, type Render } from './compiled-templates.ts';

export interface Template {
  render(locals: Readonly<Record<string, unknown>>): string;
  /** Digest of the template and everything it includes or extends. */
  readonly closure: string;
  /** All of these files, relative to the folder of templates. */
  readonly files: readonly string[];
}

/** Matches a line that names another file. A line of plain text can match too, which at worst adds a file. */
const REFERENCE = /^[ \t]*(?:extends|include(?::[\w-]+)?)[ \t]+(\S+)[ \t]*$/gm;

/**
 * Finds a template's files by reading their lines. Compiling takes fifty times as long, and `generate` needs the files of
 * every page that it does not render.
 */
const filesOf = (folder: string, name: string, texts: Map<string, string>): readonly string[] => {
  const start = join(folder, `${name}.pug`);
  if (!textOf(texts, start)) throw new Error(`There is no template ${name}`);
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, named = ''] of textOf(texts, file).matchAll(REFERENCE)) {
      const from = named.startsWith('/') ? folder : dirname(file);
      const other = resolve(from, `./${named}${extname(named) ? '' : '.pug'}`);
      if (textOf(texts, other)) visit(other);
    }
  };
  visit(start);
  return [...found].sort();
};

const textOf = (texts: Map<string, string>, file: string): string => {
  const known = texts.get(file) ?? readIfThere(file);
  texts.set(file, known);
  return known;
};

const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

export const createTemplates = (folder: string) => {
  const cache = new Map<string, Template>();
  const texts = new Map<string, string>();
  return (name: string): Template => {
    const cached = cache.get(name);
    if (cached) return cached;
    const files = filesOf(folder, name, texts);
    const hash = createHash('sha256');
    for (const file of files) hash.update(`${relative(folder, file)}\0${textOf(texts, file)}\0`);
    const closure = hash.digest('hex').slice(0, 32);
    const source = { file: join(folder, `${name}.pug`), folder, files, closure };
    let [plain, withNotes]: (Render | null)[] = [null, null];
    const template = {
      render: (locals: Readonly<Record<string, unknown>>) => {
        plain ??= compiled(source);
        try {
          return plain(locals);
        } catch {
          // Render again, for an error with the file and the line.
          withNotes ??= compiledWithNotes(source);
          return withNotes(locals);
        }
      },
      closure,
      files: files.map((file) => relative(folder, file)),
    };
    cache.set(name, template);
    return template;
  };
};
