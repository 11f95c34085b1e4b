/**
 * Stores in the database which searches were made and which records are still to be fetched, so that an interrupted run can
 * continue.
 */

import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { findRows } from '#core/db/find-rows.ts';
import type { Database } from '#core/plugin.ts';
import { PubmedSearch, QueuedPmid } from './entities.ts';

export interface SearchRow {
  readonly run: string;
  readonly ordinal: number;
  readonly identity: string;
  readonly label: string;
  readonly found: number;
  readonly repeated: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly problem: string;
  readonly searchedAt: Date;
}

export interface QueueRow {
  readonly run: string;
  readonly pmid: string;
  readonly ordinal: number;
  readonly state: 'waiting' | 'stored' | 'skipped';
  readonly reason: string;
}

export type FoundSearch = Pick<SearchRow, 'ordinal' | 'label' | 'found' | 'problem'> & {
  readonly pmids: readonly string[];
};

/** Number of days after which a list of PMIDs is outdated and the searches are repeated. */
const DAYS_KEPT = 7;

/** The queue of one run. Only the holder of the lease `pubmed-search` may open one. */
export class Queue {
  readonly #db: Database;
  readonly #identity: string;
  readonly #known: Set<string>;
  readonly run: string;
  /** Whether an interrupted run left this queue. */
  readonly isContinued: boolean;
  /** Ordinals of the searches already made. */
  readonly searched: Set<number>;

  private constructor(db: Database, identity: string, searches: readonly SearchRow[], known: Set<string>) {
    this.#db = db;
    this.#identity = identity;
    this.#known = known;
    this.run = searches[0]?.run ?? randomUUID();
    this.isContinued = searches.length > 0;
    this.searched = new Set(searches.map(({ ordinal }) => ordinal));
  }

  /** Opens the queue of the interrupted run with this identity, or an empty one. */
  static async open(db: Database, identity: string): Promise<Queue> {
    const oldest = new Date(Date.now() - DAYS_KEPT * 86_400_000);
    const searches = await db.write(async (em) => {
      const stale = await findRows<SearchRow>(em, PubmedSearch, { searchedAt: { $lt: oldest } }, { fields: ['run'] });
      for (const run of new Set(stale.map((row) => row.run))) await removeRun(em, run);
      return findRows<SearchRow>(em, PubmedSearch, { identity });
    });
    const run = searches[0]?.run;
    const rows = run ? await db.read((em) => findRows<QueueRow>(em, QueuedPmid, { run }, { fields: ['pmid'] })) : [];
    return new Queue(db, identity, searches, new Set(rows.map(({ pmid }) => pmid)));
  }

  /** Stores the result of a search in one transaction. PMIDs of an earlier search of the run are only counted. */
  async add({ ordinal, label, found, problem, pmids }: FoundSearch): Promise<void> {
    const fresh = [...new Set(pmids)].filter((pmid) => !this.#known.has(pmid));
    const search: SearchRow = {
      run: this.run,
      ordinal,
      identity: this.#identity,
      label,
      found,
      repeated: pmids.length - fresh.length,
      counts: {},
      problem,
      searchedAt: new Date(),
    };
    await this.#db.write(async (em) => {
      await bulkUpsert(em, 'evidence_pubmed_search', ['run', 'ordinal'], [{ ...search }]);
      await bulkUpsert(
        em,
        'evidence_pubmed_queue',
        ['run', 'pmid'],
        fresh.map((pmid) => ({ run: this.run, pmid, ordinal, state: 'waiting', reason: '' })),
      );
    });
    for (const pmid of fresh) this.#known.add(pmid);
    this.searched.add(ordinal);
  }

  /** Returns the PMIDs still to be fetched, ordered by search. */
  waiting(): Promise<readonly QueueRow[]> {
    const wanted = { run: this.run, state: 'waiting' };
    return this.#db.read((em) =>
      findRows<QueueRow>(em, QueuedPmid, wanted, { orderBy: { ordinal: 'asc', pmid: 'asc' } }),
    );
  }

  searches(): Promise<readonly SearchRow[]> {
    return this.#db.read((em) =>
      findRows<SearchRow>(em, PubmedSearch, { run: this.run }, { orderBy: { ordinal: 'asc' } }),
    );
  }

  skipped(): Promise<readonly QueueRow[]> {
    return this.#db.read((em) =>
      findRows<QueueRow>(em, QueuedPmid, { run: this.run, state: 'skipped' }, { orderBy: { pmid: 'asc' } }),
    );
  }

  /** Removes the rows of the run, so that the same command makes its searches again. */
  async close(): Promise<void> {
    await this.#db.write((em) => removeRun(em, this.run));
  }
}

const removeRun = async (em: EntityManager, run: string): Promise<void> => {
  await em.nativeDelete(QueuedPmid, { run });
  await em.nativeDelete(PubmedSearch, { run });
};

/** Records the state of the PMIDs of a batch in its transaction, and adds to the counts of their searches. */
export const settle = async (
  em: EntityManager,
  rows: readonly QueueRow[],
  counts: ReadonlyMap<number, Readonly<Record<string, number>>>,
): Promise<void> => {
  const [first] = rows;
  if (!first) return;
  await bulkUpsert(
    em,
    'evidence_pubmed_queue',
    ['run', 'pmid'],
    rows.map((row) => ({ ...row })),
  );
  const { run } = first;
  const searches = await findRows<SearchRow>(em, PubmedSearch, { run, ordinal: { $in: [...counts.keys()] } });
  for (const { ordinal, counts: before } of searches) {
    const total = { ...before };
    for (const [name, count] of Object.entries(counts.get(ordinal) ?? {})) total[name] = (total[name] ?? 0) + count;
    await em.nativeUpdate(PubmedSearch, { run, ordinal }, { counts: total });
  }
};
