import { parseArgs } from 'node:util';
import type { Command, Context, Importer } from '#core/plugin.ts';
import { progressBar } from '#core/progress.ts';
import { importerOf, importers } from './importers/index.ts';
import { type ImportReport, importFile } from './importing.ts';
import { pubmedSearch } from './pubmed-search/command.ts';
import type { EvidenceServices } from './services.ts';

type Out = (line: string) => void;

const summary = (path: string, report: ImportReport, seconds: number): string =>
  `${path}: ${report.read} read, ${report.added} added, ${report.changed} changed, ${report.unchanged} unchanged, ${report.removed} removed, ${report.skipped} skipped in ${seconds.toFixed(1)} s (${Math.round(report.read / Math.max(seconds, 0.001))} records/s)`;

const importOne = async (
  context: Context<EvidenceServices>,
  kind: string,
  path: string,
  out: Out,
): Promise<boolean> => {
  const importer = importerOf(kind);
  if (!importer) throw new Error(`no importer is called ${kind}`);
  const startedAt = performance.now();
  const bar = progressBar(`${kind} ${path}`);
  const grader = await context.services.grader();
  const report = await importFile(context.db, importer, path, {
    signal: context.signal,
    grader,
    onProgress: (so) => bar.update(so.read, `${so.added} added, ${so.changed} changed, ${so.skipped} skipped`),
  });
  bar.stop();
  if (!report) {
    out(
      `${path}: another import or a sync of content/ has been holding the corpus for over a minute; try again when it is done.`,
    );
    return false;
  }
  out(summary(path, report, (performance.now() - startedAt) / 1000));
  if (report.resumedAfter)
    out(`  went on where an interrupted run had stopped (${report.resumedAfter} were in already)`);
  for (const { at, message } of report.problems) out(`  skipped ${at}: ${message}`);
  if (report.skipped > report.problems.length) out(`  … and ${report.skipped - report.problems.length} more`);
  return report.skipped === 0;
};

const fileImporters: readonly Importer<EvidenceServices>[] = importers.map(({ kind, summary: reads }) => ({
  id: kind,
  summary: reads,
  run: async (context, paths, out) => {
    let clean = true;
    for (const path of paths) clean = (await importOne(context, kind, path, out)) && clean;
    return clean;
  },
}));

/** Importers of the command `import`: one for each kind of source file, and PubMed itself. */
export const sourceImporters: readonly Importer<EvidenceServices>[] = [...fileImporters, pubmedSearch];

export const indexCommand: Command<EvidenceServices> = {
  id: 'index',
  summary: 'bring the search index level with the corpus, or make it anew',
  usage: 'index [-- --rebuild]',
  run: async ({ services, signal }, args, out) => {
    const { values } = parseArgs({ args: [...args], options: { rebuild: { type: 'boolean' } } });
    const startedAt = performance.now();
    const stale = await services.refreshStale(signal);
    if (stale) out(`${stale} sources graded anew`);
    if (values.rebuild) await services.index.clear();
    const bar = progressBar('index');
    const { applied } = await services.catchUp((done) => bar.update(done, 'documents'));
    bar.stop();
    const { documents, version, semantic } = services.index.state();
    out(
      `${applied} documents applied in ${((performance.now() - startedAt) / 1000).toFixed(1)} s; ${documents} in the index ${version}, semantic leg ${semantic}`,
    );
    return 0;
  },
};
