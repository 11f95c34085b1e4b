/** Opens the counters that all nodes share: in Redis when it is configured and responds, else in the shared database. */
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
  /** Returns a pseudonym of a caller, so that no counter contains an address. It is the same on all nodes of the installation. */
  nameOf(subject: string): string;
}

export interface OpenCounters extends Counters {
  /** Returns the state for /api/health; empty without REDIS_URL. */
  checks(): Readonly<Record<string, 'ok' | 'degraded'>>;
  close(): Promise<void>;
}

/** Returns the salt of the installation, which the first process creates. */
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

/**
 * Opens the counters.
 * @param isServing false for an operator's command, which counts nothing and does not connect to Redis.
 */
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
