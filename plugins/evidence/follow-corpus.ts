/** Brings the index level with the corpus, one run at a time, and lets go of it when the program ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '#core/plugin.ts';
import type { SearchIndex } from '#core/search/port.ts';
import type { VocabularyServices } from '#plugins/vocabulary/index.ts';
import { type CatchUp, catchUp } from './index-feed.ts';

/** What a batch, and writing the index down, are given when the program ends, in milliseconds. */
const LAST_BATCH_MS = 4_000;

export interface Following {
  /** Calls at the same time share one run. */
  catchUp(onProgress?: (done: number) => void): Promise<CatchUp>;
  /** As `catchUp`, but nothing where a run is on its way; a failure is logged. */
  keepUp(): Promise<void>;
  /** Grades anew what is stale, see `refreshStale`; ends with the program. */
  refresh(work: (stopping: AbortSignal) => Promise<number>): Promise<number>;
  /**
   * Ends a run after the batch it is at, or after some seconds; what was persisted by then stays, and the next start
   * goes on from there.
   */
  stop(): Promise<void>;
}

export const followCorpus = (
  { db, log }: Pick<Host, 'db' | 'log'>,
  index: SearchIndex,
  vocabulary: Pick<VocabularyServices, 'terms'>,
): Following => {
  const stopper = new AbortController();
  const { signal } = stopper;
  const readTerms = () => db.read((em) => vocabulary.terms(em));
  let running: Promise<CatchUp> | null = null;
  let refreshing: Promise<unknown> = Promise.resolve();
  const run = (onProgress?: (done: number) => void): Promise<CatchUp> => {
    running ??= catchUp(db, index, readTerms, { signal, onProgress }).finally(() => {
      running = null;
    });
    return running;
  };
  return {
    catchUp: run,
    keepUp: async () => {
      if (running || signal.aborted) return;
      await run().catch((error) => signal.aborted || log.warn('index_not_caught_up', { error }));
    },
    refresh: (work) => {
      const refreshed = work(signal);
      refreshing = Promise.allSettled([refreshing, refreshed]);
      return refreshed;
    },
    stop: async () => {
      stopper.abort(new Error('stopping'));
      const over = new AbortController();
      const late = sleep(LAST_BATCH_MS, undefined, { signal: over.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled([running, refreshing]), late]);
      over.abort();
    },
  };
};
