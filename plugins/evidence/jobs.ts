/** Scheduled updates from PubMed: records that were added or changed since the last successful run, for each supplement. */

import { recordChanges } from '#core/db/change-log.ts';
import { JobRun } from '#core/db/entities.ts';
import type { Database, Job } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { clientFrom } from './pubmed-search/client.ts';
import { supplementSearches } from './pubmed-search/plan-searches.ts';
import { type Counts, publication, runSearches } from './pubmed-search/run.ts';
import type { EvidenceServices } from './services.ts';

const DAY_MS = 86_400_000;
/** Number of days that the first run covers, and the maximum for any run. */
const LOOK_BACK_DAYS = 30;
const pubmedDate = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll('-', '/');

/**
 * Returns the dates since the last successful run without skipped records, so that missing records are requested again. One day
 * of overlap covers entries of its last minutes; importing them twice changes nothing.
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

const announce = async (db: Database, counts: Readonly<Counts>): Promise<void> => {
  const change = publication(counts);
  if (change) await db.write((em) => recordChanges(em, [change]));
};

export const pubmedUpdate: Job<EvidenceServices> = {
  id: 'ingest_pubmed',
  summary: 'new and changed PubMed records on the supplements of the base',
  schedule: '17 3 * * *',
  timeoutSeconds: 3_600,
  // NCBI requires every client to identify itself.
  enabled: (config) => config.text('NCBI_EMAIL') !== '',
  run: async (context) => {
    const { services, db, config, signal, use } = context;
    const searches = await supplementSearches(context, [], await spanSince(db));
    const grader = services.graderOf(await use(vocabularyPlugin).terms());
    let sofar: Readonly<Counts> | null = null;
    const onProgress = (_stored: number, _of: number, counts: Readonly<Counts>): void => {
      sofar = counts;
    };
    const run = { db, client: clientFrom(config), grader, signal, onProgress };
    const report = await runSearches(run, searches).catch(async (error: unknown) => {
      // Announce the changes now: a failed run has announced nothing, and no later run continues it, because its dates differ.
      if (sofar) await announce(db, sofar);
      throw error;
    });
    const refused = report.searches.find(({ problem }) => problem);
    if (refused) throw new Error(`${refused.label}: ${refused.problem}`);
    return { ...report.counts };
  },
};
