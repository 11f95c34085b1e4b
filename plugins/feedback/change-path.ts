/**
 * Resolves the page that shows a change, from a path, from the kind and id of its subject, or from its number in the change log.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { isOwnPath } from './own-path.ts';

/** Maximum length of the text, in characters; no path of this site is longer. */
const MOST = 300;

/** Path prefixes of the pages that end with the slug or id of their subject. */
const FOLDERS: Readonly<Record<string, string>> = {
  supplement: '/supplements/',
  condition: '/conditions/',
  interaction: '/interactions/',
  product: '/product/',
  article: '/articles/',
  biomarker: '/biomarkers/',
  question: '/evidence/',
  page: '/',
};

const THING = /^([a-z]+)\/([A-Za-z0-9_-]+)$/;
const FILE = /^(supplement|condition|article|page)s\/([a-z0-9-]+)\.md$/;

/** A source has no page of its own; it is shown by the first question that it is filed under. */
const QUESTION = 'select min(vertical) as vertical from evidence_vertical where source_id = ?';
const CHANGE = `select kind, subject_id as subject, data->>'supplement' as supplement from change_log
  where id = ?::bigint`;

const pathOfSource = async (em: EntityManager, id: string): Promise<string | null> => {
  const [row] = (await em.execute(QUESTION, [id])) as unknown as { vertical: string | null }[];
  return row?.vertical ? `/evidence/${row.vertical}` : null;
};

const pathOfThing = async (em: EntityManager, text: string): Promise<string | null> => {
  const [, kind = '', id = ''] = THING.exec(text) ?? [];
  if (kind === 'source') return pathOfSource(em, id);
  const folder = FOLDERS[kind];
  return folder ? `${folder}${id}` : null;
};

/** Returns the page of a changed text, the question of a grade, or the page of an interaction's supplement. */
const pathOfChange = async (em: EntityManager, id: string): Promise<string | null> => {
  type Row = { readonly kind: string; readonly subject: string; readonly supplement: string | null };
  const [row] = (await em.execute(CHANGE, [id])) as unknown as Row[];
  if (!row) return null;
  const { kind, subject, supplement } = row;
  if (kind === 'content.changed') {
    const [, folder, slug] = FILE.exec(subject) ?? [];
    return folder ? pathOfThing(em, `${folder}/${slug}`) : null;
  }
  if (kind === 'outcome.grade_changed') return `/evidence/${subject}`;
  if (kind.startsWith('interaction.') && supplement) return `/interactions/${supplement}`;
  return kind.startsWith('evidence.') ? pathOfSource(em, subject) : null;
};

/** Returns the path, or null when the text names no page; does not check whether a page exists at the path. */
export const pathOf = async (em: EntityManager, change: string): Promise<string | null> => {
  if (change.length > MOST) return null;
  if (isOwnPath(change)) return change;
  return /^\d{1,18}$/.test(change) ? pathOfChange(em, change) : pathOfThing(em, change);
};
