/** One file into the corpus: batch by batch, resumable, with counts and reasons. */
import { createHash } from 'node:crypto';
import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withLease } from '#core/db/lease.ts';
import { type ImportReport as Report, runImport } from '#core/import/resumable-import.ts';
import type { Database } from '#core/plugin.ts';
import { applyBatch, type Grader } from './corpus.ts';
import { FINDINGS_VERSION, withFindings } from './reading/attach-findings.ts';
import type { ImportEvent, Importer } from './source-record.ts';

/** A transaction holds at most this many events, or this much text. */
const BATCH_EVENTS = 400;
const BATCH_CHARS = 3_000_000;

const COUNTED = ['added', 'changed', 'unchanged', 'removed'] as const;
export type ImportReport = Report<(typeof COUNTED)[number]>;

export interface ImportOptions {
  readonly signal: AbortSignal;
  readonly grader: Grader;
  onProgress?(report: ImportReport): void;
}

interface Pace {
  /** Events of one transaction at the most. */
  readonly batch?: number;
  /** Pauses as long as each batch took, so that readers of a running server go first. */
  readonly gently?: boolean;
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

/** Records from wherever they come, such as a file or the starter corpus. */
export interface EventSource {
  /** What is imported, for the log. */
  readonly kind: string;
  readonly path: string;
  /** Changes when the events would. */
  readonly identity: string;
  read(signal: AbortSignal): AsyncIterable<ImportEvent>;
}

/** Imports events; holds the corpus alone meanwhile. Returns null when somebody else keeps it for over a minute. */
export const importEvents = async (
  db: Database,
  source: EventSource,
  { signal, grader, onProgress, batch = BATCH_EVENTS, gently = false }: ImportOptions & Pace,
): Promise<ImportReport | null> => {
  const { kind, path } = source;
  const done = await withLease(db, 'corpus', { waitSeconds: 60 }, () =>
    runImport<GoodEvent, (typeof COUNTED)[number]>(db, {
      kind,
      path,
      identity: `${grader.version}\0${FINDINGS_VERSION}\0${source.identity}`,
      signal,
      gently,
      counted: COUNTED,
      batch: { events: batch, weight: BATCH_CHARS },
      events: (until) => withFindings(source.read(until), grader),
      weigh,
      apply: (em, events, soFar) => applyBatch(em, events, grader, soFar),
      summary: (total) =>
        COUNTED.some((name) => name !== 'unchanged' && total[name])
          ? { kind: 'index.published', subjectType: 'corpus', subjectId: kind, data: total }
          : null,
      onProgress,
    }),
  );
  return done?.result ?? null;
};

/** Imports the file or folder at `path`. Returns null when somebody else keeps the corpus for over a minute. */
export const importFile = async (
  db: Database,
  importer: Importer,
  path: string,
  options: ImportOptions,
): Promise<ImportReport | null> => {
  const { kind } = importer;
  const identity = await identityOf(path);
  return importEvents(db, { kind, path, identity, read: (signal) => importer.read(path, signal) }, options);
};
