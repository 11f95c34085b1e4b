/**
 * Runs all searches and then stores all records that they found, each once, in batches; an interrupted run continues after the
 * last batch.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Change } from '#core/db/change-log.ts';
import { withLease } from '#core/db/lease.ts';
import { OperatorError } from '#core/errors.ts';
import { type ImportReport, runImport } from '#core/import/resumable-import.ts';
import type { Database } from '#core/plugin.ts';
import { applyBatch, type Grader } from '../corpus.ts';
import type { Eutilities } from '../importers/eutilities.ts';
import { withFindings } from '../reading/attach-findings.ts';
import { type Fetched, fetchRecords } from './fetch-records.ts';
import { refusalIn } from './ncbi-away.ts';
import { identify, type PlannedSearch } from './planned-search.ts';
import { type FoundSearch, Queue, type QueueRow, type SearchRow, settle } from './queue.ts';
import { listWhole } from './whole-result.ts';

const COUNTED = ['added', 'changed', 'unchanged', 'removed', 'skipped'] as const;
export type Counts = Record<(typeof COUNTED)[number], number>;

const BATCH = { events: 200 };
/** An interrupted run keeps its lease for 20 seconds. */
const RUN_WAIT_SECONDS = 30;
const CORPUS_WAIT_SECONDS = 300;

export interface SearchRun {
  readonly db: Database;
  readonly client: Eutilities;
  readonly grader: Grader;
  readonly signal: AbortSignal;
  onSearched?(searched: number, of: number): void;
  onListed?(listed: { readonly isContinued: boolean; readonly found: number; readonly waiting: number }): void;
  onProgress?(stored: number, of: number, counts: Readonly<Counts>): void;
}

export interface SearchReport {
  readonly counts: Readonly<Counts>;
  /** One row per search, in order, with the results of its records. */
  readonly searches: readonly SearchRow[];
  readonly skipped: readonly QueueRow[];
  readonly isContinued: boolean;
}

/**
 * Runs the searches and stores the records. Throws NcbiAway when NCBI does not respond, and OperatorError when another run is in
 * progress. Records already stored remain, and running the same searches again continues after them.
 */
export const runSearches = async (run: SearchRun, searches: readonly PlannedSearch[]): Promise<SearchReport> => {
  const done = await withLease(
    run.db,
    'pubmed-search',
    { waitSeconds: RUN_WAIT_SECONDS, signal: run.signal },
    async () => {
      const queue = await Queue.open(run.db, identify(searches));
      await makeSearches(run, queue, searches);
      const report = await store(run, queue);
      await queue.close();
      return report;
    },
  );
  run.signal.throwIfAborted();
  if (!done)
    throw new OperatorError(
      'Another PubMed search is running on this database. Wait until it has ended, then run the command again.',
    );
  return done.result;
};

const makeSearches = async (run: SearchRun, queue: Queue, searches: readonly PlannedSearch[]): Promise<void> => {
  for (const [ordinal, planned] of searches.entries()) {
    if (!queue.searched.has(ordinal)) await queue.add({ ...(await findPmids(run, planned)), ordinal });
    run.onSearched?.(ordinal + 1, searches.length);
  }
};

/** Makes one search. Throws NcbiAway when NCBI does not respond. */
const findPmids = async (
  { client, signal }: SearchRun,
  planned: PlannedSearch,
): Promise<Omit<FoundSearch, 'ordinal'>> => {
  const { label } = planned;
  if ('pmids' in planned) return { label, found: planned.pmids.length, pmids: planned.pmids, problem: '' };
  try {
    const { found, pmids, unlisted } = await listWhole(client, planned.search, signal);
    const problem = unlisted ? `PubMed did not list ${unlisted} of its ${found} records: narrow the query` : '';
    return { label, found, pmids, problem };
  } catch (error) {
    return { label, found: 0, pmids: [], problem: refusalIn(error, signal) };
  }
};

