/** Leases in the database, which give one process at a time exclusive access to a named resource. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../plugin.ts';

/** One upsert for both databases, which succeeds when the lease is free, expired or already owned by this owner. */
const ACQUIRE = `
  insert into lease as held (name, owner, expires_at) values (?, ?, now() + make_interval(secs => ?))
  on conflict (name) do update set owner = excluded.owner, expires_at = excluded.expires_at
  where held.owner = excluded.owner or held.expires_at < now()
  returning owner`;

/** Tries to acquire the lease `name` for `seconds`; returns whether it succeeded. */
export const acquireLease = async (db: Database, name: string, owner: string, seconds: number): Promise<boolean> =>
  db.write(async (em) => (await em.execute(ACQUIRE, [name, owner, seconds])).length === 1);

export const releaseLease = (db: Database, name: string, owner: string): Promise<unknown> =>
  db.write((em) => em.execute('delete from lease where name = ? and owner = ?', [name, owner]));

/**
 * Runs `work` while it holds the lease, which is renewed in the background; the lease of a killed process expires. Waits up to
 * `waitSeconds`; returns null when another owner holds the lease for longer, or when the signal aborts the wait.
 */
export const withLease = async <T>(
  db: Database,
  name: string,
  options: { readonly waitSeconds: number; readonly seconds?: number; readonly signal?: AbortSignal },
  work: () => Promise<T>,
): Promise<{ readonly result: T } | null> => {
  const owner = randomUUID();
  const seconds = options.seconds ?? 20;
  const deadline = Date.now() + options.waitSeconds * 1000;
  while (!(await acquireLease(db, name, owner, seconds))) {
    if (Date.now() >= deadline || options.signal?.aborted) return null;
    await sleep(200);
  }
  const renewal = setInterval(
    () => {
      acquireLease(db, name, owner, seconds).catch(() => undefined);
    },
    (seconds * 1000) / 3,
  );
  try {
    return { result: await work() };
  } finally {
    clearInterval(renewal);
    await releaseLease(db, name, owner).catch(() => undefined);
  }
};
