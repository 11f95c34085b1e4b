/** Core's own tables: the append-only change log, what was read from content/, leases, runs of jobs and imports, and small facts. */
import { defineEntity, p } from '@mikro-orm/core';

/** One thing that changed, written in the transaction of the change; never updated, never deleted. */
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

/** A file of content/ as it was last read. */
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

/** Who may do a thing alone, and until when. */
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

/** One run of an importer over one input; `position` counts the events that are safely in. */
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

/** Small facts of the installation, by name. */
export const Fact = defineEntity({
  name: 'Fact',
  tableName: 'fact',
  properties: {
    name: p.string().primary(),
    value: p.string(),
  },
});

export const coreEntities = [ChangeLog, ContentRecord, Lease, JobRun, ImportRun, Fact] as const;
