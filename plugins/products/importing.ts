/** Imports a stream of label events into the catalogue: in batches, resumable, with counts and reasons. */

import { withLease } from '#core/db/lease.ts';
import { type ImportReport as Report, runImport } from '#core/import/resumable-import.ts';
import type { Database } from '#core/plugin.ts';
import type { LabelEvent } from './importers/events.ts';
import type { LabelMatcher } from './matching/matcher.ts';
import { applyBatch } from './store.ts';

/**
 * The single lease of the catalogue. It ensures that change numbers become visible in order and that files are merged one at
 * a time.
 */
export const CATALOGUE_LEASE = 'products';

/** Maximum number of labels per transaction. */
const BATCH = 1_000;
/** Maximum number while a site is running, so that readers get about half of the database time. */
const GENTLE_BATCH = 250;
/** Maximum number of changes of market status that one import logs individually; its counts include the rest. */
const MOST_STATUS_EVENTS = 100;
/** Maximum number of new products that an import logs individually; above it, only the number is logged. */
const MOST_NEWS = 100;

type GoodEvent = Exclude<LabelEvent, { type: 'problem' }>;

export interface LabelSource {
  /** Kind of import, for the log: `dsld`, `starter`. */
  readonly kind: string;
  readonly path: string;
  /** Identity of the content; it changes when the events would. */
  readonly identity: string;
  events(signal: AbortSignal): AsyncIterable<LabelEvent>;
}

export interface ImportOptions {
  readonly signal: AbortSignal;
  readonly matcher: LabelMatcher;
  readonly waitSeconds?: number;
  /** Uses small batches and pauses for as long as each one took. */
  readonly gently?: boolean;
  onProgress?(report: ImportReport): void;
}

const COUNTED = ['added', 'changed', 'unchanged', 'status_changed'] as const;
export type ImportReport = Report<(typeof COUNTED)[number]>;

/**
 * Imports a source under the exclusive lease of the catalogue. Returns null when another process holds the lease for too
 * long.
 */
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
