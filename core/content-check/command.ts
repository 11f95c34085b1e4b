/** The command `npm run content:check`. Exit status: 0 without findings, 1 with findings, 2 for incorrect usage. */
import type { AnyPlugin } from '../plugin.ts';
import { checkContent } from './check.ts';
import { countsTable } from './counts.ts';

export interface ContentCheckParts {
  readonly plugins: readonly AnyPlugin[];
  readonly contentDir: string;
  readonly out: (line: string) => void;
  readonly now?: () => Date;
}

const USAGE = 'usage: npm run content:check [-- --counts] [-- --due] [<part of a path>]';
const OPTIONS = ['--counts', '--due'];

/**
 * Runs the command. `--counts` adds a table, `--due` lists entries that are due for review and counts them by kind; a part of a
 * path restricts the output to matching files.
 */
export const contentCheckCommand = async (
  args: readonly string[],
  { plugins, contentDir, out, now = () => new Date() }: ContentCheckParts,
): Promise<number> => {
  const [given = '', ...more] = args.filter((arg) => !OPTIONS.includes(arg));
  const part = given.replace(/^(?:\.\/)?content\//, '');
  if (more.length || part.startsWith('-')) {
    out(USAGE);
    return 2;
  }
  const { files, findings, counts, due } = await checkContent(plugins, contentDir, now().toISOString().slice(0, 10));
  const told = findings.filter(({ path }) => path.includes(part));
  for (const { path, line, field, words } of told)
    out(`content/${path}${line === null ? '' : `:${line}`}: ${field && `${field}: `}${words}`);
  if (args.includes('--counts')) for (const line of countsTable(counts)) out(line);
  if (args.includes('--due')) {
    const listed = due.filter(({ path }) => path.includes(part));
    for (const { path, line, words } of listed) out(`content/${path}${line === null ? '' : `:${line}`}: ${words}`);
    for (const [kind, of] of Map.groupBy(listed, (one) => one.kind)) out(`  ${of.length} × ${kind}`);
    out(listed.length ? `${listed.length} due for another reading.` : 'Nothing is due for another reading.');
  }
  const where = part ? ` under “${part}”` : '';
  out(
    told.length
      ? `${told.length} to mend${where}, in ${files} files that were read.`
      : `${files} files were read: nothing to mend${where}.`,
  );
  return told.length ? 1 : 0;
};
