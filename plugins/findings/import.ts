/**
 * Command `npm run import -- findings <path…>`: imports tables and JSON Lines of findings. A file `reviews.tsv` in the same
 * folder supplies the titles of reviews.
 */
import { dirname, join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { bytesOf, filesUnder, type InputFile } from '#core/import/input-files.ts';
import { decodeText } from '#core/import/text-stream.ts';
import { reasonOf } from '#core/import/unreadable-input.ts';
import type { Context, Importer } from '#core/plugin.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { FindingServices } from './book.ts';
import { FindingMistake, parseFinding } from './parse.ts';
import { readJsonLines, readTable } from './read-table.ts';
import { type MapNames, mapReviewRow, type ReviewTitles } from './review-layout.ts';
import type { Finding } from './vocabulary.ts';

const WANTED = /(findings?|landmark)[^/]*\.(tsv|csv|jsonl|ndjson)(\.gz)?$/i;
const BATCH = 500;
const SHOWN_PROBLEMS = 20;

interface Tally {
  read: number;
  saved: number;
  skipped: number;
  readonly problems: string[];
}

const textOf = (file: InputFile, signal: AbortSignal): AsyncIterable<string> =>
  decodeText(bytesOf(file, signal)).chunks;

/** Reads titles, years and authors of reviews by DOI from `reviews.tsv` next to the table; empty when the file does not exist. */
const readTitles = async (path: string, signal: AbortSignal): Promise<ReviewTitles> => {
  const titles = new Map<string, ReturnType<ReviewTitles['get']> & object>();
  const file = { path: join(dirname(path), 'reviews.tsv'), name: 'reviews.tsv' };
  try {
    for await (const { values } of readTable(textOf(file, signal))) {
      const [doi, title] = [String(values.doi ?? '').toLowerCase(), String(values.title ?? '')];
      const year = /\d{4}/.exec(String(values.published ?? values.year ?? ''))?.[0] ?? '';
      if (doi && title)
        titles.set(doi, { title, year, firstAuthor: /^[^,;]+/.exec(String(values.authors ?? ''))?.[0] ?? '' });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return titles;
};

/** Saves findings, except those that content/ already defines; returns the number saved. */
const save = async (em: EntityManager, findings: readonly Finding[]): Promise<number> => {
  const ids = JSON.stringify(findings.map(({ id }) => id));
  const own = (await em.execute(
    "select id from finding where file <> '' and id in (select jsonb_array_elements_text(?::jsonb))",
    [ids],
  )) as unknown as readonly { id: string }[];
  const taken = new Set(own.map(({ id }) => id));
  const changedAt = new Date();
  const rows = [...new Map(findings.map((finding) => [finding.id, finding])).values()]
    .filter(({ id }) => !taken.has(id))
    .map((finding) => ({ id: finding.id, vertical: finding.vertical, file: '', finding, changedAt }));
  await bulkUpsert(em, 'finding', ['id'], rows);
  return rows.length;
};

const importFile = async (
  { db, signal }: Context<FindingServices>,
  file: InputFile,
  { terms, names }: { readonly terms: Terms; readonly names: MapNames },
): Promise<Tally> => {
  const tally: Tally = { read: 0, saved: 0, skipped: 0, problems: [] };
  const titles = await readTitles(file.path, signal);
  const isJson = /\.(jsonl|ndjson)(\.gz)?$/i.test(file.name);
  const chunks = textOf(file, signal);
  let batch: Finding[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length) tally.saved += await db.write((em) => save(em, batch));
    batch = [];
  };
  for await (const { line, values } of isJson ? readJsonLines(chunks) : readTable(chunks)) {
    tally.read += 1;
    try {
      batch.push(parseFinding(await mapReviewRow(values, titles, names), terms));
    } catch (error) {
      if (!(error instanceof FindingMistake)) throw error;
      tally.skipped += 1;
      if (tally.problems.length < SHOWN_PROBLEMS) tally.problems.push(`line ${line}: ${error.message}`);
    }
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  return tally;
};

export const findingImporter: Importer<FindingServices> = {
  id: 'findings',
  summary: 'findings of reviews and trials: tables (TSV, CSV) and JSON Lines',
  run: async (context, paths, out) => {
    const vocabulary = context.use(vocabularyPlugin);
    const terms = await vocabulary.terms();
    const names: MapNames = {
      // Typo corrections are rejected, because no person reviews the name under which a finding is filed.
      supplement: async (name) => {
        const hit = await vocabulary.resolve(name, ['supplement']);
        return hit && hit.match_type !== 'typo' ? hit.slug : '';
      },
      topics: [...terms.topics.values()],
    };
    let clean = true;
    const importOne = async (file: InputFile): Promise<void> => {
      const { read, saved, skipped, problems } = await importFile(context, file, { terms, names });
      out(`${file.name}: ${read} read, ${saved} saved, ${skipped} skipped`);
      for (const problem of problems) out(`  skipped ${problem}`);
      if (skipped > problems.length) out(`  … and ${skipped - problems.length} more`);
      clean &&= skipped === 0;
    };
    // Report a file or folder that cannot be read, and continue with the next one.
    const report = (name: string, error: unknown): void => {
      if (context.signal.aborted) throw error;
      out(`${name} ${reasonOf(error)}`);
      clean = false;
    };
    for (const path of paths) {
      try {
        for await (const file of filesUnder(path, WANTED))
          await importOne(file).catch((error: unknown) => report(file.name, error));
      } catch (error) {
        report(path, error);
      }
    }
    context.services.forget();
    return clean;
  },
};
