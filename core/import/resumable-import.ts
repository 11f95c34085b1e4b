/**
 * Imports a stream of events into the database in batches. The transaction of each batch also stores the position in the stream,
 * so that a killed run resumes after its last complete batch.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Change, recordChanges } from '../db/change-log.ts';
import { ImportRun } from '../db/entities.ts';
import type { Database } from '../plugin.ts';

/** A record that could not be read, with its position. */
export interface ImportProblem {
  readonly type: 'problem';
  readonly at: string;
  readonly message: string;
}

export type ImportReport<C extends string> = Record<C, number> & {
  read: number;
  skipped: number;
  /** Number of events that an earlier, interrupted run of the same input had imported; the counts include them. */
  resumedAfter: number;
  /** The first problems, each with its position. */
  readonly problems: { at: string; message: string }[];
};

/** Maximum number of stored problems; further ones are only counted. */
export const PROBLEMS_KEPT = 50;

export interface ResumableImport<E extends { readonly type: string }, C extends string> {
  /** Kind of the import for the log: `pubmed`, `dsld`. */
  readonly kind: string;
  readonly path: string;
  /** Changes when the events, or the rows derived from them, would change. */
  readonly identity: string;
  readonly counted: readonly C[];
  readonly signal: AbortSignal;
  /** Maximum number of events and maximum weight of one transaction. */
  readonly batch: { readonly events: number; readonly weight?: number };
  /** Pauses after each batch for as long as the batch took, so that a running site gets half of the database's time. */
  readonly gently?: boolean;
  /** The stream skips events that an interrupted run already imported, because reading them again would be too expensive. */
  readonly continues?: boolean;
  events(signal: AbortSignal): AsyncIterable<E | ImportProblem>;
  weigh?(event: E): number;
  /** Writes a batch in the transaction of `em`; `soFar` contains the counts of earlier batches. */
  apply(em: EntityManager, events: readonly E[], soFar: Readonly<Record<C, number>>): Promise<Record<C, number>>;
  /** Returns the entry of the change log for the whole import; null when nothing changed. */
  summary(total: Readonly<Record<string, number>>): Change | null;
  onProgress?(report: ImportReport<C>): void;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Runs the import to its end; the caller must hold the lease of the imported data. */
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
  /** Number of events read, valid or not: the position from which to resume. */
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
      // In the background of a server, requests take precedence.
      await (gently ? sleep(performance.now() - startedAt) : turn());
    }
    await this.#write(batch, 'done');
    return this.#report;
  }

  /** Resumes an interrupted run of the same input after its last complete batch. */
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
