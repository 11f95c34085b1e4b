/** The change log as feeds and /changes need it: what one step changed stands together. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Source } from '#plugins/evidence/index.ts';

/** A row, without what readers never see. */
export interface ChangedThing {
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Rows of one kind that were written in one step, such as by an import or new texts of one folder. */
export interface ChangeGroup {
  /** Of its first row: never another. */
  readonly id: string;
  readonly kind: string;
  /** Of texts their folder, such as "supplements"; "" otherwise. */
  readonly folder: string;
  /** RFC 3339. */
  readonly at: string;
  readonly count: number;
  /** The first of them, in the order in which they were written. */
  readonly things: readonly ChangedThing[];
}

/** Of the newest rows: a group that is cut off there is left out, as its first row is not seen. */
const LOOKED_AT = 6_000;
export const MOST_GROUPS = 100;
/** Named one by one; of the others the feed tells how many. */
export const MOST_NAMED = 12;

const GRADES = ['evidence.tier_changed', 'evidence.retracted', 'evidence.removed'];
const RULES = ['interaction.created', 'interaction.severity_changed'];
const inList = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

const GROUPS = (where: string): string => `with recent as (
    select id, at, kind, subject_id, data,
      case when kind = 'content.changed' then split_part(subject_id, '/', 1) else '' end as folder
    from change_log where ${where} order by id desc limit ${LOOKED_AT}
  ), grouped as (
    select kind, folder, at, count(*)::int as count, min(id) as first, max(id) as last,
      to_jsonb((array_agg(jsonb_build_object('subject', subject_id, 'data', data) order by id))[1:${MOST_NAMED}]) as things
    from recent group by kind, folder, at
  )
  select first::text as id, kind, folder, count, things, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
  from grouped
  where first > (select case when count(*) < ${LOOKED_AT} then 0 else min(id) end from recent)
  order by last desc limit ${MOST_GROUPS}`;

const PAGES = `(kind = 'content.changed' and subject_id ~ '^(supplements|conditions|articles|pages)/[a-z0-9-]+\\.md$')`;

const OF_ALL = GROUPS(`${PAGES} or kind in (${inList([...GRADES, ...RULES, 'outcome.grade_changed'])})
  or (kind = 'index.published' and (data->>'added')::int > 0)`);

const OF_SUPPLEMENT = GROUPS(`(kind = 'content.changed' and subject_id = ?)
  or (kind = 'outcome.grade_changed' and data->>'supplement_slug' = ?)
  or (kind in (${inList(RULES)}) and data->>'supplement' = ?)
  or (kind in (${inList(GRADES)}) and subject_id in
    (select source_id from evidence_vertical where supplement_slug = ?))`);

/** Newest first, at most `MOST_GROUPS`. */
export const readChanges = async (em: EntityManager): Promise<readonly ChangeGroup[]> =>
  (await em.execute(OF_ALL)) as unknown as ChangeGroup[];

/** Of one supplement: its text, its grades, its interactions, and the sources filed under it. */
export const readChangesOf = async (em: EntityManager, slug: string): Promise<readonly ChangeGroup[]> =>
  (await em.execute(OF_SUPPLEMENT, [`supplements/${slug}.md`, slug, slug, slug])) as unknown as ChangeGroup[];

const QUESTIONS = `select source_id as id, min(vertical) as vertical from evidence_vertical
  where source_id in (select jsonb_array_elements_text(?::jsonb)) group by 1`;

/** A source that a change is about. */
export interface NamedSource {
  readonly title: string;
  /** A question that it is filed under; "" for none. */
  readonly vertical: string;
}

/** By id; those that the groups name. */
export const readSources = async (
  em: EntityManager,
  groups: readonly ChangeGroup[],
): Promise<ReadonlyMap<string, NamedSource>> => {
  const ids = groups
    .filter(({ kind }) => GRADES.includes(kind))
    .flatMap(({ things }) => things.map(({ subject }) => subject));
  if (!ids.length) return new Map();
  const rows = await em.find(
    Source,
    { sourceId: { $in: ids } },
    { fields: ['sourceId', 'title'], disableIdentityMap: true },
  );
  const filed = (await em.execute(QUESTIONS, [JSON.stringify(ids)])) as unknown as { id: string; vertical: string }[];
  const verticals = new Map(filed.map(({ id, vertical }) => [id, vertical]));
  return new Map(
    rows.map((row) => [
      row.sourceId,
      { title: row.title.replace(/\.$/, ''), vertical: verticals.get(row.sourceId) ?? '' },
    ]),
  );
};