const store = async (run: SearchRun, queue: Queue): Promise<SearchReport> => {
  const waiting = await queue.waiting();
  const rows = new Map(waiting.map((row) => [row.pmid, row]));
  const found = (await queue.searches()).reduce((sum, search) => sum + search.found, 0);
  run.onListed?.({ isContinued: queue.isContinued, found, waiting: waiting.length });
  const report = await runImport<Fetched, keyof Counts>(batchByBatch(run.db), {
    kind: 'pubmed-search',
    path: 'PubMed',
    identity: queue.run,
    signal: run.signal,
    counted: COUNTED,
    batch: BATCH,
    continues: true,
    events: (signal) => withFoundRead(fetchRecords(run.client, [...rows.keys()], signal), run.grader),
    apply: (em, events, soFar) => applyFetched(em, { events, rows, grader: run.grader, added: soFar.added }),
    summary: publication,
    onProgress: (so) => run.onProgress?.(so.read - so.resumedAfter, waiting.length, so),
  });
  const [searches, skipped] = [await queue.searches(), await queue.skipped()];
  return { counts: pick(countProblems(report, searches)), searches, skipped, isContinued: queue.isContinued };
};

/** Returns the change log entry of a run, or null when the run changed nothing. */
export const publication = (counts: Readonly<Record<string, number>>): Change | null =>
  counts.added || counts.changed || counts.removed
    ? { kind: 'index.published', subjectType: 'corpus', subjectId: 'pubmed', data: pick(counts) }
    : null;

/**
 * Wraps the database so that each write takes the `corpus` lease for one batch only: a run can take hours, and other imports and
 * content/ need the lease in between.
 */
const batchByBatch = (db: Database): Database => ({
  ...db,
  write: async (work) => {
    const done = await withLease(db, 'corpus', { waitSeconds: CORPUS_WAIT_SECONDS }, () => db.write(work));
    if (!done)
      throw new OperatorError(
        'Another import has been holding the corpus for five minutes. Run the same command again when it has ended: it continues where this run stopped.',
      );
    return done.result;
  },
});

interface Batch {
  readonly events: readonly Fetched[];
  readonly rows: ReadonlyMap<string, QueueRow>;
  readonly grader: Grader;
  readonly added: number;
}

/** Reads the abstracts of fetched records. */
async function* withFoundRead(fetched: AsyncIterable<Fetched>, grader: Grader): AsyncGenerator<Fetched> {
  for await (const event of fetched) {
    if (event.type !== 'fetched') {
      yield event;
      continue;
    }
    const events: (typeof event.events)[number][] = [];
    for await (const one of withFindings(event.events, grader)) events.push(one);
    yield { ...event, events };
  }
}

const noCounts = (): Counts => ({ added: 0, changed: 0, unchanged: 0, removed: 0, skipped: 0 });

/** Writes a batch and its checkpoint in one transaction, search by search, so that each search has its own counts. */
const applyFetched = async (em: EntityManager, { events, rows, grader, added }: Batch): Promise<Counts> => {
  const bySearch = Map.groupBy(events, ({ pmid }) => rows.get(pmid)?.ordinal ?? 0);
  const counts = new Map<number, Counts>();
  const total = noCounts();
  for (const [ordinal, mine] of bySearch) {
    const records = mine.flatMap((event) => (event.type === 'fetched' ? event.events : []));
    const applied = await applyBatch(em, records, grader, { added: added + total.added });
    const skipped = mine.filter(({ type }) => type === 'missing').length;
    counts.set(ordinal, { ...applied, skipped });
    for (const name of COUNTED) total[name] += counts.get(ordinal)?.[name] ?? 0;
  }
  await settle(
    em,
    events.flatMap((event) => settled(event, rows)),
    counts,
  );
  return total;
};

const settled = (event: Fetched, rows: ReadonlyMap<string, QueueRow>): QueueRow[] => {
  const row = rows.get(event.pmid);
  if (!row) return [];
  return [event.type === 'missing' ? { ...row, state: 'skipped', reason: event.reason } : { ...row, state: 'stored' }];
};

/** Adds one skipped item for each search that did not return all of its records. */
const countProblems = (report: ImportReport<keyof Counts>, searches: readonly SearchRow[]): Counts => ({
  ...report,
  skipped: report.skipped + searches.filter(({ problem }) => problem).length,
});

const pick = (counts: Readonly<Record<string, number>>): Counts => {
  const picked = noCounts();
  for (const name of COUNTED) picked[name] = counts[name] ?? 0;
  return picked;
};
