/** Database queries for the pages of conditions. */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import { byStrength, Source, type SourceRow } from '#plugins/evidence/index.ts';
import type { ConditionRow, SupplementEntry, SupplementRow, Terms } from '#plugins/vocabulary/index.ts';

export type Claim = SupplementEntry['evidence'][number];

/** A claim of a supplement's entry on an outcome of the condition. */
export interface ConditionClaim {
  readonly supplement: SupplementRow;
  readonly claim: Claim;
}

/** Returns every claim of every entry whose outcome belongs to the condition. */
export const claimsOn = ({ topics }: Pick<ConditionRow, 'topics'>, { supplements }: Terms): readonly ConditionClaim[] =>
  [...supplements.values()].flatMap((supplement) =>
    supplement.entry.evidence.filter(({ topic }) => topics.includes(topic)).map((claim) => ({ supplement, claim })),
  );

const COUNT = `select count(distinct v.source_id)::int as n
  from evidence_vertical v join evidence_source s on s.source_id = v.source_id
  where v.topic_slug in (select jsonb_array_elements_text(?::jsonb))
  and s.removed_at is null and s.retraction_status <> 'retracted'`;

const STRONGEST = `select source_id as id from evidence_source
  where source_id in (select v.source_id from evidence_vertical v
    where v.topic_slug in (select jsonb_array_elements_text(?::jsonb)))
  and removed_at is null and retraction_status <> 'retracted'
  order by quality_score desc, year desc nulls last, source_id limit ?`;

/** Counts the sources on some topics that are not retracted, and reads the strongest of them. */
export const readStrongest = async (em: EntityManager, topics: readonly string[], limit: number) => {
  const wanted = JSON.stringify(topics);
  const [count] = (await em.execute(COUNT, [wanted])) as unknown as { n: number }[];
  const ids = ((await em.execute(STRONGEST, [wanted, limit])) as unknown as { id: string }[]).map(({ id }) => id);
  const rows = await findRows<SourceRow>(em, Source, { sourceId: { $in: ids } });
  return { total: count?.n ?? 0, sources: rows.toSorted(byStrength) };
};
