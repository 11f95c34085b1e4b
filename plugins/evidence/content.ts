/**
 * Imports three kinds of files. content/sources/*.yaml: sources that an editor read, with a summary in our own words.
 * content/references/*.yaml: papers that no editor has read yet, as a library lists them; moving an entry to content/sources
 * makes it a source. content/corrections/*.yaml: values that a program read wrongly in sources that no editor has entered.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { lineOfField, readYaml } from '#core/content-file.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { correctionOf, recordOf, referenceOf } from './content-records.ts';
import { applyBatch, reproject } from './corpus.ts';
import { OriginRecord } from './entities.ts';
import { reviewCorrections, reviewReferences, reviewSources } from './review.ts';
import { ContentSourceList, CorrectionList, ReferenceList } from './schemas.ts';
import type { EvidenceServices } from './services.ts';
import { originKey } from './source-id.ts';
import type { SourceRecord } from './source-record.ts';

const SOURCE_FILE = /^sources\/[a-z0-9-]+\.yaml$/;
const REFERENCE_FILE = /^references\/[a-z0-9-]+\.yaml$/;
const CORRECTION_FILE = /^corrections\/[a-z0-9-]+\.yaml$/;
const BATCH = 300;

const recordsIn = (file: ContentFile): readonly SourceRecord[] => {
  if (CORRECTION_FILE.test(file.path)) return readYaml(file, CorrectionList).map(correctionOf);
  return REFERENCE_FILE.test(file.path)
    ? readYaml(file, ReferenceList).map(referenceOf)
    : readYaml(file, ContentSourceList).map(recordOf);
};

interface Entry {
  readonly file: ContentFile;
  /** Index of the entry in the file, from 0. */
  readonly at: number;
  readonly record: SourceRecord;
}

const refuseUnknownWords = (
  entries: readonly Entry[],
  supplements: ReadonlyMap<string, unknown>,
  topics: ReadonlyMap<string, unknown>,
): void => {
  const refuse = (
    { file, at, record }: Entry,
    field: 'supplements' | 'topics',
    known: ReadonlyMap<string, unknown>,
  ) => {
    const words = { ...record.stated, ...record.corrected }[field] ?? [];
    const place = words.findIndex((slug) => !known.has(slug));
    if (place < 0) return;
    const mistake = `field ${at}.${field}.${place}: no ${field.slice(0, -1)} is called "${words[place]}"`;
    throw new ContentError(file.path, lineOfField(file, [at, field, place]), mistake);
  };
  const refuseSizes = ({ file, at, record }: Entry): void => {
    const sizes = record.stated?.effectSizes ?? [];
    const place = sizes.findIndex(({ topic }) => !record.stated?.topics.includes(topic));
    if (place < 0) return;
    const mistake = `field ${at}.effect_sizes.${place}.topic: "${sizes[place]?.topic}" is none of the topics of this source`;
    throw new ContentError(file.path, lineOfField(file, [at, 'effect_sizes', place]), mistake);
  };
  for (const entry of entries) {
    refuseSizes(entry);
    refuse(entry, 'supplements', supplements);
    refuse(entry, 'topics', topics);
  }
};

const identifiersOf = ({ pmid, doi, nctId }: Pick<SourceRecord, 'pmid' | 'doi' | 'nctId'>): string[] =>
  [pmid, doi, pmid || doi ? '' : nctId].filter(Boolean);

/** Throws ContentError when a source occurs twice, by whichever of its identifiers. */
const refuseDoubles = async (
  em: EntityManager,
  files: readonly ContentFile[],
  gone: readonly string[],
  entries: readonly Entry[],
): Promise<void> => {
  const fileOf = new Map<string, string>();
  const kept = await em.find(
    OriginRecord,
    { origin: { $in: ['content', 'correction'] }, file: { $nin: [...gone, ...files.map(({ path }) => path)] } },
    { fields: ['origin', 'payload', 'file'], disableIdentityMap: true },
  );
  for (const { origin, payload, file } of kept)
    for (const id of identifiersOf(payload)) fileOf.set(`${origin} ${id}`, file);
  for (const { file, at, record } of entries) {
    const ids = identifiersOf(record).map((id) => `${record.origin} ${id}`);
    const doubled = ids.find((id) => fileOf.has(id));
    if (doubled) {
      const mistake = `source ${doubled.split(' ')[1]} stands in content/${fileOf.get(doubled)} already`;
      throw new ContentError(file.path, lineOfField(file, [at]), mistake);
    }
    for (const id of ids) fileOf.set(id, file.path);
  }
};

/** Deletes the rows of removed files and of entries removed from their file; returns the ids of their sources. */
const dropMissing = async (
  em: EntityManager,
  files: readonly ContentFile[],
  gone: readonly string[],
  entries: readonly Entry[],
): Promise<string[]> => {
  const here = new Set(entries.map(({ file, record }) => `${file.path} ${record.origin} ${originKey(record)}`));
  const rows = await em.find(
    OriginRecord,
    { file: { $in: [...gone, ...files.map(({ path }) => path)] } },
    { fields: ['origin', 'originKey', 'file', 'sourceId'] },
  );
  const lost = rows.filter((row) => !here.has(`${row.file} ${row.origin} ${row.originKey}`));
  for (const [origin, gone] of Map.groupBy(lost, (row) => row.origin))
    await em.nativeDelete(OriginRecord, { origin, originKey: { $in: gone.map((row) => row.originKey) } });
  em.clear();
  return lost.map((row) => row.sourceId);
};

export const sourceContent: ContentSource<EvidenceServices> = {
  id: 'sources',
  matches: (path) => [SOURCE_FILE, REFERENCE_FILE, CORRECTION_FILE].some((pattern) => pattern.test(path)),
  review: (file) => {
    if (CORRECTION_FILE.test(file.path)) return reviewCorrections(file);
    return REFERENCE_FILE.test(file.path) ? reviewReferences(file) : reviewSources(file);
  },
  sync: async ({ services, use }, files, gone, em) => {
    const terms = await use(vocabularyPlugin).terms(em);
    const entries = files.flatMap((file) => recordsIn(file).map((record, at) => ({ file, at, record })));
    refuseUnknownWords(entries, terms.supplements, terms.topics);
    await refuseDoubles(em, files, gone, entries);
    const lost = await dropMissing(em, files, gone, entries);
    const grader = services.graderOf(terms);
    let added = 0;
    for (let at = 0; at < entries.length; at += BATCH) {
      const events = entries
        .slice(at, at + BATCH)
        .map(({ file, record }) => ({ type: 'record' as const, at: file.path, record }));
      added += (await applyBatch(em, events, grader, { added })).added;
    }
    await reproject(em, lost, grader);
  },
};
