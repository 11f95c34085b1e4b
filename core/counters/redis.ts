/**
 * The one connection to Redis, where counters are shared by all nodes. A Redis that is away, or silent, counts as not
 * configured: nobody waits longer than a moment, and nothing fails for its sake.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Log } from '../log.ts';

/** Between two attempts to connect, at the most. */
const RETRY_MS = 1_000;
/** Of what the client asks by itself while it connects: nobody waits for that. */
const BACKSTOP_MS = 2_000;

/** A script that Redis runs as one step. */
export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

export const redisScript = (lua: string): RedisScript => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
});

export interface SharedRedis {
  /** Runs on the connection; null when Redis is away or too slow. What it was asked may have happened all the same. */
  attempt<T>(work: (client: Redis) => Promise<T>): Promise<{ readonly value: T } | null>;
  /** The same for one script over one key. */
  run(
    script: RedisScript,
    key: string,
    args: readonly (string | number)[],
  ): Promise<{ readonly value: unknown } | null>;
  isWell(): boolean;
  close(): Promise<void>;
}

export interface RedisOptions {
  /** Before every key: what keeps two installations on one server apart. */
  readonly prefix: string;
  /** How long a connection or an answer may take. */
  readonly patienceMs: number;
}

class Silent extends Error {}

/** The answer may have arrived behind a long turn of ours: it is read before the wait is given up. */
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

/** Never the message: it may tell where Redis is. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Silent) return 'silent';
  const { code, message = '' } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]+/.exec(message)?.[0] ?? 'lost';
};

/** Begins to connect, and goes on trying for as long as the program runs. */
export const openRedis = async (url: string, { prefix, patienceMs }: RedisOptions, log: Log): Promise<SharedRedis> => {
  // Loaded only where REDIS_URL is set.
  const { Redis: Client } = await import('ioredis');
  const client = new Client(url, {
    keyPrefix: prefix,
    connectTimeout: patienceMs,
    commandTimeout: Math.max(BACKSTOP_MS, 2 * patienceMs),
    // While the connection is away a command fails at once; one that was under way is not sent twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // A silent server closes nothing from its side.
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
  // One that was silent is asked nothing more until it has answered on a new connection.
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
