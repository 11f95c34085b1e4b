/** Things made from the database and kept in memory until a version says that they are others. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../plugin.ts';

export interface Kept<T> {
  /** As of now, or of a moment that another process's change may be unseen for. */
  current(): Promise<T>;
  /** After a change of our own: it is seen with the next look. */
  forget(): void;
}

interface Making<T> {
  /** One query, answered quickly: it is asked for every few seconds. */
  readonly version: string;
  /** In the transaction in which the version was read. */
  make(em: EntityManager): Promise<T>;
}

/** How long another process's change may go unseen, in milliseconds. */
const PATIENCE = 2_000;

interface Look<T> {
  readonly value: T;
  readonly version: string;
  readonly until: number;
}

/** Callers at the same time wait for one look. */
export const keptByVersion = <T>(db: Database, { version: sql, make }: Making<T>): Kept<T> => {
  let kept: Look<T> | null = null;
  let looking: Promise<Look<T>> | null = null;
  let forgotten = 0;
  const look = async (): Promise<Look<T>> => {
    const [before, epoch] = [kept, forgotten];
    const now = await db.read(async (em): Promise<Look<T>> => {
      // The version first: what changes in between is read again the next time.
      const version = JSON.stringify(await em.execute(sql));
      const until = Date.now() + PATIENCE;
      return before?.version === version ? { ...before, until } : { value: await make(em), version, until };
    });
    // Forgotten meanwhile: what was read may be from before the change.
    if (forgotten === epoch) kept = now;
    return now;
  };
  return {
    current: async () => {
      if (kept && Date.now() < kept.until) return kept.value;
      const own = looking ?? look();
      looking = own;
      try {
        return (await own).value;
      } finally {
        if (looking === own) looking = null;
      }
    },
    forget: () => {
      forgotten += 1;
      [kept, looking] = [null, null];
    },
  };
};
