/** `npm run import -- <kind> <path…>`: each plugin brings its kinds, and all of them are behind this one command. */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { AnyPlugin, Importer } from '../plugin.ts';

export interface ImportRequest {
  readonly owner: AnyPlugin;
  readonly importer: Importer;
  /** As they were given; only those that exist. */
  readonly paths: readonly string[];
  readonly missing: readonly string[];
}

/** What the words of the command line ask for; null when they name no kind or no path. */
export const parseImport = async (
  plugins: readonly AnyPlugin[],
  args: readonly string[],
): Promise<ImportRequest | null> => {
  const [kind = '', ...given] = parseArgs({ args: [...args], allowPositionals: true }).positionals;
  const owner = plugins.find(({ importers = [] }) => importers.some(({ id }) => id === kind));
  const importer = owner?.importers?.find(({ id }) => id === kind);
  if (!owner || !importer || !given.length) return null;
  const paths: string[] = [];
  const missing: string[] = [];
  for (const path of given) ((await stat(path).catch(() => null)) ? paths : missing).push(path);
  return { owner, importer, paths, missing };
};

/** The lines that say how it is used, one for each kind. */
export const importUsage = (plugins: readonly AnyPlugin[]): readonly string[] => {
  const importers = plugins.flatMap((plugin): readonly Importer[] => plugin.importers ?? []);
  return [
    `usage: npm run import -- <${importers.map(({ id }) => id).join('|')}> <path…>`,
    ...importers.map(({ id, summary }) => `  ${id.padEnd(12)}${summary}`),
  ];
};
