/** Closes and reopens feedback. Counts are computed from the rows themselves, so that no verdict counts twice. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Outcome } from './outcomes.ts';

export interface Verdict {
  /** Null when not given; the current outcome remains. */
  readonly outcome: Outcome | null;
  /** Path of this service; null when none is given, and the current one remains. */
  readonly path: string | null;
  /** Note for readers; "" for none. */
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

/**
 * Closes a message and returns whether it exists. Of two concurrent calls the later one waits for the row lock and overwrites the
 * earlier one.
 */
export const closeFeedback = async (em: EntityManager, id: string, verdict: Verdict): Promise<boolean> => {
  const { outcome, path, note } = verdict;
  if (!(await changeOne(em, CLOSE, [outcome, id]))) return false;
  if (outcome !== null && outcome !== 'changed') await em.execute(FORGET_CHANGE, [id]);
  if (path !== null) await em.execute(KEEP_CHANGE, [id, path, note]);
  return true;
};

/** Reopens a message or vote, but not a vote whose text was erased, because nothing is left to review. */
const REOPEN = (table: string): string => `update ${table} set status = 'open', closed_at = null, outcome = ''
  where id = ? ${table === 'answer_feedback' ? "and voter not like 'gone:%'" : ''} returning id`;

/** Reopens a message, removes its outcome and its note, and returns whether a message with its text exists. */
export const reopenFeedback = async (em: EntityManager, id: string): Promise<boolean> => {
  if (!(await changeOne(em, REOPEN, [id]))) return false;
  await em.execute(FORGET_CHANGE, [id]);
  return true;
};
