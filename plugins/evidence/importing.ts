/** One file into the corpus: batch by batch, resumable, with counts and reasons. */
import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { recordChanges } from '#core/db/change-log.ts';
import { withLease } from '#core/db/lease.ts';
import type { Database } from '#core/plugin.ts';
import { type ApplyCounts, applyBatch, type Grader } from './corpus.ts';
import { ImportRun } from './entities.ts';
import type { ImportEvent, Importer } from './source-record.ts';

/** A transaction holds at most this many events, or this much text. */
const BATCH_EVENTS = 400;
const BATCH_CHARS = 3_000_000;

export interface ImportReport extends ApplyCounts {
  read: number;
  skipped: number;
  /** Events of an earlier, interrupted run of the same file that were in already; the counts above include them. */
  resumedAfter: number;
  /** The first problems, each with its place. */
  readonly problems: { at: string; message: string }[];
}

export const PROBLEMS_KEPT = 50;
const COUNTED = ['added', 'changed', 'unchanged', 'removed'] as const;

export interface ImportOptions {
  readonly signal: AbortSignal;
  readonly grader: Grader;
  onProgress?(report: ImportReport): void;
}

type GoodEvent = Exclude<ImportEvent, { type: 'problem' }>;

/** Every file below a folder with its size and time: a file written over in place leaves the folder's own time alone. */
const filesOf = async (folder: string): Promise<string[]> => {
  // What may not be read is told by the importer, with its reason.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => {
      const info = await stat(file).catch(() => null);
      return `${file}\0${info?.size}\0${info?.mtimeMs}`;
    }),
  );
};

/** Names a file by path, size, time and first bytes, a folder by its files: enough to know an interrupted run again. */
const identityOf = async (path: string): Promise<string> => {
  const info = await stat(path).catch(() => null);
  if (!info) return '';
  const hash = createHash('sha256').update(`${resolve(path)}\0${info.size}\0${info.mtimeMs}`);
  if (info.isDirectory()) for (const file of await filesOf(path)) hash.update(file);
  if (info.isFile()) {
    const file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
    await file.close();
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest('hex').slice(0, 32);
};

const weigh = (event: GoodEvent): number =>
  event.type === 'record' ? event.record.abstract.length + event.record.bodyText.length + 2_000 : 100;

/** Imports `path`; holds the corpus alone meanwhile. Answers null when somebody else keeps it for over a minute. */
export const importFile = async (
  db: Database,
  importer: Importer,
  path: string,
  options: ImportOptions,
): Promise<ImportReport | null> => {
  const done = await withLease(db, 'corpus', { waitSeconds: 60 }, () => new Run(db, importer, path, options).finish());
  return done?.result ?? null;
};

class Run {
  readonly #db: Database;
  readonly #importer: Importer;
  readonly #path: string;
  readonly #options: ImportOptions;
  readonly #report: ImportReport = {
    read: 0,
    added: 0,
    changed: 0,
    unchanged: 0,
    removed: 0,
    skipped: 0,
    resumedAfter: 0,
    problems: [],
  };
  readonly #run: { id: string; startedAt: Date } = { id: randomUUID(), startedAt: new Date() };
  #identity = '';
  /** Events seen, good or not: the place to go on from. */
  #position = 0;

  constructor(db: Database, importer: Importer, path: string, options: ImportOptions) {
    this.#db = db;
    this.#importer = importer;
    this.#path = path;
    this.#options = options;
  }

  async finish(): Promise<ImportReport> {
    await this.#begin();
    let batch: GoodEvent[] = [];
    let weight = 0;
    for await (const event of this.#importer.read(this.#path, this.#options.signal)) {
      this.#position += 1;
      const inAlready = this.#position <= this.#report.resumedAfter;
      if (event.type === 'problem') this.#note(event);
      else {
        this.#report.read += 1;
        if (!inAlready) batch.push(event);
        weight += inAlready ? 0 : weigh(event);
      }
      if (batch.length < BATCH_EVENTS && weight < BATCH_CHARS) continue;
      await this.#write(batch, 'running');
      batch = [];
      weight = 0;
    }
    await this.#write(batch, 'done');
    return this.#report;
  }

  /** An interrupted run of the same file, graded alike, is continued behind its last whole batch. */
  async #begin(): Promise<void> {
    this.#identity = `${this.#importer.kind} ${this.#options.grader.version} ${await identityOf(this.#path)}`;
    const last = await this.#db.read((em) =>
      em.findOne(ImportRun, { fileIdentity: this.#identity }, { orderBy: { startedAt: 'desc' } }),
    );
    if (last?.status === 'running') {
      this.#report.resumedAfter = last.position;
      for (const name of COUNTED) this.#report[name] = last.counts[name] ?? 0;
      this.#run.id = last.id;
      this.#run.startedAt = last.startedAt;
    }
  }

  #note({ at, message }: { at: string; message: string }): void {
    this.#report.skipped += 1;
    if (this.#report.problems.length < PROBLEMS_KEPT) this.#report.problems.push({ at, message });
  }

  async #write(batch: readonly GoodEvent[], status: 'running' | 'done'): Promise<void> {
    this.#options.signal.throwIfAborted();
    const counts = await this.#db.write(async (em) => {
      const applied = await applyBatch(em, batch, this.#options.grader);
      const { problems: _, ...numbers } = this.#report;
      const total = { ...numbers };
      for (const name of COUNTED) total[name] += applied[name];
      await em.upsert(ImportRun, {
        ...this.#run,
        kind: this.#importer.kind,
        path: this.#path,
        fileIdentity: this.#identity,
        status,
        position: this.#position,
        counts: total,
        finishedAt: status === 'done' ? new Date() : null,
      });
      if (status === 'done' && total.added + total.changed + total.removed > 0) {
        await recordChanges(em, [
          { kind: 'index.published', subjectType: 'corpus', subjectId: this.#importer.kind, data: total },
        ]);
      }
      return applied;
    });
    for (const name of COUNTED) this.#report[name] += counts[name];
    this.#options.onProgress?.(this.#report);
  }
}
