/** What changed recently, in words: the newest rows of the change log, one per subject. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Source } from '#plugins/evidence/index.ts';
import { dayInWords } from '#plugins/evidence/page-views.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';

interface ChangeRow {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly counts: Readonly<Record<string, number>> | null;
}

export interface RecentChange {
  readonly day: string;
  readonly text: string;
  /** "" where there is no page for it. */
  readonly href: string;
  readonly linkText: string;
}

const LOOKED_AT = 400;
const SHOWN = 6;

const NEWEST = `select id::text as id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, kind,
  subject_id as subject, data->'old'->>'quality_tier' as before, data->'new'->>'quality_tier' as after, data as counts
  from change_log where kind in
  ('content.changed', 'evidence.tier_changed', 'evidence.retracted', 'evidence.removed', 'index.published')
  order by id desc limit ${LOOKED_AT}`;

const SUPPLEMENT_FILE = /^supplements\/([a-z0-9-]+)\.md$/;

const titlesOf = async (em: EntityManager, ids: readonly string[]) => {
  const rows = await em.find(Source, { sourceId: { $in: [...ids] } }, { fields: ['sourceId', 'title'], disableIdentityMap: true });
  return new Map(rows.map((row) => [row.sourceId, row.title.replace(/\.$/, '')]));
};

const inWords = (row: ChangeRow, titles: ReadonlyMap<string, string>, terms: Terms): Omit<RecentChange, 'day'> | null => {
  const entry = SUPPLEMENT_FILE.exec(row.subject)?.[1];
  const supplement = entry && terms.supplements.get(entry);
  if (row.kind === 'content.changed') {
    return supplement
      ? { linkText: supplement.name, href: `/supplements/${supplement.slug}`, text: 'entry new or revised' }
      : null;
  }
  if (row.kind === 'index.published') {
    const added = row.counts?.added ?? 0;
    return added ? { linkText: '', href: '', text: `${added.toLocaleString('en-GB')} sources came in with an import` } : null;
  }
  const title = titles.get(row.subject);
  if (!title) return null;
  const words: Readonly<Record<string, string>> = {
    'evidence.tier_changed': `tier changed from ${row.before} to ${row.after}`,
    'evidence.retracted': 'retracted; it no longer counts',
    'evidence.removed': 'withdrawn from the base',
  };
  return { linkText: '', href: '', text: `“${title}”: ${words[row.kind] ?? 'changed'}` };
};

/** The newest changes a reader can follow; entries that came in together are told alphabetically. */
export const readRecentChanges = async (em: EntityManager, terms: Terms): Promise<readonly RecentChange[]> => {
  const rows = (await em.execute(NEWEST)) as unknown as ChangeRow[];
  const sources = rows.filter(({ kind }) => kind.startsWith('evidence.')).map(({ subject }) => subject);
  const titles = await titlesOf(em, sources);
  const seen = new Set<string>();
  const shown: RecentChange[] = [];
  for (const row of rows) {
    if (seen.has(row.subject) && row.kind !== 'index.published') continue;
    seen.add(row.subject);
    const words = inWords(row, titles, terms);
    if (words) shown.push({ day: dayInWords(row.at), ...words });
    if (shown.length === SHOWN) break;
  }
  return shown;
};

/** Changes with anything that `readRecentChanges` may tell. */
export const stateOfChanges = async (em: EntityManager): Promise<string> => {
  const [row] = (await em.execute('select coalesce(max(id), 0)::text as id from change_log')) as unknown as { id: string }[];
  return row?.id ?? '0';
};
