/**
 * Writes to the corpus: a batch of records, deletions and retraction notices goes in as one transaction, so that a
 * killed import leaves whole batches only. Equal input changes nothing.
 */
import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { type Change, recordChanges } from '#core/db/change-log.ts';
import { OriginRecord, RetractionNotice, Source, SourceVertical } from './entities.ts';
import { type Projected, project } from './projection.ts';
import { isRegistryRecord, newSourceId, originKey } from './source-id.ts';
import type { ImportEvent, Origin, RetractionStatus, SourceRecord } from './source-record.ts';
import type { VocabularyMatcher } from './vocabulary-matcher.ts';

export interface ApplyCounts {
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
}

export interface Grader {
  readonly matcher: VocabularyMatcher;
  /** Formula and vocabulary, as stored in `projection`. */
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
const present = (values: readonly string[]): string[] => [...new Set(values.filter(Boolean))];

/** Applies one batch. The caller holds the `corpus` lease. */
export const applyBatch = async (em: EntityManager, events: readonly Event[], grader: Grader): Promise<ApplyCounts> => {
  const counts: ApplyCounts = { added: 0, changed: 0, unchanged: 0, removed: 0 };
  const touched = new Set<string>();
  await applyRecords(em, events, counts, touched);
  await applyDeletions(em, events, counts, touched);
  await applyNotices(em, events, counts, touched);
  const outcome = await reproject(em, [...touched], grader);
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
  const resolve = await sourceResolver(
    em,
    fresh.map(([, record]) => record),
  );
  const importedAt = new Date();
  const files = new Map(
    events.flatMap((event) =>
      event.type === 'record' && event.record.origin === 'content' ? [[event.record, event.at]] : [],
    ),
  );
  const rows = fresh.map(([key, record]) => ({
    origin: record.origin,
    originKey: originKey(record),
    sourceId: known.get(key)?.sourceId ?? resolve(record),
    digest: digestOf(record),
    payload: record,
    file: files.get(record) ?? '',
    importedAt,
  }));
  await bulkUpsert(em, 'evidence_record', ['origin', 'originKey'], rows);
  for (const row of rows) touched.add(row.sourceId);
};

const loadOriginRows = async (em: EntityManager, records: readonly SourceRecord[]) => {
  const rows = (await em.find(
    OriginRecord,
    { origin: { $in: present(records.map(({ origin }) => origin)) }, originKey: { $in: records.map(originKey) } },
    { fields: ['origin', 'originKey', 'sourceId', 'digest'], disableIdentityMap: true },
  )) as unknown as OriginRow[];
  return new Map(rows.map((row) => [rowKey(row.origin, row.originKey), row]));
};

/**
 * Finds the source a record belongs to: by PMID; by DOI unless both have different PMIDs; a registry record by its NCT
 * number. Otherwise a new id, which later records of the batch find too.
 */
const sourceResolver = async (em: EntityManager, records: readonly SourceRecord[]) => {
  const [pmids, dois] = [present(records.map(({ pmid }) => pmid)), present(records.map(({ doi }) => doi))];
  const ncts = present(records.filter(isRegistryRecord).map(({ nctId }) => nctId));
  const found = (await em.find(
    Source,
    { $or: [{ pmid: { $in: pmids } }, { doi: { $in: dois } }, { nctId: { $in: ncts }, pmid: '', doi: '' }] },
    { fields: ['sourceId', 'pmid', 'doi', 'nctId'], disableIdentityMap: true },
  )) as unknown as KnownSource[];
  const byPmid = new Map<string, string>();
  const byDoi = new Map<string, { sourceId: string; pmid: string }>();
  const byNct = new Map<string, string>();
  const learn = (sourceId: string, { pmid, doi, nctId }: Pick<SourceRecord, 'pmid' | 'doi' | 'nctId'>): void => {
    if (pmid) byPmid.set(pmid, sourceId);
    if (doi && !(byDoi.has(doi) && !pmid)) byDoi.set(doi, { sourceId, pmid });
    if (isRegistryRecord({ pmid, doi, nctId })) byNct.set(nctId, sourceId);
  };
  for (const source of found) learn(source.sourceId, source);
  return (record: SourceRecord): string => {
    const sameDoi = record.doi ? byDoi.get(record.doi) : undefined;
    const doiFits = sameDoi && (!sameDoi.pmid || !record.pmid || sameDoi.pmid === record.pmid);
    const existing =
      (record.pmid && byPmid.get(record.pmid)) ||
      (doiFits && sameDoi.sourceId) ||
      (isRegistryRecord(record) && byNct.get(record.nctId));
    const sourceId = existing || newSourceId(record);
    learn(sourceId, record);
    return sourceId;
  };
};

const applyDeletions = async (
  em: EntityManager,
  events: readonly Event[],
  counts: ApplyCounts,
  touched: Set<string>,
): Promise<void> => {
  const pmids = events.flatMap((event) => (event.type === 'deletion' ? [event.pmid] : []));
  if (!pmids.length) return;
  const rows = (await em.find(
    OriginRecord,
    { origin: 'pubmed', originKey: { $in: pmids } },
    { fields: ['sourceId'], disableIdentityMap: true },
  )) as unknown as OriginRow[];
  await em.nativeDelete(OriginRecord, { origin: 'pubmed', originKey: { $in: pmids } });
  counts.unchanged += pmids.length - rows.length;
  for (const row of rows) touched.add(row.sourceId);
};

/** Keeps the notices for records that come later, and touches the sources that are here already. */
const applyNotices = async (
  em: EntityManager,
  events: readonly Event[],
  counts: ApplyCounts,
  touched: Set<string>,
): Promise<void> => {
  const notices = new Map<string, { identifier: string; status: string; reason: string }>();
  for (const event of events) {
    if (event.type !== 'retraction') continue;
    const { status, reason } = event;
    if (event.pmid) notices.set(`pmid:${event.pmid}`, { identifier: `pmid:${event.pmid}`, status, reason });
    if (event.doi) notices.set(`doi:${event.doi}`, { identifier: `doi:${event.doi}`, status, reason });
  }
  if (!notices.size) return;
  const known = await em.find(
    RetractionNotice,
    { identifier: { $in: [...notices.keys()] } },
    { disableIdentityMap: true },
  );
  const statusOf = new Map(known.map((row) => [row.identifier, row.status]));
  const fresh = [...notices.values()].filter(({ identifier, status }) => statusOf.get(identifier) !== status);
  counts.unchanged += events.filter((event) => event.type === 'retraction').length;
  if (!fresh.length) return;
  await bulkUpsert(em, 'evidence_retraction', ['identifier'], fresh);
  const ids = (kind: string) =>
    fresh
      .filter(({ identifier }) => identifier.startsWith(kind))
      .map(({ identifier }) => identifier.slice(kind.length));
  const here = (await em.find(
    Source,
    { $or: [{ pmid: { $in: ids('pmid:') } }, { doi: { $in: ids('doi:') } }] },
    { fields: ['sourceId'], disableIdentityMap: true },
  )) as unknown as KnownSource[];
  for (const { sourceId } of here) touched.add(sourceId);
  counts.unchanged -= here.length;
};

/** Grades the touched sources anew from all their records and writes those that differ. */
export const reproject = async (em: EntityManager, sourceIds: readonly string[], grader: Grader) => {
  const outcome = { added: 0, changed: 0, removed: 0, same: 0 };
  if (!sourceIds.length) return outcome;
  const known = await loadKnown(em, sourceIds);
  const records = await loadRecords(em, sourceIds);
  const listed = await loadNotices(em, records);
  const now = new Date();
  const writes: Projected[] = [];
  const changes: Change[] = [];
  const gone: string[] = [];
  for (const sourceId of sourceIds) {
    const before = known.get(sourceId);
    const mine = records.get(sourceId);
    if (!mine) {
      if (before && !before.removedAt) gone.push(sourceId);
      continue;
    }
    const after = project(sourceId, mine, listed(mine), grader.matcher);
    if (before && !before.removedAt && before.digest === after.digest && before.projection === grader.version) {
      outcome.same += 1;
      continue;
    }
    writes.push(after);
    outcome[before && !before.removedAt ? 'changed' : 'added'] += 1;
    if (before) changes.push(...changesOf(before, after));
  }
  await writeSources(em, writes, known, grader.version, now);
  await removeSources(em, gone, now);
  outcome.removed = gone.length;
  for (const sourceId of gone) changes.push({ kind: 'evidence.removed', subjectType: 'source', subjectId: sourceId });
  await recordChanges(em, changes);
  return outcome;
};

const loadKnown = async (em: EntityManager, sourceIds: readonly string[]) => {
  const rows = (await em.find(
    Source,
    { sourceId: { $in: [...sourceIds] } },
    { fields: [...KNOWN_FIELDS], disableIdentityMap: true },
  )) as unknown as KnownSource[];
  return new Map(rows.map((row) => [row.sourceId, row]));
};

const loadRecords = async (em: EntityManager, sourceIds: readonly string[]): Promise<Map<string, SourceRecord[]>> => {
  const rows = (await em.find(
    OriginRecord,
    { sourceId: { $in: [...sourceIds] } },
    { fields: ['sourceId', 'payload'], disableIdentityMap: true, orderBy: { origin: 'asc', originKey: 'asc' } },
  )) as unknown as OriginRow[];
  const bySource = new Map<string, SourceRecord[]>();
  for (const { sourceId, payload } of rows) bySource.set(sourceId, [...(bySource.get(sourceId) ?? []), payload]);
  return bySource;
};

const loadNotices = async (em: EntityManager, records: ReadonlyMap<string, readonly SourceRecord[]>) => {
  const identifiersOf = (mine: readonly SourceRecord[]): string[] =>
    present(mine.flatMap(({ pmid, doi }) => [pmid && `pmid:${pmid}`, doi && `doi:${doi}`]));
  const identifiers = [...records.values()].flatMap(identifiersOf);
  const rows = identifiers.length
    ? await em.find(RetractionNotice, { identifier: { $in: identifiers } }, { disableIdentityMap: true })
    : [];
  const statusOf = new Map(rows.map((row) => [row.identifier, row.status as RetractionStatus]));
  return (mine: readonly SourceRecord[]): RetractionStatus[] =>
    identifiersOf(mine).flatMap((identifier) => statusOf.get(identifier) ?? []);
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

const removeSources = async (em: EntityManager, sourceIds: readonly string[], now: Date): Promise<void> => {
  if (!sourceIds.length) return;
  await em.execute(
    `update evidence_source set removed_at = ?, updated_at = ?, revision = nextval('evidence_revision'), digest = ''
     where source_id in (select jsonb_array_elements_text(?::jsonb))`,
    [now, now, JSON.stringify(sourceIds)],
  );
  await em.nativeDelete(SourceVertical, { sourceId: { $in: [...sourceIds] } });
};
