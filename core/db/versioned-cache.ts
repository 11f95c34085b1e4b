/** Caches a value that is built from the database until a version query returns another result. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../plugin.ts';

export interface VersionedCache<T> {
  /** Returns the cached value; a change made by another process appears within two seconds. */
  current(): Promise<T>;
  /** Invalidates the cache after a change made by this process. */
  forget(): void;
}

interface CacheSource<T> {
  /** A fast SQL query whose result changes with the data; it runs every few seconds. */
  readonly version: string;
  /** Builds the value in the transaction that read the version. */
  make(em: EntityManager): Promise<T>;
}

/** How long a value may be served without checking the version, in milliseconds. */
const MAX_AGE_MS = 2_000;

interface Entry<T> {
  readonly value: T;
  readonly version: string;
  readonly until: number;
}

/** Creates a cache; concurrent callers share one query. */
export const createVersionedCache = <T>(db: Database, { version: sql, make }: CacheSource<T>): VersionedCache<T> => {
  let cached: Entry<T> | null = null;
  let pending: Promise<Entry<T>> | null = null;
  let invalidations = 0;
  const load = async (): Promise<Entry<T>> => {
    const [previous, epoch] = [cached, invalidations];
    const fresh = await db.read(async (em): Promise<Entry<T>> => {
      // The version is read first, so that a change between the two queries is picked up by the next check.
      const version = JSON.stringify(await em.execute(sql));
      const until = Date.now() + MAX_AGE_MS;
      return previous?.version === version ? { ...previous, until } : { value: await make(em), version, until };
    });
    // The cache was invalidated during the query: the result may predate the change.
    if (invalidations === epoch) cached = fresh;
    return fresh;
  };
  return {
    current: async () => {
      if (cached && Date.now() < cached.until) return cached.value;
      const own = pending ?? load();
      pending = own;
      try {
        return (await own).value;
      } finally {
        if (pending === own) pending = null;
      }
    },
    forget: () => {
      invalidations += 1;
      [cached, pending] = [null, null];
    },
  };
};
