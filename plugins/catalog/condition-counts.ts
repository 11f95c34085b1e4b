/** Counts the sources in the database on each condition: those on its topics, each counted once. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Tier } from '#plugins/evidence/index.ts';
import type { ConditionRow } from '#plugins/vocabulary/index.ts';

export interface ConditionCount {
  readonly sources: number;
  readonly supplements: number;
  readonly best: Tier | null;
  /** RFC 3339. */
  readonly last: string;
}

const COUNTS = `select t.condition, count(distinct v.source_id)::int as sources,
  count(distinct v.supplement_slug)::int as supplements, min(s.quality_tier) as best,
  to_char(max(s.updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from jsonb_to_recordset(?::jsonb) as t(condition text, topic text)
  join evidence_vertical v on v.topic_slug = t.topic join evidence_source s on s.source_id = v.source_id
  where s.removed_at is null and s.retraction_status <> 'retracted' group by 1 order by t.condition collate "C"`;

/** Reads the counts by slug in one query. Retracted sources do not count; conditions without a source are absent. */
export const readConditionCounts = async (
  em: EntityManager,
  conditions: Iterable<Pick<ConditionRow, 'slug' | 'topics'>>,
): Promise<ReadonlyMap<string, ConditionCount>> => {
  const pairs = [...conditions].flatMap(({ slug, topics }) => topics.map((topic) => ({ condition: slug, topic })));
  const rows = (await em.execute(COUNTS, [JSON.stringify(pairs)])) as unknown as (ConditionCount & {
    condition: string;
  })[];
  return new Map(rows.map(({ condition, ...count }) => [condition, count]));
};
