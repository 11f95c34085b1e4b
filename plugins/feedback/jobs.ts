import { inBatches } from '#core/db/batches.ts';
import type { Job } from '#core/plugin.ts';
import { LAPSED } from './outcomes.ts';

/** Erases e-mail addresses. An address is needed until the message is closed and follow-up questions have been answered. */
const EMAILS = `with old as (select id from feedback where email <> '' and
    (closed_at < now() - interval '90 days' or created_at < now() - interval '400 days') limit ?),
  gone as (update feedback set email = '' where id in (select id from old) returning 1)
  select count(*)::int as count from gone`;
/**
 * Deletes old messages. Corrections are recorded in the change log, so the reporter's words are no longer needed. The same
 * statement counts the deleted messages by month and outcome, so that each counts once.
 */
const MESSAGES = `with old as (select id from feedback where
    closed_at < now() - make_interval(days => ?) or created_at < now() - make_interval(days => ?) limit ?),
  gone as (delete from feedback where id in (select id from old) returning id, created_at, status, outcome),
  counted as (insert into feedback_past (month, outcome, messages)
    select to_char(created_at at time zone 'UTC', 'YYYY-MM'), case when status = 'open' then '${LAPSED}' else outcome end,
      count(*) from gone group by 1, 2
    on conflict (month, outcome) do update set messages = feedback_past.messages + excluded.messages),
  unnamed as (update feedback_change set feedback_id = 'gone:' || gen_random_uuid()
    where feedback_id in (select id from gone))
  select count(*)::int as count from gone`;
/**
 * Erases the texts and the voter of old ratings, because questions may reveal somebody's health. The rating and its reasons
 * remain as anonymous figures.
 */
const RATINGS = `with old as (select id from answer_feedback
    where created_at < now() - make_interval(days => ?) and (voter not like 'gone:%' or comment <> '') limit ?),
  gone as (update answer_feedback set voter = 'gone:' || id, comment = '', question = '', answer_excerpt = '',
    outcome = case when status = 'open' then '${LAPSED}' else outcome end,
    status = 'closed', closed_at = coalesce(closed_at, now()) where id in (select id from old) returning 1)
  select count(*)::int as count from gone`;

/** Messages that nobody closes are deleted as well, after this multiple of the retention period of closed ones. */
const OPEN_TIMES = 2;

/** Erases old messages and all data that identify their authors when the retention period ends. */
export const forgetWriters: Job = {
  id: 'forget_feedback_writers',
  summary: 'delete old messages; erase e-mail addresses, devices, questions and comments of old feedback',
  schedule: '23 3 * * *',
  timeoutSeconds: 600,
  run: async (context) => {
    const keepDays = context.config.integer('FEEDBACK_KEEP_DAYS');
    return {
      messages: await inBatches(context, MESSAGES, [keepDays, keepDays * OPEN_TIMES]),
      emails: await inBatches(context, EMAILS),
      ratings: await inBatches(context, RATINGS, [keepDays]),
    };
  },
};
