/** The command `npm run import -- <kind> <path…>`, which runs the importers of all plugins. */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { AnyPlugin, Importer } from '../plugin.ts';

export interface ImportRequest {
  readonly owner: AnyPlugin;
  readonly importer: Importer;
  /** The existing paths, or the options of an importer with options, unchanged. */
  readonly paths: readonly string[];
  readonly missing: readonly string[];
}

/** Parses the arguments; returns null when they name no kind or no path. */
export const parseImport = async (
  plugins: readonly AnyPlugin[],
  args: readonly string[],
): Promise<ImportRequest | null> => {
  const optional = findImporter(plugins, args[0] ?? '');
  if (optional?.importer.takesOptions) return { ...optional, paths: args.slice(1), missing: [] };
  const [kind = '', ...given] = parseArgs({ args: [...args], allowPositionals: true }).positionals;
  const found = findImporter(plugins, kind);
  if (!found || found.importer.takesOptions || !given.length) return null;
  const paths: string[] = [];
  const missing: string[] = [];
  for (const path of given) ((await stat(path).catch(() => null)) ? paths : missing).push(path);
  return { ...found, paths, missing };
};

const findImporter = (
  plugins: readonly AnyPlugin[],
  kind: string,
): Pick<ImportRequest, 'owner' | 'importer'> | null => {
  const owner = plugins.find(({ importers = [] }) => importers.some(({ id }) => id === kind));
  const importer = owner?.importers?.find(({ id }) => id === kind);
  return owner && importer ? { owner, importer } : null;
};

/** Returns the usage text, with one line for each kind. */
export const importUsage = (plugins: readonly AnyPlugin[]): readonly string[] => {
  const importers = plugins.flatMap((plugin): readonly Importer[] => plugin.importers ?? []);
  return [
    `usage: npm run import -- <${importers.map(({ id }) => id).join('|')}> <path…>`,
    ...importers.map(({ id, summary }) => `  ${id.padEnd(15)}${summary}`),
  ];
};
