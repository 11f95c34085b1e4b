/** Turns a sentence that an editor has read into a row of labels.tsv. */
import { OperatorError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';
import { drugNamed } from '../rules/cross-check.ts';
import { LABEL_COLUMNS } from '../rules/label-table.ts';
import { rowsOf } from '../rules/table-rows.ts';
import type { CandidateRow } from './candidate-table.ts';
import { confirmedIn, type Names } from './editors-files.ts';
import { foldText } from './label-sentences.ts';
import type { LabelOptions } from './labels-arguments.ts';

type Cells = Readonly<Record<(typeof LABEL_COLUMNS)[number], string>>;

const LONGEST_QUOTE = 500;

/** Returns the quote. It must be the label's own text, so a quote from an editor has to occur in the sentence. */
const quoteOf = ({ sentence }: CandidateRow, given: string | undefined): string => {
  const quote = (given ?? sentence).replace(/\s+/g, ' ').trim();
  if (!quote)
    throw new OperatorError(
      'The label has no sentence in the place of the old one. Give it with --quote, or take the row out of labels.tsv.',
    );
  if (given && sentence && !` ${foldText(sentence)} `.includes(foldText(quote)))
    throw new OperatorError('The quote does not stand in the sentence of the label. Quote it letter for letter.');
  if (quote.length > LONGEST_QUOTE)
    throw new OperatorError(
      `The sentence has ${quote.length} characters. Give the decisive ${LONGEST_QUOTE} at most with --quote.`,
    );
  return quote;
};

const newCells = (row: CandidateRow, options: LabelOptions, before: Cells | null): Cells => ({
  supplement: row.supplement,
  medicine: before?.medicine ?? options.medicine ?? row.medicine,
  affected: options.affected ?? before?.affected ?? '',
  mechanism: options.mechanism ?? before?.mechanism ?? '',
  severity: options.severity ?? before?.severity ?? '',
  hours_before: options['hours-before'] ?? before?.hours_before ?? '',
  hours_after: options['hours-after'] ?? before?.hours_after ?? '',
  set_id: row.set_id,
  date: row.date,
  section: row.section,
  names: options.names ?? before?.names ?? 'supplement',
  quote: quoteOf(row, options.quote),
  note: options.note ?? before?.note ?? '',
});

/** Returns the existing row of the pair, if there is one. */
const placeOf = (file: ContentFile, row: CandidateRow, { drugs }: Names, medicine: string) => {
  const name = drugNamed(drugs, medicine)?.name;
  return rowsOf(file, LABEL_COLUMNS).find(
    ({ cells }) => cells.supplement === row.supplement && drugNamed(drugs, cells.medicine)?.name === name,
  );
};

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export interface Confirmed {
  readonly text: string;
  readonly line: number;
  readonly isReplaced: boolean;
}

/**
 * Returns the text of labels.tsv with the row added. A changed or moved sentence replaces the old one and preserves the other
 * columns; the row of a pair that already has one is replaced only if the editor requests it.
 * @throws OperatorError or ContentError if the row would be rejected; nothing is written.
 */
export const confirmCandidate = (
  file: ContentFile,
  row: CandidateRow,
  { options, names }: { readonly options: LabelOptions; readonly names: Names },
): Confirmed => {
  const medicine = options.medicine ?? row.medicine;
  if (!drugNamed(names.drugs, medicine))
    throw new OperatorError(`No medicine is called "${medicine}". Name one of the list with --medicine.`);
  const before = placeOf(file, row, names, medicine);
  const isChange = row.state === 'changed' || row.state === 'moved';
  if (isChange && !before)
    throw new OperatorError('labels.tsv has no row of this pair any more: import the label again.');
  if (before && !isChange && !options.replace)
    throw new OperatorError(
      `labels.tsv:${before.line} has a row of this pair: “${before.cells.quote}”. Add --replace to put the new sentence in its place, or dismiss this one.`,
    );
  const cells = newCells(row, options, before?.cells ?? null);
  const texts = rowsOf(file, LABEL_COLUMNS)
    .filter(({ line }) => line !== before?.line)
    .map(({ cells: other }) => other);
  const at = before
    ? before.line - 2
    : texts.filter((one) => (byText(one.supplement, cells.supplement) || byText(one.medicine, cells.medicine)) < 0)
        .length;
  const rows = [...texts.slice(0, at), cells, ...texts.slice(at)];
  const text = [
    LABEL_COLUMNS.join('\t'),
    ...rows.map((one) => LABEL_COLUMNS.map((column) => one[column].replace(/\s+/g, ' ').trim()).join('\t')),
    '',
  ].join('\n');
  confirmedIn({ ...file, text }, names);
  return { text, line: at + 2, isReplaced: before !== undefined };
};
