/**
 * Stored sources by id, the last ones read kept in memory: reading a whole row costs more than the search
 * that found it. What changed is known by the row's revision, which is asked for every time, so nothing is ever stale.
 */
import { findRows } from '#core/db/find-rows.ts';
import type { Database } from '#core/plugin.ts';
import { Source } from './entities.ts';
import type { SourceRow } from './source-view.ts';

export interface SourceRows {
  /** The rows that there are, by id; sources that were withdrawn are none. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, SourceRow>>;
}

/** Rows in memory, of about 5 KB each. */
const MOST = 4_000;

/** A list of parameters, because a subquery over them has been read by looking through the whole table. */
const revisionsOf = (ids: readonly string[]): string =>
  `select source_id as "sourceId", revision::float8 as revision from evidence_source
    where source_id in (${ids.map(() => '?').join(', ')}) and removed_at is null`;

interface Revision {
  readonly sourceId: string;
  readonly revision: number;
}

export const createSourceRows = (db: Database, most = MOST): SourceRows => {
  const kept = new Map<string, SourceRow>();

  /** Puts a row behind all others, and lets go of the first ones. */
  const keep = (row: SourceRow): void => {
    kept.delete(row.sourceId);
    kept.set(row.sourceId, row);
    if (kept.size <= most) return;
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  };

  return {
    read: async (ids) => {
      if (ids.length === 0) return new Map();
      return db.read(async (em) => {
        const now = (await em.execute(revisionsOf(ids), [...ids])) as unknown as readonly Revision[];
        const found = new Map<string, SourceRow>();
        const missing: string[] = [];
        for (const { sourceId, revision } of now) {
          const row = kept.get(sourceId);
          if (row?.revision === revision) found.set(sourceId, row);
          else missing.push(sourceId);
        }
        const fresh = missing.length
          ? await findRows<SourceRow>(em, Source, { sourceId: { $in: missing }, removedAt: null })
          : [];
        for (const row of fresh) found.set(row.sourceId, row);
        for (const id of ids) {
          const row = found.get(id);
          if (row) keep(row);
        }
        return found;
      });
    },
  };
};
