/** One stream of label events into the catalogue: batch by batch, resumable, with counts and reasons. */

import { withLease } from '#core/db/lease.ts';
import { type ImportReport as Report, runImport } from '#core/import/resumable-import.ts';
import type { Database } from '#core/plugin.ts';
import type { LabelEvent } from './importers/events.ts';
import type { LabelMatcher } from './matching/matcher.ts';
import { applyBatch } from './store.ts';

/** The one lease of the catalogue: change numbers appear in order, and files are merged one after the other. */
export const CATALOGUE_LEASE = 'products';

/** A transaction holds at most this many labels. */
const BATCH = 1_000;
/** Behind a running site: readers get every second moment of the database. */
const GENTLE_BATCH = 250;
/** The change log names at most this many changes of market status of one import; the rest is in its counts. */
const MOST_STATUS_EVENTS = 100;
/** An import of more new products tells only how many they are. */
const MOST_NEWS = 100;

type GoodEvent = Exclude<LabelEvent, { type: 'problem' }>;

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
export type ImportReport = Report<(typeof COUNTED)[number]>;

/** Imports a source; holds the catalogue alone meanwhile. Answers null when somebody else keeps it for too long. */
export const importLabels = async (
  db: Database,
  source: LabelSource,
  { signal, matcher, waitSeconds = 60, gently, onProgress }: ImportOptions,
): Promise<ImportReport | null> => {
  const { kind, path, identity } = source;
  const done = await withLease(db, CATALOGUE_LEASE, { waitSeconds }, () =>
    runImport<GoodEvent, (typeof COUNTED)[number]>(db, {
      kind,
      path,
      identity,
      signal,
      gently,
      counted: COUNTED,
      batch: { events: gently ? GENTLE_BATCH : BATCH },
      events: (until) => source.events(until),
      apply: (em, events, soFar) => {
        const mostEvents = Math.max(0, MOST_STATUS_EVENTS - soFar.status_changed);
        return applyBatch(
          em,
          events.map(({ patch }) => patch),
          { matcher, mostEvents, mostNews: MOST_NEWS - soFar.added },
        );
      },
      summary: (total) =>
        total.added || total.changed
          ? { kind: 'product.imported', subjectType: 'catalogue', subjectId: kind, data: total }
          : null,
      onProgress,
    }),
  );
  return done?.result ?? null;
};
