/** content/sources/*.yaml: sources that an editor read, with a summary in our own words. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { readYaml } from '#core/content-file.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { applyBatch, reproject } from './corpus.ts';
import { OriginRecord } from './entities.ts';
import { type ContentSourceEntry, ContentSourceList } from './schemas.ts';
import type { EvidenceServices } from './services.ts';
import { originKey } from './source-id.ts';
import { emptyRecord, type SourceRecord } from './source-record.ts';

const SOURCE_FILE = /^sources\/[a-z0-9-]+\.yaml$/;
const BATCH = 300;

const recordOf = (entry: ContentSourceEntry): SourceRecord => ({
  ...emptyRecord('content'),
  pmid: entry.pmid ?? '',
  doi: (entry.doi ?? '').toLowerCase(),
  nctId: entry.nct_id ?? '',
  title: entry.title,
  journal: entry.journal,
  year: entry.year,
  authors: entry.authors ?? [],
  publicationTypes: entry.publication_types,
  license: entry.license ?? '',
  stated: {
    design: entry.design as 'rct',
    sampleSize: entry.sample_size,
    studies: entry.studies ?? null,
    population: entry.population,
    species: entry.species as 'human',
    direction: entry.direction as 'positive',
    funding: entry.funding as 'none',
    summary: entry.summary.trim(),
    supplements: entry.supplements,
    topics: entry.topics,
    read: entry.read as 'abstract',
  },
});

interface Entry {
  readonly file: ContentFile;
  readonly record: SourceRecord;
}

const refuseUnknownWords = (
  entries: readonly Entry[],
  supplements: ReadonlyMap<string, unknown>,
  topics: ReadonlyMap<string, unknown>,
): void => {
  for (const { file, record } of entries) {
    const supplement = record.stated?.supplements.find((slug) => !supplements.has(slug));
    if (supplement)
      throw new ContentError(file.path, null, `source ${originKey(record)}: no supplement is called "${supplement}"`);
    const topic = record.stated?.topics.find((slug) => !topics.has(slug));
    if (topic) throw new ContentError(file.path, null, `source ${originKey(record)}: no topic is called "${topic}"`);
  }
};

const refuseDoubles = async (em: EntityManager, entries: readonly Entry[]): Promise<void> => {
  const fileOf = new Map<string, string>();
  const changing = new Set(entries.map(({ file }) => file.path));
  const kept = await em.find(
    OriginRecord,
    { origin: 'content', originKey: { $in: entries.map(({ record }) => originKey(record)) } },
    { fields: ['originKey', 'file'] },
  );
  for (const row of kept) if (!changing.has(row.file)) fileOf.set(row.originKey, row.file);
  for (const { file, record } of entries) {
    const key = originKey(record);
    const other = fileOf.get(key);
    if (other) throw new ContentError(file.path, null, `source ${key} stands in content/${other} already`);
    fileOf.set(key, file.path);
  }
};

/** Rows of files that went, or of entries that left their file. */
const dropMissing = async (
  em: EntityManager,
  files: readonly ContentFile[],
  gone: readonly string[],
  entries: readonly Entry[],
): Promise<string[]> => {
  const here = new Set(entries.map(({ file, record }) => `${file.path} ${originKey(record)}`));
  const rows = await em.find(
    OriginRecord,
    { file: { $in: [...gone, ...files.map(({ path }) => path)] } },
    { fields: ['originKey', 'file', 'sourceId'] },
  );
  const lost = rows.filter((row) => !here.has(`${row.file} ${row.originKey}`));
  await em.nativeDelete(OriginRecord, { origin: 'content', originKey: { $in: lost.map((row) => row.originKey) } });
  em.clear();
  return lost.map((row) => row.sourceId);
};

export const sourceContent: ContentSource<EvidenceServices> = {
  id: 'sources',
  matches: (path) => SOURCE_FILE.test(path),
  sync: async ({ services, use }, files, gone, em) => {
    const terms = await use(vocabularyPlugin).terms(em);
    const entries = files.flatMap((file) =>
      readYaml(file, ContentSourceList).map((entry) => ({ file, record: recordOf(entry) })),
    );
    refuseUnknownWords(entries, terms.supplements, terms.topics);
    await refuseDoubles(em, entries);
    const lost = await dropMissing(em, files, gone, entries);
    const grader = services.graderOf(terms);
    for (let at = 0; at < entries.length; at += BATCH) {
      const events = entries
        .slice(at, at + BATCH)
        .map(({ file, record }) => ({ type: 'record' as const, at: file.path, record }));
      await applyBatch(em, events, grader);
    }
    await reproject(em, lost, grader);
  },
};
