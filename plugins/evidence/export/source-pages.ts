/**
 * Reads every source that matches a filter, page by page, on demand. Pages are ordered by `source_id`, which never changes, so a
 * source that exists throughout the export occurs exactly once, even if grades change. No transaction stays open between pages,
 * so a slow reader blocks no one: a source that changes meanwhile has the state of when its page was read, one that is withdrawn
 * before that is missing, and sources added after the first page are missing too.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import type { Database } from '#core/plugin.ts';
import { Source } from '../entities.ts';
import { type SourceFilter, whereOf } from '../source-list.ts';
import type { SourceRow } from '../source-view.ts';

/** Number of sources per page, and thus the number that one export holds in memory at a time. */
export const EXPORT_PAGE = 500;

interface Page {
  readonly rows: readonly SourceRow[];
  /** Id after which the next page starts; null on the last page. */
  readonly next: string | null;
}

interface Place {
  /** Id after which the page starts. */
  readonly after: string;
  readonly size: number;
}

/**
 * Reads the next ids by the primary key alone. With an additional filter, the planner of a database without statistics sorts the
 * whole rest of the table for every page. The order is that of the database's collation; any fixed order works.
 */
const readIds = async (em: EntityManager, vertical: string | undefined, { after, size }: Place): Promise<string[]> => {
  const from = vertical ? 'evidence_vertical where vertical = ? and' : 'evidence_source where';
  const rows = (await em.execute(
    `select source_id as id from ${from} source_id > ? order by source_id limit ?`,
    vertical ? [vertical, after, size] : [after, size],
  )) as unknown as { id: string }[];
  return rows.map(({ id }) => id);
};

const readPage = async (em: EntityManager, filter: SourceFilter, place: Place, begunAt: Date): Promise<Page> => {
  const ids = await readIds(em, filter.vertical, place);
  const where = { ...whereOf(filter), sourceId: { $in: ids }, createdAt: { $lte: begunAt } };
  const found = ids.length ? await findRows<SourceRow>(em, Source, where) : [];
  const byId = new Map(found.map((row) => [row.sourceId, row]));
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    next: ids.length < place.size ? null : (ids.at(-1) ?? null),
  };
};

/** Yields the pages that have sources; reads the next one only on demand. */
export async function* sourcePages(
  db: Database,
  filter: SourceFilter,
  size = EXPORT_PAGE,
): AsyncGenerator<readonly SourceRow[], void> {
  const begunAt = new Date();
  let after: string | null = '';
  while (after !== null) {
    const from: string = after;
    const { rows, next } = await db.read((em) => readPage(em, filter, { after: from, size }, begunAt));
    if (rows.length) yield rows;
    after = next;
  }
}
