/**
 * Writes to the corpus. Each batch of records, deletions and retraction notices is one transaction, so an interrupted import
 * leaves only whole batches. Importing equal input again changes nothing.
 */

import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { type Change, recordChanges } from '#core/db/change-log.ts';
import { findRows } from '#core/db/find-rows.ts';
import { OriginRecord, Source, SourceVertical } from './entities.ts';
import type { VocabularyMatcher } from './matching/matcher.ts';
import type { Vocabulary } from './matching/vocabulary.ts';
import { type Projected, project } from './projection.ts';
import { applyNotices, loadNotices } from './retraction-notices.ts';
import { originKey } from './source-id.ts';
import type { ImportEvent, Origin, RetractionStatus, SourceRecord } from './source-record.ts';
import { sourceResolver } from './source-resolver.ts';

export interface ApplyCounts {
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
}

export interface Grader {
  readonly matcher: VocabularyMatcher;
  /** Vocabulary that the matcher was compiled from. */
  readonly vocabulary: Vocabulary;
  /** Version of the scoring formula and the vocabulary, as stored in the column `projection`. */
  readonly version: string;
}

type Event = Exclude<ImportEvent, { type: 'problem' }>;

interface OriginRow {
  origin: Origin;
  originKey: string;
  sourceId: string;
  digest: string;
  payload: SourceRecord;
}

interface KnownSource {
  sourceId: string;
  pmid: string;
  doi: string;
  nctId: string;
  digest: string;
  projection: string;
  qualityTier: string;
  retractionStatus: RetractionStatus;
  removedAt: Date | null;
  createdAt: Date;
}

const KNOWN_FIELDS = [
  'sourceId',
  'pmid',
  'doi',
  'nctId',
  'digest',
  'projection',
  'qualityTier',
  'retractionStatus',
  'removedAt',
  'createdAt',
] as const;

const digestOf = (record: SourceRecord): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('hex').slice(0, 32);
const rowKey = (origin: string, key: string): string => `${origin} ${key}`;
/**
 * Returns whether a record comes from a file in content/. Such rows store the file name, so that they are removed together with
 * the file.
 */
const isFromContent = (origin: Origin): boolean => origin === 'content' || origin === 'correction';
const present = (values: readonly string[]): string[] => [...new Set(values.filter(Boolean))];

/**
 * Maximum number of new sources that an import reports one by one in the change log; for more, it reports only the total when it
 * ends.
 */
export const MOST_NEWS = 100;

/**
 * Applies one batch. `added` is the number of sources that the same import has already added. The caller must hold the `corpus`
 * lease.
 */
export const applyBatch = async (
  em: EntityManager,
  events: readonly Event[],
  grader: Grader,
  { added }: { readonly added: number } = { added: 0 },
): Promise<ApplyCounts> => {
  const counts: ApplyCounts = { added: 0, changed: 0, unchanged: 0, removed: 0 };
  const touched = new Set<string>();
  await applyRecords(em, events, counts, touched);
  await applyDeletions(em, events, counts, touched);
  const notices = events.filter((event) => event.type === 'retraction');
  await applyNotices(em, notices, counts, touched);
  const outcome = await reproject(em, [...touched], grader, MOST_NEWS - added);
  counts.added += outcome.added;
  counts.changed += outcome.changed;
  counts.removed += outcome.removed;
  counts.unchanged += outcome.same;
  return counts;
};

const applyRecords = async (
  em: EntityManager,
  events: readonly Event[],
  counts: ApplyCounts,
  touched: Set<string>,
): Promise<void> => {
  const records = new Map<string, SourceRecord>();
  for (const event of events) {
    if (event.type !== 'record') continue;
    const key = rowKey(event.record.origin, originKey(event.record));
    if (records.has(key)) counts.unchanged += 1;
    records.set(key, event.record);
  }
  if (!records.size) return;
  const known = await loadOriginRows(em, [...records.values()]);
  const fresh = [...records].filter(([key, record]) => known.get(key)?.digest !== digestOf(record));
  counts.unchanged += records.size - fresh.length;
  const resolver = await sourceResolver(
    em,
    fresh.map(([, record]) => record),
  );
  const importedAt = new Date();
  const files = new Map(
    events.flatMap((event) =>
      event.type === 'record' && isFromContent(event.record.origin) ? [[event.record, event.at]] : [],
    ),
  );
  const rows = fresh.map(([key, record]) => ({
    origin: record.origin,
    originKey: originKey(record),
    sourceId: resolver.sourceOf(record, known.get(key)?.sourceId),
    digest: digestOf(record),
    payload: record,
    file: files.get(record) ?? '',
    importedAt,
  }));
  await bulkUpsert(em, 'evidence_record', ['origin', 'originKey'], rows);
  for (const row of rows) touched.add(row.sourceId);
  for (const [from, to] of resolver.doubles) {
    await em.nativeUpdate(OriginRecord, { sourceId: from }, { sourceId: to });
    touched.add(from).add(to);
  }
};

