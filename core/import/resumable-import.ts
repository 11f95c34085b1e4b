/** A stream of events into the database: batch by batch, each in one transaction with the place it ends at, so that a killed run goes on behind its last whole batch. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Change, recordChanges } from '../db/change-log.ts';
import { ImportRun } from '../db/entities.ts';
import type { Database } from '../plugin.ts';

/** What could not be read, and where. */
export interface ImportProblem {
  readonly type: 'problem';
  readonly at: string;
  readonly message: string;
}

export type ImportReport<C extends string> = Record<C, number> & {
  read: number;
  skipped: number;
  /** Events of an earlier, interrupted run of the same input that were in already; the counts include them. */
  resumedAfter: number;
  /** The first problems, each with its place. */
  readonly problems: { at: string; message: string }[];
};

/** More problems are only counted. */
export const PROBLEMS_KEPT = 50;

export interface ResumableImport<E extends { readonly type: string }, C extends string> {
  /** What is imported, for the log: `pubmed`, `dsld`. */
  readonly kind: string;
  readonly path: string;
  /** Changes when the events, or what is made of them, would. */
  readonly identity: string;
  readonly counted: readonly C[];
  readonly signal: AbortSignal;
  /** A transaction holds at most this many events, and this much weight. */
  readonly batch: { readonly events: number; readonly weight?: number };
  /** Small pauses as long as each batch took: behind a running site, readers get every second moment of the database. */
  readonly gently?: boolean;
  /** The stream leaves out what an interrupted run has written already, because reading it again would cost too much. */
  readonly continues?: boolean;
  events(signal: AbortSignal): AsyncIterable<E | ImportProblem>;
  weigh?(event: E): number;
  /** Writes a batch in the transaction of `em`; `soFar` counts what earlier batches did. */
  apply(em: EntityManager, events: readonly E[], soFar: Readonly<Record<C, number>>): Promise<Record<C, number>>;
  /** What the change log says of the whole; null when nothing changed. */
  summary(total: Readonly<Record<string, number>>): Change | null;
  onProgress?(report: ImportReport<C>): void;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Runs to the end; the caller holds the lease of what is written. */
export const runImport = <E extends { readonly type: string }, C extends string>(
  db: Database,
  parts: ResumableImport<E, C>,
): Promise<ImportReport<C>> => new Run(db, parts).finish();

class Run<E extends { readonly type: string }, C extends string> {
  readonly #db: Database;
  readonly #parts: ResumableImport<E, C>;
  readonly #report: ImportReport<C>;
  readonly #run: { id: string; startedAt: Date } = { id: randomUUID(), startedAt: new Date() };
  readonly #identity: string;
  /** Events seen, good or not: the place to go on from. */
  #position = 0;

  constructor(db: Database, parts: ResumableImport<E, C>) {
    this.#db = db;
    this.#parts = parts;
    this.#identity = digest(`${parts.kind}\0${parts.identity}`);
    const counts = Object.fromEntries(parts.counted.map((name) => [name, 0])) as Record<C, number>;
    this.#report = { read: 0, skipped: 0, resumedAfter: 0, problems: [], ...counts };
  }

  async finish(): Promise<ImportReport<C>> {
    await this.#begin();
    const { batch: most, gently } = this.#parts;
    let batch: E[] = [];
    let weight = 0;
    for await (const event of this.#parts.events(this.#parts.signal)) {
      this.#position += 1;
      if (isProblem(event)) this.#note(event);
      else {
        this.#report.read += 1;
        if (this.#position > this.#report.resumedAfter) {
          batch.push(event);
          weight += this.#parts.weigh?.(event) ?? 0;
        }
      }
      if (batch.length < most.events && weight < (most.weight ?? Number.POSITIVE_INFINITY)) continue;
      const startedAt = performance.now();
      await this.#write(batch, 'running');
      [batch, weight] = [[], 0];
      // Where a server does this behind its answers, they come first.
      await (gently ? sleep(performance.now() - startedAt) : turn());
    }
    await this.#write(batch, 'done');
    return this.#report;
  }

  /** An interrupted run of the same input is continued behind its last whole batch. */
  async #begin(): Promise<void> {
    const last = await this.#db.read((em) =>
      em.findOne(ImportRun, { fileIdentity: this.#identity }, { orderBy: { startedAt: 'desc' } }),
    );
    if (last?.status !== 'running') return;
    this.#report.resumedAfter = last.position;
    this.#add(last.counts as Record<C, number>);
    this.#run.id = last.id;
    this.#run.startedAt = last.startedAt;
    if (this.#parts.continues) {
      this.#position = last.position;
      this.#report.read = last.counts.read ?? 0;
    }
  }

  #note({ at, message }: ImportProblem): void {
    this.#report.skipped += 1;
    if (this.#report.problems.length < PROBLEMS_KEPT) this.#report.problems.push({ at, message });
  }

  #add(counts: Readonly<Record<C, number>>): void {
    const report: Record<string, number> = this.#report as never;
    for (const name of this.#parts.counted) report[name] = (report[name] ?? 0) + (counts[name] ?? 0);
  }

  async #write(batch: readonly E[], status: 'running' | 'done'): Promise<void> {
    const { kind, path, counted, signal, apply, summary } = this.#parts;
    signal.throwIfAborted();
    const counts = await this.#db.write(async (em) => {
      const applied = await apply(em, batch, this.#report);
      const { problems: _, ...numbers } = this.#report;
      const total: Record<string, number> = { ...numbers };
      for (const name of counted) total[name] = (total[name] ?? 0) + applied[name];
      await em.upsert(ImportRun, {
        ...this.#run,
        kind,
        path,
        fileIdentity: this.#identity,
        status,
        position: this.#position,
        counts: total,
        finishedAt: status === 'done' ? new Date() : null,
      });
      const change = status === 'done' ? summary(total) : null;
      if (change) await recordChanges(em, [change]);
      return applied;
    });
    this.#add(counts);
    this.#parts.onProgress?.(this.#report);
  }
}

const isProblem = (event: { readonly type: string }): event is ImportProblem => event.type === 'problem';
