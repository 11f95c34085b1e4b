/** Closing and opening what readers wrote. Counts are made from the rows themselves, so that no verdict counts twice. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Outcome } from './outcomes.ts';

export interface Verdict {
  /** Null: not said; what was said before stays. */
  readonly outcome: Outcome | null;
  /** A path of this service; null: none is named, and one that was named before stays. */
  readonly path: string | null;
  /** For readers; "" for none. */
  readonly note: string;
}

const CLOSE = (table: string): string => `update ${table} set status = 'closed', closed_at = coalesce(closed_at, now()),
  outcome = coalesce(?::text, outcome) where id = ? returning id`;
const FORGET_CHANGE = 'delete from feedback_change where feedback_id = ?';
const KEEP_CHANGE = `insert into feedback_change (feedback_id, at, path, note) values (?, now(), ?, ?)
  on conflict (feedback_id) do update set at = excluded.at, path = excluded.path, note = excluded.note`;

const changeOne = async (
  em: EntityManager,
  textOf: (table: string) => string,
  parameters: readonly unknown[],
): Promise<boolean> => {
  for (const table of ['feedback', 'answer_feedback']) {
    const rows = (await em.execute(textOf(table), [...parameters])) as unknown as unknown[];
    if (rows.length) return true;
  }
  return false;
};

/** Answers whether there is such a message. Of two editors at once the later one waits, and holds. */
export const closeFeedback = async (em: EntityManager, id: string, verdict: Verdict): Promise<boolean> => {
  const { outcome, path, note } = verdict;
  if (!(await changeOne(em, CLOSE, [outcome, id]))) return false;
  if (outcome !== null && outcome !== 'changed') await em.execute(FORGET_CHANGE, [id]);
  if (path !== null) await em.execute(KEEP_CHANGE, [id, path, note]);
  return true;
};

/** A vote whose words are gone has nothing to look at again. */
const REOPEN = (table: string): string => `update ${table} set status = 'open', closed_at = null, outcome = ''
  where id = ? ${table === 'answer_feedback' ? "and voter not like 'gone:%'" : ''} returning id`;

/** Answers whether there is such a message, with its words. What was said of it is taken back. */
export const reopenFeedback = async (em: EntityManager, id: string): Promise<boolean> => {
  if (!(await changeOne(em, REOPEN, [id]))) return false;
  await em.execute(FORGET_CHANGE, [id]);
  return true;
};
