/** Updates the index to the state of the corpus, one run at a time, and stops when the program ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '#core/plugin.ts';
import type { SearchIndex } from '#core/search/port.ts';
import type { VocabularyServices } from '#plugins/vocabulary/index.ts';
import { type CatchUp, catchUp } from './index-feed.ts';

/** Time allowed on shutdown for finishing a batch and persisting the index, in milliseconds. */
const LAST_BATCH_MS = 4_000;

export interface Following {
  /** Updates the index. Concurrent callers share one run. */
  catchUp(onProgress?: (done: number) => void): Promise<CatchUp>;
  /** Like `catchUp`, but does nothing when a run is in progress, and logs failures. */
  keepUp(): Promise<void>;
  /** Regrades stale sources, see `refreshStale`; stops with the program. */
  refresh(work: (stopping: AbortSignal) => Promise<number>): Promise<number>;
  /**
   * Stops a run after its current batch, or after some seconds; batches persisted by then remain, and the next start continues
   * from there.
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
