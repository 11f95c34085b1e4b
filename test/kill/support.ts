/**
 * Kills programs with SIGKILL at moments spread over their whole run. KILLS sets the number of kills per suite and SEED
 * selects the moments; a long manual run: `KILLS=20 SEED=7 npx mocha --spec 'test/kill/*.test.ts' --timeout 0`.
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

/** Creates a Mulberry32 generator of numbers from 0 to 1, which are the same for the same seed. */
const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Returns one random moment for each kill, in milliseconds; each lies in its own equal part of the run. */
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

/** Kills a running program after a delay; returns whether it was still running. */
export const killAfter = async ({ child, finished }: Running, delayMs: number): Promise<boolean> => {
  const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
  const { signal } = await finished;
  clearTimeout(timer);
  return signal === 'SIGKILL';
};

/** Kills a program as soon as the condition is true; returns whether it was still running. */
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

/** Runs the program as a child process, so that the measured time includes its start; kills are spread over that time. */
export const runOn = (place: Place, ...args: readonly string[]): Promise<Finished> =>
  runProgram(args, environmentOf(place));

/** Runs the command after a kill in the test process, with only the data that the killed process left. */
export const runAgainOn = (place: Place, ...args: readonly string[]): Promise<Finished> =>
  runCommand(args, environmentOf(place));

/** Opens the database of a place that no program is using. */
export const withDatabase = async <T>(place: Place, work: (em: EntityManager) => Promise<T>): Promise<T> => {
  const db = await openDatabase(loadConfig(coreSettings, environmentOf(place), null), [], createLog('silent'));
  try {
    return await db.write(work);
  } finally {
    await db.close();
  }
};

/** Expires all leases. The lease of a killed holder would expire after twenty seconds, which tests do not wait for. */
export const passLeases = (em: EntityManager): Promise<unknown> =>
  em.execute("update lease set expires_at = now() - interval '1 second'");
