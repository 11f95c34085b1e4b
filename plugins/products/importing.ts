/** One stream of label events into the catalogue: batch by batch, resumable, with counts and reasons. */

import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { recordChanges } from '#core/db/change-log.ts';
import { withLease } from '#core/db/lease.ts';
import type { Database } from '#core/plugin.ts';
import { ProductImport } from './entities.ts';
import type { LabelEvent } from './importers/events.ts';
import type { LabelPatch } from './label.ts';
import type { LabelMatcher } from './matching/matcher.ts';
import { type ApplyCounts, applyBatch } from './store.ts';

/** The one lease of the catalogue: change numbers appear in order, and files are merged one after the other. */
export const CATALOGUE_LEASE = 'products';

/** A transaction holds at most this many labels. */
const BATCH = 1_000;
/** Behind a running site: readers get every second moment of the database. */
const GENTLE_BATCH = 250;
/** The change log names at most this many changes of market status of one import; the rest is in its counts. */
const MOST_STATUS_EVENTS = 100;
export const PROBLEMS_KEPT = 50;

export interface ImportReport extends ApplyCounts {
  read: number;
  skipped: number;
  /** Events of an earlier, interrupted run of the same file that were in already; the counts above include them. */
  resumedAfter: number;
  /** The first problems, each with its place. */
  readonly problems: { at: string; message: string }[];
}

export interface LabelSource {
  /** What is imported, for the log: `dsld`, `starter`. */
  readonly kind: string;
  readonly path: string;
  /** Changes when the events would. */
  readonly identity: string;
  events(signal: AbortSignal): AsyncIterable<LabelEvent>;
}

export interface ImportOptions {
  readonly signal: AbortSignal;
  readonly matcher: LabelMatcher;
  readonly waitSeconds?: number;
  /** Small batches, and a rest as long as each. */
  readonly gently?: boolean;
  onProgress?(report: ImportReport): void;
}

const COUNTED = ['added', 'changed', 'unchanged', 'status_changed'] as const;

/** Imports a source; holds the catalogue alone meanwhile. Answers null when somebody else keeps it for too long. */
export const importLabels = async (
  db: Database,
  source: LabelSource,
  options: ImportOptions,
): Promise<ImportReport | null> => {
  const waitSeconds = options.waitSeconds ?? 60;
  const done = await withLease(db, CATALOGUE_LEASE, { waitSeconds }, () => new Run(db, source, options).finish());
  return done?.result ?? null;
};

class Run {
  readonly #db: Database;
  readonly #source: LabelSource;
  readonly #options: ImportOptions;
  readonly #report: ImportReport = {
    read: 0,
    added: 0,
    changed: 0,
    unchanged: 0,
    status_changed: 0,
    skipped: 0,
    resumedAfter: 0,
    problems: [],
  };
  readonly #run: { id: string; startedAt: Date } = { id: randomUUID(), startedAt: new Date() };
  readonly #identity: string;
  /** Events seen, good or not: the place to go on from. */
  #position = 0;

  constructor(db: Database, source: LabelSource, options: ImportOptions) {
    this.#db = db;
    this.#source = source;
    this.#options = options;
    this.#identity = createHash('sha256').update(`${source.kind}\0${source.identity}`).digest('hex').slice(0, 32);
  }

  async finish(): Promise<ImportReport> {
    await this.#begin();
    let batch: LabelPatch[] = [];
    for await (const event of this.#source.events(this.#options.signal)) {
      this.#position += 1;
      if (event.type === 'problem') this.#note(event);
      else {
        this.#report.read += 1;
        if (this.#position > this.#report.resumedAfter) batch.push(event.patch);
      }
      if (batch.length < (this.#options.gently ? GENTLE_BATCH : BATCH)) continue;
      const startedAt = performance.now();
      await this.#write(batch, 'running');
      batch = [];
      if (this.#options.gently) await sleep(performance.now() - startedAt);
      // Where a server does this behind its answers, they come first.
      await turn();
    }
    await this.#write(batch, 'done');
    return this.#report;
  }

  /** An interrupted run of the same file is continued behind its last whole batch. */
  async #begin(): Promise<void> {
    const last = await this.#db.read((em) =>
      em.findOne(ProductImport, { fileIdentity: this.#identity }, { orderBy: { startedAt: 'desc' } }),
    );
    if (last?.status !== 'running') return;
    this.#report.resumedAfter = last.position;
    for (const name of COUNTED) this.#report[name] = last.counts[name] ?? 0;
    this.#run.id = last.id;
    this.#run.startedAt = last.startedAt;
  }

  #note({ at, message }: { at: string; message: string }): void {
    this.#report.skipped += 1;
    if (this.#report.problems.length < PROBLEMS_KEPT) this.#report.problems.push({ at, message });
  }

  async #write(batch: readonly LabelPatch[], status: 'running' | 'done'): Promise<void> {
    this.#options.signal.throwIfAborted();
    const counts = await this.#db.write(async (em) => {
      const mostEvents = Math.max(0, MOST_STATUS_EVENTS - this.#report.status_changed);
      const applied = await applyBatch(em, batch, { matcher: this.#options.matcher, mostEvents });
      const { problems: _, ...numbers } = this.#report;
      const total = { ...numbers };
      for (const name of COUNTED) total[name] += applied[name];
      await em.upsert(ProductImport, {
        ...this.#run,
        kind: this.#source.kind,
        path: this.#source.path,
        fileIdentity: this.#identity,
        status,
        position: this.#position,
        counts: total,
        finishedAt: status === 'done' ? new Date() : null,
      });
      if (status === 'done' && total.added + total.changed > 0) {
        await recordChanges(em, [
          { kind: 'product.imported', subjectType: 'catalogue', subjectId: this.#source.kind, data: total },
        ]);
      }
      return applied;
    });
    for (const name of COUNTED) this.#report[name] += counts[name];
    this.#options.onProgress?.(this.#report);
  }
}
