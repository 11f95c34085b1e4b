/**
 * Imports content/findings/*.tsv: tables of findings, of which rows are excluded unless `use` is main or subgroup (`reason` says
 * why); and content/findings/*.md: findings that an editor writes in front matter, followed by notes on the reading.
 */
import { Type } from 'typebox';
import { lineOfField, readFrontMatter } from '#core/content-file.ts';
import { bulkUpsert } from '#core/db/bulk.ts';
import { ContentError } from '#core/errors.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { FindingServices } from './book.ts';
import { FindingRow } from './entities.ts';
import { FindingMistake, type KnownSlugs, parseFinding } from './parse.ts';
import { once, readTable } from './read-table.ts';
import type { Finding } from './vocabulary.ts';

const TABLE = /^findings\/[a-z0-9-]+\.tsv$/;
const NOTE = /^findings\/[a-z0-9-]+\.md$/;

const NoteSchema = Type.Object({
  findings: Type.Array(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])), { minItems: 1 }),
});

const LOADED = ['main', 'subgroup'];

const inTable = async (file: ContentFile, known: KnownSlugs): Promise<Finding[]> => {
  const found: Finding[] = [];
  try {
    for await (const { line, values } of readTable(once(file.text))) {
      if (!LOADED.includes(String(values.use))) continue;
      try {
        found.push(parseFinding(values, known));
      } catch (error) {
        if (error instanceof FindingMistake) throw new ContentError(file.path, line, `field ${error.message}`);
        throw error;
      }
    }
  } catch (error) {
    if (error instanceof UnreadableInput) throw new ContentError(file.path, null, error.message);
    throw error;
  }
  return found;
};

const inNote = (file: ContentFile, known: KnownSlugs): Finding[] =>
  readFrontMatter(file, NoteSchema).data.findings.map((values, at) => {
    try {
      return parseFinding(values, known);
    } catch (error) {
      if (!(error instanceof FindingMistake)) throw error;
      const pointer = ['findings', at, error.field];
      throw new ContentError(file.path, lineOfField(file, pointer), `field findings.${at}.${error.message}`);
    }
  });

const findingsIn = (file: ContentFile, known: KnownSlugs): Promise<Finding[]> | Finding[] =>
  TABLE.test(file.path) ? inTable(file, known) : inNote(file, known);

export const findingContent: ContentSource<FindingServices> = {
  id: 'findings',
  matches: (path) => TABLE.test(path) || NOTE.test(path),
  sync: async ({ use }, files, gone, em) => {
    const known = await use(vocabularyPlugin).terms(em);
    await em.nativeDelete(FindingRow, { file: { $in: [...gone, ...files.map(({ path }) => path)] } });
    const fileOf = new Map(
      (await em.find(FindingRow, { file: { $ne: '' } }, { fields: ['id', 'file'], disableIdentityMap: true })).map(
        ({ id, file }) => [id, file],
      ),
    );
    const changedAt = new Date();
    for (const file of files) {
      const found = await findingsIn(file, known);
      for (const { id } of found) {
        const other = fileOf.get(id);
        if (other) throw new ContentError(file.path, null, `finding ${id} stands in content/${other} already`);
        fileOf.set(id, file.path);
      }
      // A row of content/ replaces an import of the same finding.
      const rows = found.map((finding) => ({
        id: finding.id,
        vertical: finding.vertical,
        file: file.path,
        finding,
        changedAt,
      }));
      await bulkUpsert(em, 'finding', ['id'], rows);
    }
  },
  committed: (services) => services.forget(),
};
