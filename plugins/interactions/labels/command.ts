/** Implements `npm run labels`: review of sentences of drug labels, from the import to a rule or to a reason for dismissal. */
import { withLease } from '#core/db/lease.ts';
import { OperatorError } from '#core/errors.ts';
import type { Command } from '#core/plugin.ts';
import { labelAddress } from '../rules/label-rules.ts';
import type { InteractionServices } from '../services.ts';
import { type CandidateRow, sayChange } from './candidate-table.ts';
import { confirmCandidate } from './confirm-candidate.ts';
import { EditorsFiles, type Names, namesFor } from './editors-files.ts';
import { type LabelArguments, type LabelOptions, parseLabelArguments, USAGE } from './labels-arguments.ts';

type Out = (line: string) => void;

const SHOWN = 50;

/** Replaces control characters, so that text from a file cannot move the cursor or colour the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}+|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');

const pairOf = ({ supplement, medicine }: CandidateRow): string => `${supplement}/${medicine}`;

const list = (rows: readonly CandidateRow[], options: LabelOptions, out: Out): void => {
  const { state = '', supplement, medicine, limit } = options;
  const wanted = rows.filter(
    (row) =>
      (state ? row.state === state : row.state !== 'dismissed') &&
      (!supplement || row.supplement === supplement) &&
      (!medicine || row.medicine === medicine.toLowerCase()),
  );
  const most = Number(limit ?? SHOWN);
  for (const [pair, of] of Map.groupBy(wanted.slice(0, most), pairOf)) {
    out(printable(`${pair}  ${of[0]?.label ?? ''}`));
    for (const row of of) {
      const words = row.state === 'new' || row.state === 'dismissed' ? row.sentence : sayChange(row);
      const reason = row.reason && ` (${row.reason})`;
      out(printable(`  ${row.id}  ${row.state}  ${row.date}  ${row.section}: ${words}${reason}`));
    }
  }
  const counts = [...Map.groupBy(rows, (row) => row.state)].map(([name, of]) => `${of.length} ${name}`);
  if (wanted.length > most) out(`… and ${wanted.length - most} more: --limit, --supplement and --medicine say which.`);
  out(
    counts.length
      ? `In all: ${counts.join(', ')}.`
      : 'No sentence of a label waits. npm run import -- fda-labels brings them.',
  );
};

const find = (rows: readonly CandidateRow[], id: string): CandidateRow => {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new OperatorError(`No candidate has the id ${printable(id)}: npm run labels -- list.`);
  return row;
};

const show = (row: CandidateRow, out: Out): void => {
  for (const [name, value] of Object.entries(row)) if (value && name !== 'line') out(printable(`${name}: ${value}`));
  out(`address: ${labelAddress(row.set_id)}`);
};

const dismiss = (rows: readonly CandidateRow[], { ids, options }: LabelArguments): readonly CandidateRow[] => {
  const open = rows.filter(({ state }) => state === 'new');
  const chosen = new Set(
    ids.flatMap((id) => {
      const found = open.filter((row) => row.id === id || pairOf(row) === id.toLowerCase());
      if (found.length) return found.map((row) => row.id);
      if (rows.some((row) => row.id === id))
        throw new OperatorError(
          `${id} is not new. What changed is confirmed anew, or its row is taken out of labels.tsv.`,
        );
      throw new OperatorError(`No sentence that nobody has read has the id or pair ${printable(id)}.`);
    }),
  );
  return rows.map(
    (row): CandidateRow =>
      chosen.has(row.id) ? { ...row, state: 'dismissed', reason: options.reason?.trim() ?? '' } : row,
  );
};

const confirm = async (
  files: EditorsFiles,
  { ids, options }: LabelArguments,
  { names, out }: { readonly names: Names; readonly out: Out },
): Promise<void> => {
  const rows = await files.candidates();
  const row = find(rows, ids[0] ?? '');
  const { text, line, isReplaced } = confirmCandidate(await files.labels(), row, { options, names });
  await files.putLabels(text);
  await files.putCandidates(rows.filter(({ id }) => id !== row.id));
  out(`interactions/labels.tsv:${line}: ${isReplaced ? 'replaced' : 'added'} ${pairOf(row)}.`);
  const rest = rows.filter((other) => other.state === 'new' && other.id !== row.id && pairOf(other) === pairOf(row));
  if (rest.length)
    out(
      `${rest.length} more of this pair: npm run labels -- dismiss "${pairOf(row)}" --reason "another sentence is quoted"`,
    );
};

const act = async (
  files: EditorsFiles,
  wanted: LabelArguments,
  { names, out }: { readonly names: () => Promise<Names>; readonly out: Out },
): Promise<void> => {
  const rows = await files.candidates();
  if (wanted.action === 'list') list(rows, wanted.options, out);
  else if (wanted.action === 'show') show(find(rows, wanted.ids[0] ?? ''), out);
  else if (wanted.action === 'confirm') await confirm(files, wanted, { names: await names(), out });
  else {
    const after = dismiss(rows, wanted);
    await files.putCandidates(after);
    out(`${after.filter((row, at) => row !== rows[at]).length} dismissed.`);
  }
};

export const labelsCommand: Command<InteractionServices> = {
  id: 'labels',
  summary: 'sentences of drug labels that name a supplement: list, show, confirm, dismiss',
  usage: USAGE,
  run: async (context, args, out) => {
    const wanted = parseLabelArguments(args);
    const files = await EditorsFiles.at(wanted.options.content ?? context.services.contentDir);
    const names = (): Promise<Names> => namesFor(context);
    // Without the lease, an import that finishes in between would overwrite the editor's decision.
    const done = await withLease(context.db, 'label-candidates', { waitSeconds: 60 }, () =>
      act(files, wanted, { names, out }),
    );
    if (done) return 0;
    out('An import of labels has been running for over a minute; try again when it is done.');
    return 1;
  },
};
