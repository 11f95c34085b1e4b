/** Counts the sources on each question: one supplement and one outcome. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Tier } from './schemas.ts';

export interface VerticalCount {
  readonly vertical: string;
  readonly supplement: string;
  readonly topic: string;
  /** Number of sources by tier, without retracted ones. */
  readonly tiers: Readonly<Record<Tier, number>>;
  /** Changes when any of its sources changes, including retracted ones. */
  readonly revisions: string;
  /** RFC 3339 time. */
  readonly last: string;
}

interface Row extends Omit<VerticalCount, 'tiers'>, Record<'a' | 'b' | 'c' | 'd', number> {}

const inTier = (tier: Tier): string =>
  `count(*) filter (where s.quality_tier = '${tier}' and s.retraction_status <> 'retracted')::int as ${tier.toLowerCase()}`;

const COUNTS = `select v.vertical, v.supplement_slug as supplement, v.topic_slug as topic,
  ${(['A', 'B', 'C', 'D'] as const).map(inTier).join(', ')},
  count(*)::text || '/' || sum(s.revision)::text || '/' || max(s.revision)::text as revisions,
  to_char(max(s.updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from evidence_vertical v join evidence_source s on s.source_id = v.source_id
  where s.removed_at is null group by 1, 2, 3 order by v.vertical collate "C"`;

/** Returns every question that has sources, in one query, ordered by name. */
export const readVerticalCounts = async (em: EntityManager): Promise<readonly VerticalCount[]> =>
  ((await em.execute(COUNTS)) as unknown as Row[]).map(({ a, b, c, d, ...row }) => ({
    ...row,
    tiers: { A: a, B: b, C: c, D: d },
  }));
