/** What nodes count together: in Redis where it is configured and answers, else in the database that they share. */
import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { Fact } from '../db/entities.ts';
import type { Log } from '../log.ts';
import type { Database } from '../plugin.ts';
import { openRedis, type SharedRedis } from './redis.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

export interface Counters {
  /** Null without REDIS_URL. */
  readonly redis: SharedRedis | null;
  readonly db: Database;
  readonly places: Semaphore;
  /** Tells callers apart without naming them: no counter holds an address. The same on all nodes of the installation. */
  nameOf(subject: string): string;
}

export interface OpenCounters extends Counters {
  /** For /api/health; empty without REDIS_URL. */
  checks(): Readonly<Record<string, 'ok' | 'degraded'>>;
  close(): Promise<void>;
}

/** One salt for the installation, made once, whichever process comes first. */
const quotaSalt = (db: Database): Promise<string> =>
  db.write(async (em) => {
    await em.execute('insert into fact (name, value) values (?, ?) on conflict (name) do nothing', [
      'quota_salt',
      randomBytes(24).toString('hex'),
    ]);
    return (await em.findOneOrFail(Fact, { name: 'quota_salt' })).value;
  });

const hashed = (salt: string, text: string): string =>
  createHash('sha256').update(`${salt}\0${text}`).digest('hex').slice(0, 32);

/** @param isServing a command of an operator counts nothing, and connects to nothing. */
export const openCounters = async (
  config: Config,
  db: Database,
  log: Log,
  isServing: boolean,
): Promise<OpenCounters> => {
  const salt = await quotaSalt(db);
  const url = isServing ? config.text('REDIS_URL') : '';
  const redis = url
    ? await openRedis(
        url,
        { prefix: `ekb:${hashed(salt, 'redis').slice(0, 8)}:`, patienceMs: config.integer('REDIS_PATIENCE_MS') },
        log,
      )
    : null;
  return {
    redis,
    db,
    places: createSemaphore(redis, db),
    nameOf: (subject) => hashed(salt, subject),
    checks: (): Readonly<Record<string, 'ok' | 'degraded'>> =>
      redis ? { counters: redis.isWell() ? 'ok' : 'degraded' } : {},
    close: async () => redis?.close(),
  };
};
