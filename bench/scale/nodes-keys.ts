/** Tracks the keys used against two nodes: the outcome of their requests, and their counts in each store. */
import type { Redis } from 'ioredis';
import type { Client } from 'pg';
import { type Answered, ask, post } from './calls.ts';
import { MANY } from './made.ts';
import type { Key } from './ready.ts';

/** Outcomes of the requests with one key. */
export interface KeyTally {
  readonly name: string;
  readonly id: string;
  /** Calls per day; null for a limit that is never reached. */
  readonly limit: number | null;
  sent: number;
  answered: number;
  refused: number;
  /** Requests sent to a node that never responded, as reported by the balancer. */
  lost: number;
  /** Other outcomes, with their counts. */
  readonly failed: Record<string, number>;
}

export interface Counted {
  readonly redis: number;
  /** Count in the database, which counts quotas while Redis is too slow. */
  readonly database: number;
  /** Count in the usage report of the key. */
  readonly reported: number;
}

export const note = (tally: KeyTally, { status, error }: Answered): void => {
  if (status === 200) tally.answered += 1;
  else if (status === 429 && tally.limit !== null) tally.refused += 1;
  else if (status === 502) tally.lost += 1;
  else {
    const why = error || String(status);
    tally.failed[why] = (tally.failed[why] ?? 0) + 1;
  }
};

export const makeKey = async (url: string, admin: Key, tally: { name: string; limit: number | null }) => {
  const limits = { rpm_limit: Number(MANY), daily_limit: tally.limit ?? Number(MANY) };
  const { id, key } = await ask<Key>(
    url,
    post('/api/keys', { name: tally.name, ...limits }, { Authorization: `Bearer ${admin.key}` }),
  );
  return { key, tally: { ...tally, id, sent: 0, answered: 0, refused: 0, lost: 0, failed: {} } as KeyTally };
};

export const countsOf = async (redis: Redis, db: Client, { id }: KeyTally): Promise<Counted> => {
  const [name] = await redis.keys(`ekb:*quota:key:${id}`);
  const used = name ? await redis.hget(name, 'day_used') : null;
  const { rows } = await db.query<{ database: number; reported: number }>(
    `select coalesce((select used from quota_window where subject = $1 and bucket = 'day'), 0)::int as database,
      coalesce((select sum(calls) from key_usage where key_id = $2), 0)::int as reported`,
    [`key:${id}`, id],
  );
  return { redis: Number(used ?? 0), database: rows[0]?.database ?? 0, reported: rows[0]?.reported ?? 0 };
};
