/**
 * Every source that meets a filter, page by page, for as long as somebody reads. Ordered by `source_id`, which never
 * changes: what is in the base all the while comes exactly once, however grades move. No transaction is held open
 * between pages, so that a slow reader blocks nobody: a source that changes meanwhile comes as it was when its page was
 * read, one that is withdrawn before that does not come, and what was added after the first page does not come either.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import type { Database } from '#core/plugin.ts';
import { Source } from '../entities.ts';
import { type SourceFilter, whereOf } from '../source-list.ts';
import type { SourceRow } from '../source-view.ts';

/** Sources per page: what one export holds in memory at a time. */
export const EXPORT_PAGE = 500;

interface Page {
  readonly rows: readonly SourceRow[];
  /** The id to go on behind; null when this was the last page. */
  readonly next: string | null;
}

interface Place {
  /** The id behind which to go on. */
  readonly after: string;
  readonly size: number;
}

/**
 * The next ids by their key alone: with a filter beside it the planner of a database without statistics sorts all that
 * is left of the table, for every page again. In the order that the database keeps the key in: any order does.
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

/** Pages that have sources; reads the next one only when it is asked for. */
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
