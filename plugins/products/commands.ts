import { reasonOf } from '#core/import/unreadable-input.ts';
import type { Command, Context, Importer } from '#core/plugin.ts';
import { progressBar } from '#core/progress.ts';
import { DOWNLOAD_TABLES, type KnownFile, knownFilesUnder } from './importers/dsld.ts';
import { type ImportReport, importLabels } from './importing.ts';
import { packStarter } from './packing.ts';
import type { ProductServices } from './services.ts';

type Out = (line: string) => void;

const summary = (known: KnownFile, report: ImportReport, seconds: number): string => {
  const rate = Math.round(report.read / Math.max(seconds, 0.001));
  const status = report.status_changed ? `, ${report.status_changed} with another market status` : '';
  return `${known.file.name} (${known.kind}${known.asOf && `, as of ${known.asOf}`}): ${report.read} labels read, ${report.added} added, ${report.changed} changed, ${report.unchanged} unchanged${status}, ${report.skipped} skipped in ${seconds.toFixed(1)} s (${rate} labels/s)`;
};

const tellProblems = (report: ImportReport, out: Out): void => {
  if (report.resumedAfter)
    out(`  went on where an interrupted run had stopped (${report.resumedAfter} were in already)`);
  for (const { at, message } of report.problems) out(`  skipped ${at}: ${message}`);
  if (report.skipped > report.problems.length) out(`  … and ${report.skipped - report.problems.length} more`);
};

const importOne = async (context: Context<ProductServices>, known: KnownFile, out: Out): Promise<boolean> => {
  const startedAt = performance.now();
  const bar = progressBar(`dsld ${known.file.name}`);
  const source = {
    kind: 'dsld',
    path: known.file.name,
    identity: `${known.file.identity}\0${known.asOf}`,
    events: (signal: AbortSignal) => known.events(signal),
  };
  const report = await importLabels(context.db, source, {
    signal: context.signal,
    matcher: (await context.services.matching()).matcher,
    onProgress: (so) => bar.update(so.read, `${so.added} added, ${so.changed} changed, ${so.skipped} skipped`),
  });
  bar.stop();
  if (!report) {
    out(
      `${known.file.name}: another import has been holding the catalogue for over a minute; try again when it is done.`,
    );
    return false;
  }
  out(summary(known, report, (performance.now() - startedAt) / 1000));
  tellProblems(report, out);
  return report.skipped === 0;
};

/** Prints which tables of a download are missing, which is not an error. */
const tellMissing = (kinds: readonly string[], out: Out): void => {
  const missing = DOWNLOAD_TABLES.filter((table) => !kinds.includes(table));
  if (missing.length < DOWNLOAD_TABLES.length && missing.length)
    out(`  not among these files: ${missing.join(', ')}; what they would tell stays as it is`);
};

const importPath = async (context: Context<ProductServices>, path: string, out: Out): Promise<boolean> => {
  const kinds: string[] = [];
  let clean = true;
  try {
    for await (const known of knownFilesUnder(path, context.signal)) {
      kinds.push(known.kind);
      clean = (await importOne(context, known, out)) && clean;
    }
  } catch (error) {
    if (context.signal.aborted) throw error;
    out(`${path}: ${reasonOf(error)}`);
    return false;
  }
  tellMissing(kinds, out);
  return clean;
};

/** Imports labels of the NIH Dietary Supplement Label Database in all formats. */
export const labelImporter: Importer<ProductServices> = {
  id: 'dsld',
  summary: 'labels: the CSV download (folder, zip or any of its files), the list of 2019, label JSON',
  run: async (context, paths, out) => {
    let clean = true;
    for (const path of paths) clean = (await importPath(context, path, out)) && clean;
    return clean;
  },
};

/** Packs the starter catalogue. Exit status: 0 success, 2 invalid usage. */
export const productsCommand: Command<ProductServices> = {
  id: 'products',
  summary: 'make the starter catalogue from label files',
  usage: 'products -- pack <out-folder> <dsld path…>',
  run: async ({ signal }, [action, folder, ...paths], out) => {
    if (action !== 'pack' || !folder || !paths.length) {
      out(`usage: npm run ${productsCommand.usage}`);
      return 2;
    }
    const { core, coreLines, list, listAsOf } = await packStarter(folder, paths, signal);
    out(`${folder}: ${core} labels of the core (${coreLines} lines), ${list} of the list as of ${listAsOf}`);
    return 0;
  },
};
