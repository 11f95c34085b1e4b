/**
 * Implements `npm run import -- fda-labels [--content <folder>] <path…>`: writes sentences of labels into the table that editors
 * review.
 */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { withLease } from '#core/db/lease.ts';
import { UsageError } from '#core/errors.ts';
import type { Context, Importer } from '#core/plugin.ts';
import { progressBar } from '#core/progress.ts';
import type { InteractionServices } from '../services.ts';
import { sayChange } from './candidate-table.ts';
import { candidatesOf } from './candidates.ts';
import { EditorsFiles, type Names, namesFor } from './editors-files.ts';
import type { DrugLabel } from './label.ts';
import { labelsAt } from './label-files.ts';
import { medicinesOf } from './label-medicines.ts';
import { foldLabel } from './label-text.ts';
import { LabelMerge } from './merge-labels.ts';

type Out = (line: string) => void;

const PROBLEMS_SHOWN = 50;
const CHANGES_SHOWN = 100;

interface Tally {
  labels: number;
  /** Number of labels that are not about a medicine in our sense. */
  other: number;
  /** Number of labels about a medicine that the list of medicines lacks. */
  unknown: number;
  skipped: number;
  readonly problems: string[];
}

const takeLabel = (label: DrugLabel, names: Names, { merge, tally }: { merge: LabelMerge; tally: Tally }): void => {
  tally.labels += 1;
  const medicines = medicinesOf(label, names);
  if (!medicines.length) {
    tally.other += 1;
    return;
  }
  if (medicines.some(({ isKnown }) => !isKnown)) tally.unknown += 1;
  merge.add({
    label,
    medicines,
    candidates: candidatesOf(label, medicines, names.find),
    folded: merge.isQuoted(label.setId) ? foldLabel(label) : null,
  });
};

const report = (tally: Tally, seconds: number, done: ReturnType<LabelMerge['finish']>, out: Out): void => {
  const { labels, other, unknown, skipped, problems } = tally;
  const { counts, changes } = done;
  const rate = Math.round(labels / Math.max(seconds, 0.001));
  out(
    `${labels} labels read, ${other} of no medicine left out, ${skipped} skipped in ${seconds.toFixed(1)} s (${rate} labels/s)`,
  );
  if (unknown) out(`  ${unknown} labels are about a medicine that the list of medicines lacks`);
  out(
    `sentences: ${counts.unread} that nobody has read (${counts.added} of them new), ${counts.confirmed} behind a rule, ${counts.dismissed} read and left out, ${counts.covered} on a pair that another label settled, ${counts.withdrawn} withdrawn`,
  );
  out(
    `quotes of rules: ${counts.standing} stand, ${counts.changed} changed, ${counts.moved} moved${counts.unchecked ? `, ${counts.unchecked} from a section that the file lacks` : ''}${counts.older ? `; ${counts.older} times an edition was older than the one that was read` : ''}`,
  );
  for (const row of changes.slice(0, CHANGES_SHOWN)) out(`  ${sayChange(row)}`);
  if (changes.length > CHANGES_SHOWN)
    out(`  … and ${changes.length - CHANGES_SHOWN} more: npm run labels -- list --state changed`);
  for (const line of problems) out(`  skipped ${line}`);
  if (skipped > problems.length) out(`  … and ${skipped - problems.length} more`);
};

const importPaths = async (
  context: Context<InteractionServices>,
  paths: readonly string[],
  { files, out }: { readonly files: EditorsFiles; readonly out: Out },
): Promise<boolean> => {
  const startedAt = performance.now();
  const names = await namesFor(context);
  const merge = new LabelMerge(await files.confirmed(names), await files.candidates(), names.find);
  const tally: Tally = { labels: 0, other: 0, unknown: 0, skipped: 0, problems: [] };
  const bar = progressBar('fda-labels');
  for (const path of paths) {
    for await (const event of labelsAt(path, context.signal)) {
      context.signal.throwIfAborted();
      if (event.type === 'label') takeLabel(event.label, names, { merge, tally });
      else {
        tally.skipped += 1;
        if (tally.problems.length < PROBLEMS_SHOWN) tally.problems.push(`${event.at}: ${event.message}`);
      }
      if (tally.labels % 100 === 0) bar.update(tally.labels, `${tally.skipped} skipped`);
    }
  }
  bar.stop();
  const done = merge.finish();
  const isChanged = await files.putCandidates(done.rows);
  report(tally, (performance.now() - startedAt) / 1000, done, out);
  out(isChanged ? 'interactions/label-candidates.tsv is up to date: npm run labels -- list' : 'Nothing changed.');
  return tally.skipped === 0;
};

const optionsOf = (
  args: readonly string[],
): { readonly content: string | undefined; readonly paths: readonly string[] } => {
  const usage = 'npm run import -- fda-labels [--content <folder>] <file or folder …>';
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { content: { type: 'string' } },
      allowPositionals: true,
    });
    if (!positionals.length) throw new UsageError(`No file was given. Usage: ${usage}`);
    return { content: values.content, paths: positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message}. Usage: ${usage}`);
  }
};

export const fdaLabelImporter: Importer<InteractionServices> = {
  id: 'fda-labels',
  summary:
    'drug labels (openFDA JSON, DailyMed SPL XML, plain or zipped): sentences that name a supplement, for editors',
  takesOptions: true,
  run: async (context, args, out) => {
    const { content, paths } = optionsOf(args);
    const here: string[] = [];
    for (const path of paths)
      if (await stat(path).catch(() => null)) here.push(path);
      else out(`${path}: there is no such file or folder`);
    if (!here.length) return false;
    const files = await EditorsFiles.at(content ?? context.services.contentDir);
    const done = await withLease(context.db, 'label-candidates', { waitSeconds: 60 }, () =>
      importPaths(context, here, { files, out }),
    );
    if (!done) out('Another import of labels has been running for over a minute; try again when it is done.');
    return (done?.result ?? false) && here.length === paths.length;
  },
};
