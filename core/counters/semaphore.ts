/**
 * Limits how many operations of one caller run at the same time, over all nodes. A permit is held by a lease that is
 * renewed, so that the permit of a node that was killed expires.
 */
import { randomUUID } from 'node:crypto';
import { acquireLease, releaseLease } from '../db/lease.ts';
import type { Database } from '../plugin.ts';
import { redisScript, type SharedRedis } from './redis.ts';

/** How long a permit is valid without renewal, in seconds. */
const LEASE_SECONDS = 15;
const RENEW_MS = 5_000;

export interface Semaphore {
  /** Takes one of the `limit` permits of `name`. Returns an idempotent release function, or null when all are taken. */
  take(name: string, limit: number): Promise<(() => void) | null>;
}

/** One permit in one store. */
interface Hold {
  renew(): Promise<unknown>;
  release(): Promise<unknown>;
}

/** Permits are members of a sorted set, scored by the end of their lease in the time of Redis. */
const TAKE = redisScript(`
  local t = redis.call('TIME')
  local now = t[1] * 1000 + math.floor(t[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`);
/** Adds the permit again if Redis was emptied meanwhile, because it is still in use. */
const RENEW = redisScript(`
  local t = redis.call('TIME')
  redis.call('ZADD', KEYS[1], t[1] * 1000 + math.floor(t[2] / 1000) + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 1`);

type Attempt = { readonly hold: Hold | null };

/** Returns null when Redis is unavailable; the caller then uses another store. */
const takeInRedis = async (redis: SharedRedis, name: string, limit: number): Promise<Attempt | null> => {
  const [key, id, lease] = [`place:${name}`, randomUUID(), LEASE_SECONDS * 1000];
  const taken = await redis.run(TAKE, key, [id, limit, lease]);
  if (!taken) return null;
  if (taken.value !== 1) return { hold: null };
  return {
    hold: {
      renew: () => redis.run(RENEW, key, [id, lease]),
      release: () => redis.attempt((client) => client.zrem(key, id)),
    },
  };
};

/** Uses one lease per permit, so that concurrent callers never hold more than `limit`. */
const takeInDatabase = async (db: Database, name: string, limit: number): Promise<Attempt> => {
  const owner = randomUUID();
  for (let place = 1; place <= limit; place += 1) {
    const lease = `place:${name}:${place}`;
    if (await acquireLease(db, lease, owner, LEASE_SECONDS)) {
      return {
        hold: {
          renew: () => acquireLease(db, lease, owner, LEASE_SECONDS),
          release: () => releaseLease(db, lease, owner),
        },
      };
    }
  }
  return { hold: null };
};

const memoryPermits = () => {
  const taken = new Map<string, number>();
  return (name: string, limit: number): Attempt => {
    const now = taken.get(name) ?? 0;
    if (now >= limit) return { hold: null };
    taken.set(name, now + 1);
    const release = async (): Promise<void> => {
      const left = (taken.get(name) ?? 1) - 1;
      if (left > 0) taken.set(name, left);
      else taken.delete(name);
    };
    return { hold: { renew: async () => undefined, release } };
  };
};

/** Tracks releases in progress: a caller waits for them, so that it is not refused for a permit that is about to be free. */
const createEndings = () => {
  const endings = new Map<string, Promise<unknown>>();
  return {
    of: (name: string): Promise<unknown> | undefined => endings.get(name),
    add: (name: string, ending: Promise<unknown>): void => {
      const all: Promise<unknown> = Promise.allSettled([endings.get(name), ending]).then(() => {
        if (endings.get(name) === all) endings.delete(name);
      });
      endings.set(name, all);
    },
  };
};

/** Renews the permit until the returned function releases it. */
const held = (hold: Hold, end: (ending: Promise<unknown>) => void): (() => void) => {
  const renewal = setInterval(() => void hold.renew().catch(() => undefined), RENEW_MS);
  renewal.unref();
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    clearInterval(renewal);
    end(hold.release());
  };
};

/** Uses Redis, else the PostgreSQL that nodes share, else the memory of this process: the embedded database has one server. */
export const createSemaphore = (redis: SharedRedis | null, db: Database): Semaphore => {
  const inMemory = memoryPermits();
  const endings = createEndings();
  return {
    take: async (name, limit) => {
      await endings.of(name);
      const shared = redis && (await takeInRedis(redis, name, limit));
      const { hold } =
        shared ?? (db.kind === 'postgresql' ? await takeInDatabase(db, name, limit) : inMemory(name, limit));
      return hold && held(hold, (ending) => endings.add(name, ending));
    },
  };
};
