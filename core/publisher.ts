/**
 * Keeps the published pages up to date while the server runs. A child process builds them at low priority, so that readers never
 * wait for it: once at startup, and again when the change log has grown, unless an operator pins a build after a rollback.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundStage } from './plugin.ts';
import type { Runtime } from './runtime.ts';
import { readCurrent } from './site/site-layout.ts';

/** Polling interval of the change log, in milliseconds. */
const LOOK_EVERY = 15_000;
/** Polling interval for a build that an operator pins, in milliseconds. */
const LOOK_AT_HOLD_EVERY = 1_000;
/** Pause between two builds, in milliseconds, so that an import in many batches causes few builds. */
const REST = 45_000;
/** Maximum time that background work waits for the first build, in milliseconds. */
const PATIENCE = 120_000;

export interface Publisher {
  /** Resolves when the first build is published, has failed, or takes too long. */
  readonly first: Promise<void>;
  stage(): BackgroundStage;
  stop(): Promise<void>;
}

const publishers = new WeakMap<Runtime, Publisher>();

/** Returns the publisher of this process for /api/pipeline/status; undefined in commands. */
export const publisherOf = (runtime: Runtime): Publisher | undefined => publishers.get(runtime);

const lastChange = (runtime: Runtime): Promise<string> =>
  runtime.db.read(async (em) => {
    const [row] = (await em.execute('select coalesce(max(id), 0)::text as last from change_log')) as unknown as [
      { last: string },
    ];
    return row.last;
  });

/** Starts a build with the same settings as this process. Its threads inherit the priority, because they start later. */
const generateInChild = (): ChildProcess => {
  const program = [join(import.meta.dirname, 'main.ts'), 'generate', '--automatic'];
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended, or the system does not permit priority changes.
  }
  return child;
};

const outcomeOf = (child: ChildProcess): Promise<{ status: number | null; words: string }> =>
  new Promise((resolve) => {
    let words = '';
    const hear = (chunk: Buffer): void => {
      words = (words + chunk.toString()).slice(-2_000);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('error', (error) => resolve({ status: null, words: error.message }));
    child.on('close', (status) => resolve({ status, words: words.trim() }));
  });

/** Starts the publisher; `stop` kills a running build, whose work is lost. */
export const startPublisher = (runtime: Runtime): Publisher => {
  let child: ChildProcess | null = null;
  const first = Promise.withResolvers<void>();
  const patience = setTimeout(first.resolve, PATIENCE).unref();
  const state = {
    startedAt: null as Date | null,
    succeededAt: null as Date | null,
    failed: false,
    builds: 0,
    held: null as string | null,
  };
  const siteDir = join(runtime.config.text('DATA_DIR'), 'site');
  const isHeld = async (): Promise<boolean> => {
    const current = await readCurrent(siteDir);
    state.held = current?.held ? current.build : null;
    return state.held !== null;
  };
  const holdTimer = setInterval(() => void isHeld(), LOOK_AT_HOLD_EVERY).unref();
  const aborter = new AbortController();
  const publish = async (): Promise<void> => {
    state.startedAt = new Date();
    child = generateInChild();
    const { status, words } = await outcomeOf(child);
    child = null;
    if (aborter.signal.aborted) return;
    state.failed = status !== 0;
    if (status === 0) {
      state.succeededAt = new Date();
      state.builds += 1;
      runtime.log.info('published', { report: words.split('\n').at(-1) });
    } else runtime.log.warn('not_published', { status, words });
  };
  const letGo = (): void => {
    clearTimeout(patience);
    first.resolve();
  };
  const watch = async (): Promise<void> => {
    let seen = '';
    while (!aborter.signal.aborted) {
      const last = await lastChange(runtime).catch(() => seen);
      const rests = last === seen || (await isHeld());
      if (state.held) letGo();
      if (rests) await sleep(LOOK_EVERY, undefined, { signal: aborter.signal }).catch(() => undefined);
      else {
        await publish();
        letGo();
        if (!state.failed) seen = last;
        await sleep(REST, undefined, { signal: aborter.signal }).catch(() => undefined);
      }
    }
  };
  const watching = watch().catch((error) => runtime.log.warn('publisher_ended', { error }));
  const publisher: Publisher = {
    first: first.promise,
    stage: () => ({
      name: 'generate',
      status: child ? 'running' : state.held ? 'stale' : state.failed ? 'failed' : 'ok',
      ...(state.held && {
        note: `Held at ${state.held}: an operator rolled back to it, and publishes again by hand.`,
      }),
      startedAt: state.startedAt,
      succeededAt: state.succeededAt,
      done: state.builds,
      total: null,
    }),
    stop: async () => {
      aborter.abort();
      clearInterval(holdTimer);
      clearTimeout(patience);
      child?.kill('SIGTERM');
      await watching;
      publishers.delete(runtime);
    },
  };
  publishers.set(runtime, publisher);
  return publisher;
};
