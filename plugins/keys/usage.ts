/** Calls per key, day and route, gathered in memory and written every few seconds: never in a request's way. */

import type { Log } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';

const FLUSH_MS = 2_000;

export interface UsageRecorder {
  record(keyId: string, route: string, address: string): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface Tally {
  readonly keyId: string;
  readonly day: string;
  readonly route: string;
  calls: number;
}

const ADD = `insert into key_usage as held (key_id, day, route, calls) values (?, ?, ?, ?)
  on conflict (key_id, day, route) do update set calls = held.calls + excluded.calls`;

/** Enough to tell networks apart, too little to tell people apart. */
const addressPrefix = (address: string): string =>
  address.includes(':') ? address : `${address.split('.').slice(0, 3).join('.')}.0/24`;

export const createUsageRecorder = (db: Database, log: Log): UsageRecorder => {
  let tallies = new Map<string, Tally>();
  let lastUse = new Map<string, string>();
  const flush = async (): Promise<void> => {
    if (!tallies.size) return;
    const [batch, uses] = [[...tallies.values()], lastUse];
    tallies = new Map();
    lastUse = new Map();
    await db.write(async (em) => {
      for (const { keyId, day, route, calls } of batch) await em.execute(ADD, [keyId, day, route, calls]);
      for (const [keyId, prefix] of uses) {
        await em.execute('update api_key set last_used_at = now(), last_used_ip_prefix = ? where id = ?', [
          prefix,
          keyId,
        ]);
      }
    });
  };
  const timer = setInterval(() => {
    flush().catch((error) => log.warn('usage_not_written', { error }));
  }, FLUSH_MS);
  timer.unref();
  return {
    record: (keyId, route, address) => {
      const day = new Date().toISOString().slice(0, 10);
      const name = `${keyId} ${day} ${route}`;
      const tally = tallies.get(name) ?? { keyId, day, route, calls: 0 };
      tally.calls += 1;
      tallies.set(name, tally);
      lastUse.set(keyId, addressPrefix(address));
    },
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
};
