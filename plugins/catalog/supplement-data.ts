/** Database queries for a supplement's page. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { YearCount } from '#core/render/charts/year-columns.ts';
import { readSources, type SourceRow, type Tier } from '#plugins/evidence/index.ts';

export interface TopicCount {
  readonly topic: string;
  readonly n: number;
  readonly best: Tier | null;
}

const BY_TOPIC = `select v.topic_slug as topic, count(*)::int as n,
  min(s.quality_tier) filter (where s.retraction_status <> 'retracted') as best
  from evidence_vertical v join evidence_source s on s.source_id = v.source_id
  where v.supplement_slug = ? and s.removed_at is null group by 1`;

const BY_YEAR = `select s.year, s.quality_tier as tier,
  count(*) filter (where s.retraction_status <> 'retracted' and s.source_class <> 'clinical_trial')::int as count,
  count(*) filter (where s.source_id not in (select jsonb_array_elements_text(?::jsonb)))::int as uncited
  from evidence_source s where s.removed_at is null
  and s.source_id in (select source_id from evidence_vertical where supplement_slug = ?)
  group by 1, 2 order by 1, 2`;

/** Counts the sources of each outcome and each year, and those that the entry does not cite. */
export const readTopicCounts = async (em: EntityManager, slug: string, cited: readonly string[]) => {
  const topics = (await em.execute(BY_TOPIC, [slug])) as unknown as TopicCount[];
  const years = (await em.execute(BY_YEAR, [JSON.stringify(cited), slug])) as unknown as (YearCount & {
    readonly uncited: number;
  })[];
  return { topics, years, uncited: years.reduce((sum, { uncited }) => sum + uncited, 0) };
};

export interface Unread {
  /** Number of all unread sources. */
  readonly count: number;
  /** The strongest of them. */
  readonly sources: readonly SourceRow[];
}

const UNREAD = `select s.source_id as id, count(*) over ()::int as n from evidence_source s
  where s.removed_at is null and s.read = '' and s.retraction_status <> 'retracted' and s.source_class <> 'clinical_trial'
  and s.source_id in (select source_id from evidence_vertical where supplement_slug = ?)
  order by s.quality_score desc, s.year desc nulls last, s.source_id limit ?`;

/** Reads the sources on one of its outcomes that no editor has read, except announcements in trial registries. */
export const readUnread = async (em: EntityManager, slug: string, limit: number): Promise<Unread> => {
  const rows = (await em.execute(UNREAD, [slug, limit])) as unknown as { readonly id: string; readonly n: number }[];
  const ids = rows.map(({ id }) => id);
  const found = new Map((await readSources(em, ids)).map((source) => [source.sourceId, source]));
  return { count: rows[0]?.n ?? 0, sources: ids.flatMap((id) => found.get(id) ?? []) };
};

const IN_PEOPLE = `select count(*)::int as n from evidence_source s
  where s.removed_at is null and s.retraction_status <> 'retracted' and s.species = 'human'
  and s.source_class <> 'clinical_trial' and s.superseded_by = '' and s.supplements @> ?::jsonb`;

/** Counts the studies and reviews in people that are about a supplement, for any outcome. */
export const countInPeople = async (em: EntityManager, slug: string): Promise<number> => {
  const [row] = (await em.execute(IN_PEOPLE, [JSON.stringify([slug])])) as unknown as { readonly n: number }[];
  return Number(row?.n ?? 0);
};

export interface HistoryRow {
  readonly at: string;
  readonly kind: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

const HISTORY = `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, kind, subject_id as subject,
  data->'old'->>'quality_tier' as before, data->'new'->>'quality_tier' as after from change_log
  where (subject_type = 'content' and subject_id = ? and kind = 'content.changed')
  or (subject_type = 'source' and kind in ('evidence.tier_changed', 'evidence.retracted', 'evidence.removed')
    and subject_id in (select jsonb_array_elements_text(?::jsonb)))
  order by id desc limit 8`;

/** Reads the changes of the entry and of the grades of its cited sources, newest first. */
export const readHistory = async (
  em: EntityManager,
  slug: string,
  cited: readonly string[],
): Promise<readonly HistoryRow[]> =>
  (await em.execute(HISTORY, [`supplements/${slug}.md`, JSON.stringify(cited)])) as unknown as HistoryRow[];
