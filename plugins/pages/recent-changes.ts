/** Describes the most recent changes for the front page, from the newest rows of the change log. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { byName, dayInWords, type LinkView, Source } from '#plugins/evidence/index.ts';
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
  /** Pages of the change's subjects, sorted by name. */
  readonly links: readonly LinkView[];
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
  const rows = await em.find(
    Source,
    { sourceId: { $in: [...ids] } },
    { fields: ['sourceId', 'title'], disableIdentityMap: true },
  );
  return new Map(rows.map((row) => [row.sourceId, row.title.replace(/\.$/, '')]));
};

const NAMED = 8;

/** Merges the entries that changed on one day into one line, sorted by name; those beyond the limit only as a number. */
const entriesInWords = (day: string, links: readonly LinkView[]): RecentChange => {
  const rest = links.length - NAMED;
  const shown = rest > 1 ? links.toSorted(byName).slice(0, NAMED) : links.toSorted(byName);
  const more = rest > 1 ? ` and ${rest} more` : '';
  return { day, links: shown, text: `${more}: ${links.length === 1 ? 'entry' : 'entries'} new or revised` };
};

const sourceInWords = (row: ChangeRow, titles: ReadonlyMap<string, string>): string | null => {
  if (row.kind === 'index.published') {
    const added = row.counts?.added ?? 0;
    return added
      ? `${added.toLocaleString('en-GB')} ${added === 1 ? 'source' : 'sources'} came in with an import`
      : null;
  }
  const title = titles.get(row.subject);
  if (!title) return null;
  if (row.kind === 'evidence.tier_changed') return `“${title}”: tier changed from ${row.before} to ${row.after}`;
  return `“${title}”: ${row.kind === 'evidence.retracted' ? 'retracted; it no longer counts' : 'withdrawn from the base'}`;
};

/** Returns the newest changes that have a title or a page: entries merged by day, sources one by one. */
export const readRecentChanges = async (em: EntityManager, terms: Terms): Promise<readonly RecentChange[]> => {
  const rows = (await em.execute(NEWEST)) as unknown as ChangeRow[];
  const sources = rows.filter(({ kind }) => kind.startsWith('evidence.')).map(({ subject }) => subject);
  const titles = await titlesOf(em, sources);
  const entries = new Map<string, Map<string, LinkView>>();
  const changes: { day: string; text: string | null }[] = [];
  for (const row of rows) {
    const day = dayInWords(row.at);
    const supplement = terms.supplements.get(SUPPLEMENT_FILE.exec(row.subject)?.[1] ?? '');
    if (row.kind !== 'content.changed') {
      changes.push({ day, text: sourceInWords(row, titles) });
    } else if (supplement) {
      const mine = entries.get(day) ?? new Map();
      if (!entries.has(day)) changes.push({ day, text: '' });
      entries.set(day, mine.set(supplement.slug, { name: supplement.name, href: `/supplements/${supplement.slug}` }));
    }
  }
  return changes
    .filter(({ text }) => text !== null)
    .slice(0, SHOWN)
    .map(({ day, text }) =>
      text ? { day, text, links: [] } : entriesInWords(day, [...(entries.get(day)?.values() ?? [])]),
    );
};

/** Returns the largest id of the change log, which changes whenever the result of `readRecentChanges` may change. */
export const stateOfChanges = async (em: EntityManager): Promise<string> => {
  const [row] = (await em.execute('select coalesce(max(id), 0)::text as id from change_log')) as unknown as {
    id: string;
  }[];
  return row?.id ?? '0';
};
