/** Imports one file into the corpus, in resumable batches, with counts and reasons. */
import { createHash } from 'node:crypto';
import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withLease } from '#core/db/lease.ts';
import { type ImportReport as Report, runImport } from '#core/import/resumable-import.ts';
import type { Database } from '#core/plugin.ts';
import { applyBatch, type Grader } from './corpus.ts';
import { FINDINGS_VERSION, withFindings } from './reading/attach-findings.ts';
import type { ImportEvent, Importer } from './source-record.ts';

/** Maximum numbers of events and of characters of text per transaction. */
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
  /** Maximum number of events per transaction. */
  readonly batch?: number;
  /** Whether to pause after each batch for as long as it took, so that readers of a running server take precedence. */
  readonly gently?: boolean;
}

type GoodEvent = Exclude<ImportEvent, { type: 'problem' }>;

/**
 * Lists every file below a folder with its size and modification time; overwriting a file in place does not change the folder's
 * own time.
 */
const filesOf = async (folder: string): Promise<string[]> => {
  // The importer reports unreadable folders with the reason.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => {
      const info = await stat(file).catch(() => null);
      return `${file}\0${info?.size}\0${info?.mtimeMs}`;
    }),
  );
};

/**
 * Returns a digest of a file's path, size, time and first bytes, or of the files of a folder: sufficient to recognise an
 * interrupted run.
 */
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

/** A source of records, such as a file or the starter corpus. */
export interface EventSource {
  /** Kind of the import, for the log. */
  readonly kind: string;
  readonly path: string;
  /** Changes whenever the events would change. */
  readonly identity: string;
  read(signal: AbortSignal): AsyncIterable<ImportEvent>;
}

/** Imports events while holding the `corpus` lease. Returns null when another process holds the lease for more than a minute. */
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

/** Imports the file or folder at `path`. Returns null when another process holds the `corpus` lease for more than a minute. */
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
