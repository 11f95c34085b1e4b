/**
 * How many things of one caller go on at the same time, over all nodes. A place is held by a lease that is renewed: that
 * of a node that was killed ends by itself.
 */
import { randomUUID } from 'node:crypto';
import { acquireLease, releaseLease } from '../db/lease.ts';
import type { Database } from '../plugin.ts';
import { redisScript, type SharedRedis } from './redis.ts';

/** A place that nobody renews for so long is free again, in seconds. */
const LEASE_SECONDS = 15;
const RENEW_MS = 5_000;

export interface Places {
  /** Takes one of `limit` places of `name`; null when all are taken. The answer gives it back, once however often called. */
  take(name: string, limit: number): Promise<(() => void) | null>;
}

/** One held place of one store. */
interface Hold {
  renew(): Promise<unknown>;
  release(): Promise<unknown>;
}

/** Places are members of a sorted set, scored by the end of their lease in Redis' own time. */
const TAKE = redisScript(`
  local t = redis.call('TIME')
  local now = t[1] * 1000 + math.floor(t[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`);
/** Also when Redis was emptied meanwhile: the place is still in use. */
const RENEW = redisScript(`
  local t = redis.call('TIME')
  redis.call('ZADD', KEYS[1], t[1] * 1000 + math.floor(t[2] / 1000) + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 1`);

type Attempt = { readonly hold: Hold | null };

/** Null: Redis is away, and another store is asked. */
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

/** Each place is a lease of its own: so never more than `limit` are held, whoever comes at once. */
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

const memoryPlaces = () => {
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

/** Places that this process is giving back: who asks for one meanwhile waits, and is not refused for the sake of a moment. */
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

/** Gives the place back once; until then it is renewed. */
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

/** Of Redis, of the database that nodes share, else of this process: the embedded database has one server. */
export const createPlaces = (redis: SharedRedis | null, db: Database): Places => {
  const inMemory = memoryPlaces();
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
