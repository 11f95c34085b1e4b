/** Reads and checks the rows that an import has written to the database. */
import assert from 'node:assert/strict';
import type { EntityManager } from '@mikro-orm/postgresql';

export const allRows = async <T>(em: EntityManager, sql: string): Promise<T[]> =>
  (await em.execute(sql)) as unknown as T[];
export const oneNumber = async (em: EntityManager, sql: string): Promise<number> =>
  Number((await allRows<{ n: number }>(em, sql))[0]?.n ?? Number.NaN);

/** Returns everything that an import writes, except times and revisions. */
export const stateOf = async (em: EntityManager) => ({
  sources: await allRows(
    em,
    'select source_id, digest, projection, verticals, removed_at is null as live from evidence_source order by source_id',
  ),
  records: await allRows(
    em,
    'select origin, origin_key, source_id, digest from evidence_record order by origin, origin_key',
  ),
  verticals: await allRows(em, 'select source_id, vertical from evidence_vertical order by source_id, vertical'),
  changes: await allRows(
    em,
    'select kind, subject_id, count(*)::int as n from change_log group by kind, subject_id order by kind, subject_id',
  ),
  published: await allRows(
    em,
    "select data - 'resumedAfter' as counts from change_log where kind = 'index.published' order by id",
  ),
  // A run that was killed between its last write and its end runs again without effect, so only distinct rows count.
  imports: await allRows(em, 'select distinct path, status from import_run order by 1, 2'),
});

/** Asserts the invariants that must hold at any moment, including after a kill. */
export const isConsistent = async (em: EntityManager): Promise<void> => {
  const doubts = {
    'records without a source': `select count(*) as n from evidence_record r left join evidence_source s using (source_id) where s.source_id is null`,
    'sources without a record': `select count(*) as n from evidence_source s where removed_at is null
      and not exists (select 1 from evidence_record r where r.source_id = s.source_id)`,
    'sources whose verticals are not their rows': `select count(*) as n from evidence_source s
      where jsonb_array_length(case when removed_at is null then verticals else '[]' end)
        <> (select count(*) from evidence_vertical v where v.source_id = s.source_id)`,
    'two sources with one revision': `select count(*) - count(distinct revision) as n from evidence_source`,
  };
  for (const [what, sql] of Object.entries(doubts)) assert.equal(await oneNumber(em, sql), 0, what);
};
