/** Counts the sources on each supplement. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Tier } from './schemas.ts';

export interface SupplementCount {
  readonly supplement: string;
  readonly n: number;
  readonly best: Tier | null;
  readonly last: string;
}

const COUNTS = `select v.supplement_slug as supplement, count(distinct v.source_id)::int as n,
  min(s.quality_tier) as best,
  to_char(max(s.updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from evidence_vertical v join evidence_source s on s.source_id = v.source_id
  where s.removed_at is null and s.retraction_status <> 'retracted' group by 1 order by 1`;

/** Returns the number of sources and the best tier of every supplement, without retracted sources. */
export const readSupplementCounts = async (em: EntityManager): Promise<readonly SupplementCount[]> =>
  (await em.execute(COUNTS)) as unknown as SupplementCount[];
