/** Loads the starter catalogue: its core before the first request; the rest, and rematching, in the background. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '#core/plugin.ts';
import { type ImportReport, importLabels } from './importing.ts';
import { markMatched, rematchProducts } from './rematching.ts';
import type { Matching } from './services.ts';
import { CORE_FILE, isLoaded, LIST_FILE, markLoaded, type StarterFile, starterFile } from './starter.ts';

export interface StarterProgress {
  readonly stage: 'starter_products';
  readonly done: number;
  readonly total: number;
  readonly status: 'ok' | 'running' | 'failed';
}

export interface StarterLoading {
  /** Loads the core. */
  begin(signal: AbortSignal): Promise<void>;
  /** Loads everything else in the background until `stop`. */
  goOn(): void;
  progress(): StarterProgress | null;
  stop(): Promise<void>;
}

/** Interval at which a server checks whether the vocabulary changed, in milliseconds. */
const WATCH_MS = 15_000;
/** Number of labels per line in the log. */
const LOG_EVERY = 10_000;

export const startLoading = (host: Host, matching: () => Promise<Matching>): StarterLoading => {
  const { db, log } = host;
  const wanted = host.config.text('STARTER_PRODUCTS');
  const aborter = new AbortController();
  let state: StarterProgress | null = null;
  let behind: Promise<void> = Promise.resolve();

  const load = async (file: StarterFile, signal: AbortSignal): Promise<ImportReport | null> => {
    const { matcher } = await matching();
    let told = 0;
    const onProgress = ({ read }: ImportReport): void => {
      if (state && file.total) state = { ...state, done: read };
      if (read - told < LOG_EVERY) return;
      told = read;
      log.info('starter_products', { file: file.name, done: read, total: file.total });
    };
    const report = await importLabels(db, file.source, {
      signal,
      matcher,
      waitSeconds: 120,
      gently: file.name === LIST_FILE,
      onProgress,
    });
    if (!report) return null;
    await markLoaded(db, file);
    log.info('starter_products_loaded', {
      file: file.name,
      read: report.read,
      added: report.added,
      changed: report.changed,
    });
    return report;
  };

  /** A new catalogue is matched during its import, so it needs no rematching. */
  const markWhenEmpty = async (): Promise<void> => {
    const isEmpty = await db.read(async (em) => !(await em.execute('select 1 from product limit 1')).length);
    if (isEmpty) await markMatched(db, (await matching()).version);
  };

  const loadCore = async (signal: AbortSignal): Promise<void> => {
    const file = await starterFile(host.contentDir, CORE_FILE);
    if (file && !(await isLoaded(db, file))) await load(file, signal);
  };

  const loadList = async (): Promise<void> => {
    const file = await starterFile(host.contentDir, LIST_FILE);
    if (!file) return;
    const total = file.total ?? 0;
    if (await isLoaded(db, file)) {
      state = { stage: 'starter_products', done: total, total, status: 'ok' };
      return;
    }
    state = { stage: 'starter_products', done: 0, total, status: 'running' };
    // A manual import may hold the lease for a long time; it takes precedence.
    while (!(await load(file, aborter.signal))) aborter.signal.throwIfAborted();
    state = { stage: 'starter_products', done: total, total, status: 'ok' };
  };

  const keepMatched = async (): Promise<void> => {
    for (;;) {
      const changed = await rematchProducts(db, { ...(await matching()), signal: aborter.signal });
      if (changed) log.info('products_matched_anew', { changed });
      await sleep(WATCH_MS, undefined, { signal: aborter.signal, ref: false });
    }
  };

  const workBehind = async (): Promise<void> => {
    if (wanted === 'all')
      await loadList().catch((error: unknown) => {
        if (aborter.signal.aborted) throw error;
        state = state && { ...state, status: 'failed' };
        log.warn('starter_products_failed', { error });
      });
    await keepMatched();
  };

  return {
    begin: async (signal) => {
      await markWhenEmpty();
      if (wanted !== 'none') await loadCore(signal);
    },
    goOn: () => {
      behind = workBehind().catch((error: unknown) => {
        if (!aborter.signal.aborted) log.warn('products_not_matched_anew', { error });
      });
    },
    progress: () => state,
    stop: async () => {
      aborter.abort();
      await behind;
    },
  };
};
