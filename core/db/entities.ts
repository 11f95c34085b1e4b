/** Core's own tables: the append-only change log, content files, leases, runs of jobs and imports, and key-value facts. */
import { defineEntity, p } from '@mikro-orm/core';

/** A change, written in the transaction that makes it; rows are never updated or deleted. */
export const ChangeLog = defineEntity({
  name: 'ChangeLog',
  tableName: 'change_log',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    at: p.datetime(),
    kind: p.string(),
    subjectType: p.string(),
    subjectId: p.string(),
    data: p.json<Record<string, unknown>>(),
  },
});

/** A content file as it was last synchronized. */
export const ContentRecord = defineEntity({
  name: 'ContentRecord',
  tableName: 'content_file',
  properties: {
    path: p.string().primary(),
    source: p.string(),
    digest: p.string(),
    syncedAt: p.datetime(),
  },
});

/** A named lease: its owner has exclusive access until it expires. */
export const Lease = defineEntity({
  name: 'Lease',
  tableName: 'lease',
  properties: {
    name: p.string().primary(),
    owner: p.string(),
    expiresAt: p.datetime(),
  },
});

/** One run of a job. */
export const JobRun = defineEntity({
  name: 'JobRun',
  tableName: 'job_run',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    job: p.string(),
    status: p.string(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    counts: p.json<Record<string, number>>(),
    error: p.string(),
  },
});

/** One run of an importer over one input; `position` is the number of committed events. */
export const ImportRun = defineEntity({
  name: 'ImportRun',
  tableName: 'import_run',
  properties: {
    id: p.string().primary(),
    kind: p.string(),
    path: p.string(),
    fileIdentity: p.string(),
    status: p.string(),
    position: p.integer(),
    counts: p.json<Record<string, number>>(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
  },
});

/** Key-value facts about the installation. */
export const Fact = defineEntity({
  name: 'Fact',
  tableName: 'fact',
  properties: {
    name: p.string().primary(),
    value: p.string(),
  },
});

export const coreEntities = [ChangeLog, ContentRecord, Lease, JobRun, ImportRun, Fact] as const;
