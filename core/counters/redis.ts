/**
 * Connects to Redis, where all nodes share counters. When Redis is unavailable or silent, the program behaves as if it were not
 * configured: no caller waits long, and no request fails because of it.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Log } from '../log.ts';

/** Maximum delay between two connection attempts, in milliseconds. */
const RETRY_MS = 1_000;
/** Minimum timeout of the commands that the client itself sends while it connects, in milliseconds; no caller waits for them. */
const BACKSTOP_MS = 2_000;

/** A Lua script, which Redis runs atomically. */
export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

export const redisScript = (lua: string): RedisScript => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
});

export interface SharedRedis {
  /**
   * Runs commands on the connection; returns null when Redis is unavailable or too slow. The commands may have been executed
   * nevertheless.
   */
  attempt<T>(work: (client: Redis) => Promise<T>): Promise<{ readonly value: T } | null>;
  /** Runs one script on one key, in the same way. */
  run(
    script: RedisScript,
    key: string,
    args: readonly (string | number)[],
  ): Promise<{ readonly value: unknown } | null>;
  isWell(): boolean;
  close(): Promise<void>;
}

export interface RedisOptions {
  /** Prefix of every key, which separates installations that share a server. */
  readonly prefix: string;
  /** Timeout of a connection attempt and of a reply, in milliseconds. */
  readonly patienceMs: number;
}

class Silent extends Error {}

/**
 * Applies a timeout. The reply may have arrived while this process blocked the event loop, so pending input is read before the
 * timeout counts.
 */
const within = async <T>(work: Promise<T>, patienceMs: number): Promise<T> => {
  const ended = new AbortController();
  const late = sleep(patienceMs, null, { signal: ended.signal }).then(async () => {
    await nextTurn();
    await nextTurn();
    throw new Silent(`No answer within ${patienceMs} ms`);
  });
  work.catch(() => undefined);
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
};

const evaluate = async (client: Redis, { sha, lua }: RedisScript, key: string, args: readonly (string | number)[]) => {
  try {
    return await client.evalsha(sha, 1, key, ...args);
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
    return client.eval(lua, 1, key, ...args);
  }
};

/** Returns the reason for the log. It never includes the message, which may contain the address of Redis. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Silent) return 'silent';
  const { code, message = '' } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]+/.exec(message)?.[0] ?? 'lost';
};

/** Starts to connect, and reconnects for as long as the program runs. */
export const openRedis = async (url: string, { prefix, patienceMs }: RedisOptions, log: Log): Promise<SharedRedis> => {
  // The client is loaded only when REDIS_URL is set.
  const { Redis: Client } = await import('ioredis');
  const client = new Client(url, {
    keyPrefix: prefix,
    connectTimeout: patienceMs,
    commandTimeout: Math.max(BACKSTOP_MS, 2 * patienceMs),
    // While Redis is disconnected, commands fail at once; a command in flight is not sent again.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // A silent server does not close its side of the connection.
    disconnectTimeout: patienceMs,
    retryStrategy: (times) => Math.min(times * 100, RETRY_MS),
  });
  let isWell = true;
  const note = (well: boolean, error?: unknown): void => {
    if (well === isWell) return;
    isWell = well;
    if (well) log.info('redis_back', {});
    else log.warn('redis_away', { reason: reasonOf(error) });
  };
  client.on('error', (error) => note(false, error));
  client.on('close', () => note(false, new Error('closed')));
  // After a timeout no commands are sent until a new connection is ready.
  let isResting = false;
  client.on('ready', () => {
    isResting = false;
    note(true);
  });
  const attempt: SharedRedis['attempt'] = async (work) => {
    if (isResting || client.status !== 'ready') return null;
    try {
      const value = await within(work(client), patienceMs);
      if (!isResting) note(true);
      return { value };
    } catch (error) {
      note(false, error);
      if (error instanceof Silent && !isResting) {
        isResting = true;
        client.disconnect(true);
      }
      return null;
    }
  };
  const opened = new AbortController();
  await Promise.race([
    new Promise<void>((resolve) => client.once('ready', resolve)),
    sleep(patienceMs, undefined, { signal: opened.signal }).catch(() => undefined),
  ]);
  opened.abort();
  if (client.status !== 'ready') note(false, new Silent());
  return {
    attempt,
    run: (script, key, args) => attempt((redis) => evaluate(redis, script, key, args)),
    isWell: () => isWell && !isResting && client.status === 'ready',
    close: async () => {
      client.removeAllListeners('close');
      client.disconnect();
    },
  };
};
