import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '#core/plugin.ts';
import { buildDrugBook } from './build-drug-book.ts';
import type { DrugBook } from './drug-book.ts';
import { readClasses, readNames, readRevision } from './drug-names.ts';

/** Maximum time in milliseconds until a change by another process is noticed. */
const LOOK_EVERY = 1_000;

export interface DrugServices {
  drugs(): Promise<DrugBook>;
  /** Returns the book as that transaction sees it; calls of one transaction share it until a medicine changes. */
  drugsIn(em: EntityManager): Promise<DrugBook>;
  forgetDrugs(): void;
}

const load = async (em: EntityManager): Promise<DrugBook> => {
  const version = await readRevision(em);
  return buildDrugBook({ classes: await readClasses(em), names: await readNames(em), version });
};

/** Caches the book in memory, and reloads it when its revision in the database changes. */
export const startDrugs = (db: Database): DrugServices => {
  let kept: DrugBook | null = null;
  let lookedAt = 0;
  let forgotten = 0;
  let running: Promise<DrugBook> | null = null;
  const byTransaction = new WeakMap<EntityManager, DrugBook>();
  const look = async (): Promise<DrugBook> => {
    const [known, epoch] = [kept, forgotten];
    const fresh = await db.read(async (em) =>
      known && (await readRevision(em)) === known.version ? known : await load(em),
    );
    // If the cache was invalidated in the meantime, the book may predate the change, so it is not cached.
    if (forgotten === epoch) {
      kept = fresh;
      lookedAt = Date.now();
    }
    return fresh;
  };
  return {
    drugs: async () => {
      if (kept && Date.now() - lookedAt < LOOK_EVERY) return kept;
      running ??= look().finally(() => {
        running = null;
      });
      return running;
    },
    drugsIn: async (em) => {
      const known = byTransaction.get(em);
      if (known && (await readRevision(em)) === known.version) return known;
      const book = await load(em);
      byTransaction.set(em, book);
      return book;
    },
    forgetDrugs: () => {
      forgotten += 1;
      lookedAt = 0;
      running = null;
    },
  };
};