const loadOriginRows = async (em: EntityManager, records: readonly SourceRecord[]) => {
  const rows = await findRows<OriginRow>(
    em,
    OriginRecord,
    { origin: { $in: present(records.map(({ origin }) => origin)) }, originKey: { $in: records.map(originKey) } },
    { fields: ['origin', 'originKey', 'sourceId', 'digest'] },
  );
  return new Map(rows.map((row) => [rowKey(row.origin, row.originKey), row]));
};

const applyDeletions = async (
  em: EntityManager,
  events: readonly Event[],
  counts: ApplyCounts,
  touched: Set<string>,
): Promise<void> => {
  const pmids = events.flatMap((event) => (event.type === 'deletion' ? [event.pmid] : []));
  if (!pmids.length) return;
  const wanted = { origin: 'pubmed', originKey: { $in: pmids } };
  const rows = await findRows<OriginRow>(em, OriginRecord, wanted, { fields: ['sourceId'] });
  await em.nativeDelete(OriginRecord, { origin: 'pubmed', originKey: { $in: pmids } });
  counts.unchanged += pmids.length - rows.length;
  for (const row of rows) touched.add(row.sourceId);
};

/**
 * Removes the records of an origin whose keys are not in `kept`, regrades their sources, and returns the number of removed
 * records.
 */
export const dropRecords = async (
  em: EntityManager,
  origin: Origin,
  kept: ReadonlySet<string>,
  grader: Grader,
): Promise<number> => {
  const rows = await findRows<OriginRow>(em, OriginRecord, { origin }, { fields: ['originKey', 'sourceId'] });
  const lost = rows.filter((row) => !kept.has(row.originKey));
  if (!lost.length) return 0;
  await em.nativeDelete(OriginRecord, { origin, originKey: { $in: lost.map((row) => row.originKey) } });
  await reproject(em, present(lost.map(({ sourceId }) => sourceId)), grader);
  return lost.length;
};

const creationOf = ({ sourceId, fields }: Projected): Change => ({
  kind: 'evidence.created',
  subjectType: 'source',
  subjectId: sourceId,
  data: {
    pmid: fields.pmid,
    doi: fields.doi,
    new: { quality_tier: fields.qualityTier, retraction_status: fields.retractionStatus },
  },
});

/**
 * Regrades the touched sources from all their records and writes those that differ. New sources are logged one by one only when
 * there are at most `mostNews` of them.
 */
export const reproject = async (em: EntityManager, sourceIds: readonly string[], grader: Grader, mostNews = 0) => {
  const outcome = { added: 0, changed: 0, removed: 0, same: 0 };
  if (!sourceIds.length) return outcome;
  const known = await loadKnown(em, sourceIds);
  const records = await loadRecords(em, sourceIds);
  const listed = await loadNotices(em, records);
  const now = new Date();
  const writes: Projected[] = [];
  const changes: Change[] = [];
  const news: Change[] = [];
  const gone: string[] = [];
  const regraded: string[] = [];
  for (const sourceId of sourceIds) {
    const before = known.get(sourceId);
    const mine = records.get(sourceId);
    // A correction has no effect until the record that it corrects exists.
    if (!mine?.some(({ origin }) => origin !== 'correction')) {
      if (before && !before.removedAt) gone.push(sourceId);
      continue;
    }
    const after = project(sourceId, mine, listed(mine), grader.matcher);
    if (before && !before.removedAt && before.digest === after.digest) {
      outcome.same += 1;
      if (before.projection !== grader.version) regraded.push(sourceId);
      continue;
    }
    writes.push(after);
    outcome[before && !before.removedAt ? 'changed' : 'added'] += 1;
    if (before) changes.push(...changesOf(before, after));
    else news.push(creationOf(after));
  }
  await writeSources(em, writes, known, grader.version, now);
  await noteRegraded(em, regraded, grader.version);
  await removeSources(em, gone, now);
  outcome.removed = gone.length;
  for (const sourceId of gone) changes.push({ kind: 'evidence.removed', subjectType: 'source', subjectId: sourceId });
  await recordChanges(em, news.length <= mostNews ? [...news, ...changes] : changes);
  return outcome;
};

