/**
 * Programs killed with SIGKILL at moments spread over their whole run. KILLS says how many a suite does, SEED picks the
 * moments: `KILLS=20 SEED=7 npx mocha --spec 'test/kill/*.test.ts' --timeout 0` for a long run by hand.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { coreSettings, loadConfig } from '#core/config.ts';
import { openDatabase } from '#core/db/database.ts';
import { createLog } from '#core/log.ts';
import { runCommand } from '../support/command.ts';
import { type Finished, type Running, runProgram, startProgram } from '../support/program.ts';
import type { newPlace } from '../support/service.ts';

export type Place = Awaited<ReturnType<typeof newPlace>>;

export const KILLS = Number(process.env.KILLS ?? 2);
const SEED = Number(process.env.SEED ?? 1);

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** One moment for each kill, in milliseconds: somewhere in the first part of a run, in the second, and so on. */
export const moments = (runMs: number, kills = KILLS): number[] => {
  const next = seeded(SEED);
  return Array.from({ length: kills }, (_, at) => Math.round((runMs * (at + next())) / kills));
};

export const environmentOf = ({ dataDir, databaseUrl }: Place): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  BASE_URL: 'http://evidence.test',
  LOG_LEVEL: 'silent',
});

/** Kills a running program after so long; answers whether it was still running. */
export const killAfter = async ({ child, finished }: Running, delayMs: number): Promise<boolean> => {
  const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
  const { signal } = await finished;
  clearTimeout(timer);
  return signal === 'SIGKILL';
};

/** Kills a program as soon as its work has come so far; answers whether it was still running. */
export const killWhen = async (running: Running, hasComeSoFar: () => Promise<boolean>): Promise<boolean> => {
  const { child, finished } = running;
  let isOver = false;
  const over = finished.then(({ signal }) => {
    isOver = true;
    return signal === 'SIGKILL';
  });
  while (!isOver) {
    if (await hasComeSoFar()) child.kill('SIGKILL');
    await wait(2);
  }
  return over;
};

export const killProgram = (args: readonly string[], place: Place, delayMs: number): Promise<boolean> =>
  killAfter(startProgram(args, environmentOf(place)), delayMs);

/** A whole run with the start of the program, whose time is measured: kills are spread over it. */
export const runOn = (place: Place, ...args: readonly string[]): Promise<Finished> =>
  runProgram(args, environmentOf(place));

/** The run behind a kill, in the process of the test: it has nothing but what the killed one left. */
export const runAgainOn = (place: Place, ...args: readonly string[]): Promise<Finished> =>
  runCommand(args, environmentOf(place));

/** Looks into the base of a place that no program uses now. */
export const withDatabase = async <T>(place: Place, work: (em: EntityManager) => Promise<T>): Promise<T> => {
  const db = await openDatabase(loadConfig(coreSettings, environmentOf(place), null), [], createLog('silent'));
  try {
    return await db.write(work);
  } finally {
    await db.close();
  }
};

/** What a killed holder left ends by itself after twenty seconds; no test waits for them. */
export const passLeases = (em: EntityManager): Promise<unknown> =>
  em.execute("update lease set expires_at = now() - interval '1 second'");
