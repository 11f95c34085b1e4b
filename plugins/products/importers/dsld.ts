/** Implements `npm run import -- dsld <path…>`: reads every format of the label database, detected by content. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeText } from '#core/import/text-stream.ts';
import { reasonOf, UnreadableInput } from '#core/import/unreadable-input.ts';
import type { Origin } from '../label.ts';
import { headerOf, tableOf } from './csv-kinds.ts';
import { csvLabels } from './csv-labels.ts';
import { csvRows } from './csv-rows.ts';
import { dayOfFile, readDownloadDay } from './dates.ts';
import { type LabelEvent, problemAt } from './events.ts';
import { type LabelFile, labelFilesUnder } from './files.ts';
import { jsonLabels } from './json-labels.ts';

/** A file with its format and the day on which it was valid. */
export interface KnownFile {
  readonly file: LabelFile;
  readonly kind: string;
  readonly asOf: string;
  events(signal: AbortSignal): AsyncIterable<LabelEvent>;
}

const README = /(?:^|\/)readme[^/]*\.csv(?:\.gz)?$/i;

interface Sniffed {
  readonly kind: string;
  readonly origin: Origin;
  readonly isJson: boolean;
}

/** Yields the lines of the first characters only: a header never occurs further down. */
async function* headLines(text: string): AsyncGenerator<string> {
  yield* text.split(/\r\n|\r|\n/);
}

/**
 * Detects the format of a file from its first characters.
 * @throws UnreadableInput when the format is unknown.
 */
const sniff = async (file: LabelFile, signal: AbortSignal): Promise<Sniffed> => {
  let head = '';
  for await (const chunk of decodeText(file.open(signal)).chunks) {
    head += chunk;
    if (head.length > 20_000) break;
  }
  if (!head.trim()) throw new UnreadableInput('is empty');
  if (/^\s*[[{]/.test(head)) return { kind: 'labels as JSON', origin: 'dsld-json', isJson: true };
  for await (const { cells } of csvRows(headLines(head.slice(0, 20_000)))) {
    const table = cells && tableOf(headerOf(cells));
    if (table) return { kind: table.id, origin: table.origin, isJson: false };
    if (cells && !cells[0]?.startsWith('#')) break;
  }
  throw new UnreadableInput('is no table of labels: its header is not one that is known');
};

async function* eventsOf(
  file: LabelFile,
  known: Sniffed & { asOf: string },
  signal: AbortSignal,
): AsyncGenerator<LabelEvent> {
  const read = known.isJson ? jsonLabels : csvLabels;
  const text = decodeText(file.open(signal));
  try {
    yield* read(text.chunks, { name: file.name, asOf: known.asOf });
  } catch (error) {
    if (signal.aborted) throw error;
    yield problemAt(file.name, null, reasonOf(error));
    return;
  }
  if (text.damaged)
    yield problemAt(
      file.name,
      null,
      `has bytes that are not ${text.encoding.toUpperCase()}: some characters are lost (shown as �)`,
    );
}

/** Builds a file whose only event is a problem, for a file that cannot be read. */
const unreadable = (file: LabelFile, error: unknown): KnownFile => ({
  file,
  kind: 'not read',
  asOf: '',
  async *events() {
    yield problemAt(file.name, null, reasonOf(error));
  },
});

const knownFile = async (file: LabelFile, downloadedOn: string | null, signal: AbortSignal): Promise<KnownFile> => {
  try {
    const sniffed = await sniff(file, signal);
    const asOf = await dayOfFile(file, sniffed.origin === 'dsld-csv' ? downloadedOn : null, signal);
    return { file, kind: sniffed.kind, asOf, events: (aborted) => eventsOf(file, { ...sniffed, asOf }, aborted) };
  } catch (error) {
    if (signal.aborted) throw error;
    return unreadable(file, error);
  }
};

/** Returns the day from a ReadMe: one among the files, otherwise one in the folder of a single file. */
const downloadDay = async (files: readonly LabelFile[], path: string, signal: AbortSignal): Promise<string | null> => {
  const own = files.filter(({ name }) => README.test(name));
  const isFile = (await stat(path)).isFile();
  const beside: LabelFile[] = [];
  if (!own.length && isFile) {
    for await (const file of labelFilesUnder(dirname(path))) if (/^readme/i.test(file.name)) beside.push(file);
  }
  for (const readme of [...own, ...beside]) {
    const day = await readDownloadDay(readme, signal).catch(() => null);
    if (day) return day;
  }
  return null;
};

/**
 * Yields all label files under a path.
 * @throws UnreadableInput when there is none, or an archive cannot be opened.
 */
export async function* knownFilesUnder(path: string, signal: AbortSignal): AsyncGenerator<KnownFile> {
  const files: LabelFile[] = [];
  for await (const file of labelFilesUnder(path)) files.push(file);
  const day = await downloadDay(files, path, signal);
  for (const file of files) if (!README.test(file.name)) yield knownFile(file, day, signal);
}

/** The tables of a download, used to report missing ones. */
export const DOWNLOAD_TABLES = [
  'ProductOverview',
  'DietarySupplementFacts',
  'OtherIngredients',
  'LabelStatements',
  'CompanyInformation',
] as const;
