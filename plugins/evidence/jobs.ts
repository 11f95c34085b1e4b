/** Scheduled updates from PubMed: what was entered or changed since the last good run, for each supplement we hold. */

import type { Config } from '#core/config.ts';
import { recordChanges } from '#core/db/change-log.ts';
import { JobRun } from '#core/db/entities.ts';
import { withLease } from '#core/db/lease.ts';
import type { Database, Job } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type ApplyCounts, applyBatch, type Grader } from './corpus.ts';
import { createEutilities, type Eutilities } from './importers/eutilities.ts';
import type { EvidenceServices } from './services.ts';
import type { ImportEvent } from './source-record.ts';

const BATCH = 200;
const DAY_MS = 86_400_000;
/** The first run, and the most that any run looks back. */
const LOOK_BACK_DAYS = 30;
/** Study designs worth having, in PubMed's own filter words. */
const DESIGNS =
  '(randomized controlled trial[pt] OR meta-analysis[pt] OR systematic review[pt] OR practice guideline[pt])';

type GoodEvent = Exclude<ImportEvent, { type: 'problem' }>;
type UpdateCounts = ApplyCounts & { skipped: number };

const queryFor = (name: string, latinName: string): string =>
  `("${name}"[tiab]${latinName ? ` OR "${latinName}"[tiab]` : ''}) AND ${DESIGNS} AND dietary supplements[mh]`;

const pubmedDate = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll('-', '/');

const clientOf = (config: Config): Eutilities =>
  createEutilities({
    tool: 'supplement-evidence-base',
    email: config.text('NCBI_EMAIL'),
    apiKey: config.text('NCBI_API_KEY') || undefined,
    baseUrl: config.text('NCBI_BASE_URL') || undefined,
  });

/**
 * Goes on from the last good run that missed nothing: what a page could not bring is asked for again. One day of
 * overlap, so that an entry of its last minutes is not lost; twice changes nothing.
 */
const spanSince = async (db: Database): Promise<{ from: string; to: string }> => {
  const earliest = Date.now() - LOOK_BACK_DAYS * DAY_MS;
  const runs = await db.read((em) =>
    em.find(
      JobRun,
      { job: 'ingest_pubmed', status: 'ok', startedAt: { $gte: new Date(earliest) } },
      { orderBy: { id: 'desc' } },
    ),
  );
  const last = runs.find(({ counts }) => !counts.skipped);
  return {
    from: pubmedDate(Math.max(earliest, (last?.startedAt.getTime() ?? 0) - DAY_MS)),
    to: pubmedDate(Date.now()),
  };
};

const batchWriter = (db: Database, grader: Grader, counts: UpdateCounts) => {
  let batch: GoodEvent[] = [];
  const flush = async (): Promise<void> => {
    if (!batch.length) return;
    const events = batch;
    batch = [];
    const done = await withLease(db, 'corpus', { waitSeconds: 300 }, () =>
      db.write((em) => applyBatch(em, events, grader, counts)),
    );
    if (!done) throw new Error('another import has been holding the corpus for five minutes');
    for (const name of ['added', 'changed', 'unchanged', 'removed'] as const) counts[name] += done.result[name];
  };
  const add = async (event: ImportEvent): Promise<void> => {
    if (event.type === 'problem') counts.skipped += 1;
    else if (batch.push(event) >= BATCH) await flush();
  };
  return { add, flush };
};

const announce = async (db: Database, counts: UpdateCounts): Promise<void> => {
  if (counts.added + counts.changed + counts.removed === 0) return;
  const change = { kind: 'index.published', subjectType: 'corpus', subjectId: 'pubmed', data: { ...counts } } as const;
  await db.write((em) => recordChanges(em, [change]));
};

export const pubmedUpdate: Job<EvidenceServices> = {
  id: 'ingest_pubmed',
  summary: 'new and changed PubMed records on the supplements of the base',
  schedule: '17 3 * * *',
  timeoutSeconds: 3_600,
  // NCBI asks every client to say who it is.
  enabled: (config) => config.text('NCBI_EMAIL') !== '',
  run: async ({ services, db, config, signal, use }) => {
    const client = clientOf(config);
    const span = await spanSince(db);
    const terms = await use(vocabularyPlugin).terms();
    const counts: UpdateCounts = { added: 0, changed: 0, unchanged: 0, removed: 0, skipped: 0 };
    const writer = batchWriter(db, services.graderOf(terms), counts);
    try {
      for (const { name, latinName } of terms.supplements.values()) {
        const search = { term: queryFor(name, latinName), dateType: 'mdat' as const, ...span };
        for await (const event of client.records(search, signal)) await writer.add(event);
        await writer.flush();
      }
    } finally {
      // Batches of a run that failed later are in all the same.
      await announce(db, counts);
    }
    return { ...counts };
  },
};
