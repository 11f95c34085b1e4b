/**
 * Records calls per key, day and route in memory and writes them every few seconds, so that requests never wait for it. Calls
 * that cannot be written are retained for the next attempt. The same applies to warnings about the daily quota.
 */
import { quotaAddress } from '#core/http/client-address.ts';
import type { Bucket } from '#core/http/gatekeeper.ts';
import type { Log } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';
import { type CallingPrincipal, createWarnings, writeWarning } from './quota-warnings.ts';

const FLUSH_MS = 2_000;

export interface UsageRecorder {
  /**
   * Records one call.
   * @param day the holder's use of this day, including this call
   */
  record(key: CallingPrincipal, route: string, day: Bucket | null): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface Tally {
  readonly keyId: string;
  readonly day: string;
  readonly route: string;
  readonly calls: number;
}

const ADD = `insert into key_usage as held (key_id, day, route, calls) values (?, ?, ?, ?)
  on conflict (key_id, day, route) do update set calls = held.calls + excluded.calls`;
const TOUCH = 'update api_key set last_used_at = now(), last_used_ip_prefix = ? where id = ?';

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** Returns the network of an address: specific enough to distinguish networks, too coarse to identify people. */
const addressPrefix = (address: string): string =>
  address.includes(':') ? address : `${address.split('.').slice(0, 3).join('.')}.0/24`;

export const createUsageRecorder = (db: Database, log: Log): UsageRecorder => {
  let tallies = new Map<string, Tally>();
  let lastUse = new Map<string, string>();
  const warnings = createWarnings();
  let writing: Promise<void> = Promise.resolve();
  const add = (tally: Tally): void => {
    const name = `${tally.keyId} ${tally.day} ${tally.route}`;
    const calls = (tallies.get(name)?.calls ?? 0) + tally.calls;
    tallies.set(name, { ...tally, calls });
  };
  const write = async (): Promise<void> => {
    if (!tallies.size) return;
    // All processes write in the same order, so that concurrent writers cannot deadlock.
    const batch = [...tallies].sort(byName).map(([, tally]) => tally);
    const uses = [...lastUse].sort(byName);
    tallies = new Map();
    lastUse = new Map();
    const reached = warnings.take();
    try {
      await db.write(async (em) => {
        for (const { keyId, day, route, calls } of batch) await em.execute(ADD, [keyId, day, route, calls]);
        for (const [keyId, prefix] of uses) await em.execute(TOUCH, [prefix, keyId]);
        for (const warning of reached) await writeWarning(em, warning);
      });
    } catch (error) {
      for (const tally of batch) add(tally);
      lastUse = new Map([...uses, ...lastUse]);
      warnings.giveBack(reached);
      throw error;
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.catch(() => undefined).then(write);
    return writing;
  };
  const timer = setInterval(() => {
    flush().catch((error) => log.warn('usage_not_written', { error }));
  }, FLUSH_MS);
  timer.unref();
  return {
    record: (key, route, bucket) => {
      const day = new Date().toISOString().slice(0, 10);
      add({ keyId: key.keyId, day, route, calls: 1 });
      lastUse.set(key.keyId, addressPrefix(quotaAddress(key.address)));
      if (bucket) warnings.notice(key, day, bucket);
    },
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush().catch((error) => log.warn('usage_not_written', { error }));
    },
  };
};
