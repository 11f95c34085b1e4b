/** Loads the starter corpus in the background of a running server, in small batches, so that readers take precedence. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fact } from '#core/db/entities.ts';
import { withLease } from '#core/db/lease.ts';
import { reasonOf } from '#core/import/unreadable-input.ts';
import type { BackgroundStage, Host } from '#core/plugin.ts';
import { dropRecords, type Grader } from '../corpus.ts';
import { type ImportReport, importEvents } from '../importing.ts';
import { originKey } from '../source-id.ts';
import type { ImportEvent } from '../source-record.ts';
import { decodePack, readPackHeader } from './pack-format.ts';

export const CORPUS_FILE = join('evidence', 'corpus.jsonl.br');
/** Name of the fact that stores the checksum of the loaded corpus. */
const LOADED = 'evidence.starter';
/** Number of records per transaction; small, because readers wait for at most one transaction. */
const BATCH = 200;
const LOG_EVERY = 5_000;

export interface StarterCorpus {
  /** Starts loading the corpus unless it is loaded already; stops with the process. Never throws. */
  begin(): void;
  stages(): readonly BackgroundStage[];
  stop(): Promise<void>;
}

interface Stage {
  startedAt: Date | null;
  succeededAt: Date | null;
  done: number;
  total: number;
  status: 'ok' | 'running' | 'failed';
  note?: string;
}

async function* eventsOf(bytes: Buffer): AsyncGenerator<ImportEvent> {
  for await (const record of decodePack(bytes)) yield { type: 'record', at: CORPUS_FILE, record };
}

export const starterCorpus = (host: Host, grader: () => Promise<Grader>): StarterCorpus => {
  const { db, log, config } = host;
  const aborter = new AbortController();
  let stage: Stage | null = null;
  let running: Promise<void> = Promise.resolve();

  const isLoaded = async (sha256: string): Promise<boolean> =>
    (await db.read((em) => em.findOne(Fact, { name: LOADED })))?.value === sha256;

  const load = async (): Promise<void> => {
    const bytes = await readFile(join(host.contentDir, CORPUS_FILE)).catch(() => null);
    if (!bytes) return;
    const { sha256, records: total } = readPackHeader(bytes);
    if (await isLoaded(sha256)) {
      stage = { startedAt: null, succeededAt: null, done: total, total, status: 'ok' };
      return;
    }
    const current: Stage = { startedAt: new Date(), succeededAt: null, done: 0, total, status: 'running' };
    stage = current;
    let logged = 0;
    const onProgress = ({ read }: ImportReport): void => {
      current.done = read;
      if (read - logged < LOG_EVERY) return;
      logged = read;
      log.info('starter_corpus', { done: read, total });
    };
    let report: ImportReport | null = null;
    // A manual import may hold the lease for a long time and takes precedence.
    while (!report) {
      aborter.signal.throwIfAborted();
      // Another node may have loaded it in the meantime.
      if (await isLoaded(sha256)) {
        Object.assign(current, { status: 'ok', done: total });
        return;
      }
      report = await importEvents(
        db,
        { kind: 'corpus', path: CORPUS_FILE, identity: sha256, read: () => eventsOf(bytes) },
        { signal: aborter.signal, grader: await grader(), onProgress, batch: BATCH, gently: true },
      );
    }
    // Papers of an earlier corpus that are missing from this one were found to be off topic, retracted or duplicates.
    const kept = new Set<string>();
    for await (const record of decodePack(bytes)) kept.add(originKey(record));
    const dropping = await withLease(db, 'corpus', { waitSeconds: 300 }, async () => {
      const current = await grader();
      return db.write(async (em) => {
        const dropped = await dropRecords(em, 'corpus', kept, current);
        await em.upsert(Fact, { name: LOADED, value: sha256 });
        return dropped;
      });
    });
    if (!dropping) throw new Error('another import has been holding the corpus for five minutes');
    Object.assign(current, { status: 'ok', done: total, succeededAt: new Date() });
    log.info('starter_corpus_loaded', {
      read: report.read,
      added: report.added,
      changed: report.changed,
      removed: dropping.result,
    });
  };

  return {
    begin: () => {
      if (config.text('STARTER_EVIDENCE') === 'none') return;
      running = load().catch((error: unknown) => {
        if (aborter.signal.aborted) return;
        const reason = reasonOf(error);
        stage = {
          startedAt: null,
          succeededAt: null,
          done: 0,
          total: 0,
          ...stage,
          status: 'failed',
          note: `the file ${reason}`,
        };
        log.warn('starter_corpus_not_loaded', {
          file: CORPUS_FILE,
          reason: `the file ${reason}; the base goes on without it`,
        });
      });
    },
    stages: () => (stage ? [{ name: 'load_evidence', ...stage }] : []),
    stop: async () => {
      aborter.abort();
      await running;
    },
  };
};
