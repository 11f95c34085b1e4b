import type { EntityManager } from '@mikro-orm/postgresql';
import type { Job } from '#core/plugin.ts';

/** An address is needed until the matter is closed and a question back has been answered. */
const EMAILS = `with gone as (update feedback set email = '' where email <> '' and
    (closed_at < now() - interval '90 days' or created_at < now() - interval '400 days') returning 1)
  select count(*)::int as count from gone`;
/** Questions may speak of somebody's health; as long as the data of devices, and no longer. */
const QUESTIONS = `with gone as (update answer_feedback set voter = 'gone:' || id, question = '', answer_excerpt = ''
    where created_at < now() - interval '400 days' and voter not like 'gone:%' returning 1)
  select count(*)::int as count from gone`;

const countOf = async (em: EntityManager, text: string): Promise<number> => {
  const [row] = (await em.execute(text)) as unknown as { count: number }[];
  return row?.count ?? 0;
};

/** Erases what tells who wrote, once its time is over. */
export const forgetWriters: Job = {
  id: 'forget_feedback_writers',
  summary: 'erase e-mail addresses, devices and questions of old feedback',
  schedule: '23 3 * * *',
  timeoutSeconds: 600,
  run: ({ db }) =>
    db.write(async (em) => ({ emails: await countOf(em, EMAILS), questions: await countOf(em, QUESTIONS) })),
};
