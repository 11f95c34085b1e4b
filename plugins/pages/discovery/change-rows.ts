/** Queries the change log for the feeds and /changes: rows that were written in one step form one group. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Source } from '#plugins/evidence/index.ts';

/** A row of the change log without the columns that are never shown. */
export interface ChangedThing {
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Rows of one kind that were written in one step, such as one import or a content sync of one folder. */
export interface ChangeGroup {
  /** Id of the group's first row, so that it never changes. */
  readonly id: string;
  readonly kind: string;
  /** Content folder, such as "supplements", for changes of texts; "" otherwise. */
  readonly folder: string;
  /** RFC 3339. */
  readonly at: string;
  readonly count: number;
  /** The first rows, at most `MOST_NAMED`, in the order in which they were written. */
  readonly things: readonly ChangedThing[];
}

/** Maximum number of rows read, newest first. A group that the limit cuts is omitted, because its first row was not read. */
const LOOKED_AT = 6_000;
export const MOST_GROUPS = 100;
/** Maximum number of things listed for each group; for the others, the feed gives their number. */
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

/** Returns the newest groups of changes of the whole base, newest first, at most `MOST_GROUPS`. */
export const readChanges = async (em: EntityManager): Promise<readonly ChangeGroup[]> =>
  (await em.execute(OF_ALL)) as unknown as ChangeGroup[];

/** Returns the changes of one supplement: of its text, its grades, its interactions, and the sources filed under it. */
export const readChangesOf = async (em: EntityManager, slug: string): Promise<readonly ChangeGroup[]> =>
  (await em.execute(OF_SUPPLEMENT, [`supplements/${slug}.md`, slug, slug, slug])) as unknown as ChangeGroup[];

const QUESTIONS = `select source_id as id, min(vertical) as vertical from evidence_vertical
  where source_id in (select jsonb_array_elements_text(?::jsonb)) group by 1`;

/** A source that a change names. */
export interface NamedSource {
  readonly title: string;
  /** A question under which the source is filed; "" for none. */
  readonly vertical: string;
}

/** Returns the sources that the groups name, by id. */
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