const loadKnown = async (em: EntityManager, sourceIds: readonly string[]) => {
  const wanted = { sourceId: { $in: [...sourceIds] } };
  const rows = await findRows<KnownSource>(em, Source, wanted, { fields: KNOWN_FIELDS });
  return new Map(rows.map((row) => [row.sourceId, row]));
};

const loadRecords = async (em: EntityManager, sourceIds: readonly string[]): Promise<Map<string, SourceRecord[]>> => {
  const rows = await findRows<OriginRow>(
    em,
    OriginRecord,
    { sourceId: { $in: [...sourceIds] } },
    { fields: ['sourceId', 'payload'], orderBy: { origin: 'asc', originKey: 'asc' } },
  );
  const bySource = new Map<string, SourceRecord[]>();
  for (const { sourceId, payload } of rows) bySource.set(sourceId, [...(bySource.get(sourceId) ?? []), payload]);
  return bySource;
};

const changesOf = (before: KnownSource, { sourceId, fields }: Projected): Change[] => {
  const about = { subjectType: 'source', subjectId: sourceId };
  const ids = { pmid: fields.pmid, doi: fields.doi };
  const changes: Change[] = [];
  if (fields.retractionStatus === 'retracted' && before.retractionStatus !== 'retracted') {
    const old = { quality_tier: before.qualityTier, retraction_status: before.retractionStatus };
    changes.push({
      kind: 'evidence.retracted',
      ...about,
      data: { ...ids, old, new: { quality_tier: fields.qualityTier, retraction_status: 'retracted' } },
    });
  } else if (before.qualityTier !== fields.qualityTier) {
    changes.push({
      kind: 'evidence.tier_changed',
      ...about,
      data: { ...ids, old: { quality_tier: before.qualityTier }, new: { quality_tier: fields.qualityTier } },
    });
  } else {
    changes.push({ kind: 'evidence.updated', ...about, data: ids });
  }
  return changes;
};

const writeSources = async (
  em: EntityManager,
  writes: readonly Projected[],
  known: ReadonlyMap<string, KnownSource>,
  version: string,
  now: Date,
): Promise<void> => {
  if (!writes.length) return;
  const revisions = (await em.execute(
    "select nextval('evidence_revision')::float8 as revision from generate_series(1, ?)",
    [writes.length],
  )) as { revision: number }[];
  await bulkUpsert(
    em,
    'evidence_source',
    ['sourceId'],
    writes.map(({ sourceId, fields, digest }, at) => ({
      sourceId,
      ...fields,
      digest,
      projection: version,
      revision: Number(revisions[at]?.revision),
      createdAt: known.get(sourceId)?.createdAt ?? now,
      updatedAt: now,
      removedAt: null,
    })),
  );
  await em.nativeDelete(SourceVertical, { sourceId: { $in: writes.map(({ sourceId }) => sourceId) } });
  await bulkUpsert(
    em,
    'evidence_vertical',
    ['sourceId', 'vertical'],
    writes.flatMap(({ sourceId, verticals }) => verticals.map((row) => ({ sourceId, ...row }))),
  );
};

/**
 * Updates the projection version of sources whose grade stays the same under a new formula or vocabulary. No change is logged,
 * because readers would see none, but the revision increases so that the index reads the sources again: it contains the names of
 * supplements and topics.
 */
const noteRegraded = async (em: EntityManager, sourceIds: readonly string[], version: string): Promise<void> => {
  if (!sourceIds.length) return;
  await em.execute(
    `update evidence_source set projection = ?, revision = nextval('evidence_revision')
     where source_id in (select jsonb_array_elements_text(?::jsonb))`,
    [version, JSON.stringify(sourceIds)],
  );
};

const removeSources = async (em: EntityManager, sourceIds: readonly string[], now: Date): Promise<void> => {
  if (!sourceIds.length) return;
  await em.execute(
    `update evidence_source set removed_at = ?, updated_at = ?, revision = nextval('evidence_revision'), digest = ''
     where source_id in (select jsonb_array_elements_text(?::jsonb))`,
    [now, now, JSON.stringify(sourceIds)],
  );
  await em.nativeDelete(SourceVertical, { sourceId: { $in: [...sourceIds] } });
};
