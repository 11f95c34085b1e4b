/** Pug, compiled once; knows which files a template is made of, so that a change of any of them is seen. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import pug from 'pug';

export interface Template {
  render(locals: Readonly<Record<string, unknown>>): string;
  /** Digest of the template and everything it includes or extends. */
  readonly closure: string;
  readonly files: readonly string[];
}

export const createTemplates = (folder: string) => {
  const cache = new Map<string, Template>();
  return (name: string): Template => {
    const cached = cache.get(name);
    if (cached) return cached;
    const filename = join(folder, `${name}.pug`);
    const render = pug.compileFile(filename, { basedir: folder, cache: false }) as pug.compileTemplate & {
      dependencies?: string[];
    };
    const files = [...new Set([filename, ...(render.dependencies ?? [])])].sort();
    const hash = createHash('sha256');
    for (const file of files) hash.update(relative(folder, file)).update('\0').update(readFileSync(file)).update('\0');
    const template = {
      render,
      closure: hash.digest('hex').slice(0, 32),
      files: files.map((file) => relative(folder, file)),
    };
    cache.set(name, template);
    return template;
  };
};
