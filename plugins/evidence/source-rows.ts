/**
 * Reads stored sources by id through an LRU cache, because reading a whole row costs more than the search that found it. Every
 * read queries the revisions of the rows, so cached rows are never stale.
 */
import { findRows } from '#core/db/find-rows.ts';
import type { Database } from '#core/plugin.ts';
import { Source } from './entities.ts';
import type { SourceRow } from './source-view.ts';

export interface SourceRows {
  /** Returns the existing rows by id, without withdrawn sources. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, SourceRow>>;
}

/** Maximum number of cached rows, of about 5 KB each. */
const MOST = 4_000;

/**
 * Builds the query with a list of parameters, because PostgreSQL executed a subquery over them as a sequential scan of the whole
 * table.
 */
const revisionsOf = (ids: readonly string[]): string =>
  `select source_id as "sourceId", revision::float8 as revision from evidence_source
    where source_id in (${ids.map(() => '?').join(', ')}) and removed_at is null`;

interface Revision {
  readonly sourceId: string;
  readonly revision: number;
}

export const createSourceRows = (db: Database, most = MOST): SourceRows => {
  const kept = new Map<string, SourceRow>();

  /** Marks a row as the most recently used and evicts the least recently used one when the cache is full. */
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
