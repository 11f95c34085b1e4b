/** Reads and writes, always as a whole, the two tables in which editors of label statements work. */
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '#core/errors.ts';
import type { ContentFile, Context } from '#core/plugin.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { DrugBook } from '../drugs/drug-book.ts';
import { drugNamed } from '../rules/cross-check.ts';
import { LABEL_COLUMNS, type PlacedStatement, readLabelTable } from '../rules/label-table.ts';
import type { InteractionServices } from '../services.ts';
import { CANDIDATES, type CandidateRow, readCandidateTable, writeCandidateTable } from './candidate-table.ts';
import type { ConfirmedRow } from './merge-labels.ts';
import { buildNameFinder, type NameFinder } from './supplement-names.ts';

export const LABELS = 'interactions/labels.tsv';

const readOr = (path: string, fallback: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return fallback;
    throw error;
  });

/** Replaces a file atomically: a reader never sees half a table. */
const replaceFile = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error;
    throw new OperatorError(
      `Cannot write ${path}: this user may not. Give the folder of a working copy with --content.`,
    );
  }
};

export interface Names {
  readonly terms: Terms;
  readonly drugs: DrugBook;
  readonly find: NameFinder;
}

export const namesFor = async ({ services, use }: Context<InteractionServices>): Promise<Names> => {
  const [terms, drugs] = [await use(vocabularyPlugin).terms(), await services.drugs()];
  return { terms, drugs, find: buildNameFinder(terms, drugs) };
};

export class EditorsFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Opens the folder.
   * @throws OperatorError if `folder` contains no content.
   */
  static async at(folder: string): Promise<EditorsFiles> {
    const found = await stat(join(folder, 'interactions')).catch(() => null);
    if (!found?.isDirectory())
      throw new OperatorError(`${folder} has no folder interactions: give the folder content/ of a working copy.`);
    return new EditorsFiles(folder);
  }

  async #file(path: string, columns: readonly string[]): Promise<ContentFile> {
    return { path, text: await readOr(join(this.#folder, path), `${columns.join('\t')}\n`), digest: '' };
  }

  async labels(): Promise<ContentFile> {
    return this.#file(LABELS, LABEL_COLUMNS);
  }

  /** Returns the rows of labels.tsv; the medicine has the name that the drug book uses. */
  async confirmed(names: Names): Promise<readonly ConfirmedRow[]> {
    return confirmedIn(await this.labels(), names);
  }

  async candidates(): Promise<readonly CandidateRow[]> {
    return readCandidateTable({ path: CANDIDATES, text: await this.#candidateText(), digest: '' });
  }

  async #candidateText(): Promise<string> {
    return readOr(join(this.#folder, CANDIDATES), writeCandidateTable([]));
  }

  /** Writes the candidates, and returns whether the file changed. */
  async putCandidates(rows: readonly CandidateRow[]): Promise<boolean> {
    const text = writeCandidateTable(rows);
    if (text === (await this.#candidateText())) return false;
    await replaceFile(join(this.#folder, CANDIDATES), text);
    return true;
  }

  async putLabels(text: string): Promise<void> {
    await replaceFile(join(this.#folder, LABELS), text);
  }
}

/**
 * Returns the confirmed rows of the file.
 * @throws ContentError as a sync would.
 */
export const confirmedIn = (file: ContentFile, { terms, drugs }: Names): readonly ConfirmedRow[] => {
  const known = { supplements: terms.supplements, substances: terms.substances, drugs, refs: new Set<string>() };
  return readLabelTable(file, known).map((placed: PlacedStatement) => ({
    ...placed,
    medicine: drugNamed(drugs, placed.statement.medicine)?.name ?? placed.statement.medicine,
  }));
};
