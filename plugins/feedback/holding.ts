/** Exports, moves and erases the messages and the answer ratings of a device. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Holding } from '#plugins/devices/index.ts';
import { LAPSED } from './outcomes.ts';
import { voterOfDevice } from './store.ts';

/** Wraps a deletion: the same statement counts the deleted messages by month and outcome, without any name or text. */
const counting = (deleted: string): string => `with gone as (${deleted}),
  counted as (insert into feedback_past (month, outcome, messages)
    select to_char(created_at at time zone 'UTC', 'YYYY-MM'), case when status = 'open' then '${LAPSED}' else outcome end,
      count(*) from gone where counts group by 1, 2
    on conflict (month, outcome) do update set messages = feedback_past.messages + excluded.messages)
  update feedback_change set feedback_id = 'gone:' || gen_random_uuid() where feedback_id in (select id from gone)`;

const ERASE_MESSAGES = counting(
  'delete from feedback where device = ? returning id, created_at, status, outcome, true as counts',
);
const ERASE_RATINGS = counting(
  'delete from answer_feedback where voter = ? returning id, created_at, status, outcome, has_words as counts',
);
/**
 * Deletes the ratings of the device that is merged away where both devices rated the same answer; the rating of the remaining
 * device is kept.
 */
const ERASE_DOUBLE = counting(`delete from answer_feedback where voter = ? and answer_id in
  (select answer_id from answer_feedback where voter = ?) returning id, created_at, status, outcome, has_words as counts`);

const MESSAGES = `select id, category, message, target_type, target_id, page_url, rating, email, suggested_pmid, status,
    outcome, created_at, closed_at from feedback where device = ? order by created_at, id`;
const RATINGS = `select id, answer_id, rating, reasons, comment, question, answer_excerpt, status, outcome, created_at,
    closed_at from answer_feedback where voter = ? order by created_at, id`;

const rowsOf = async (em: EntityManager, text: string, value: string) =>
  (await em.execute(text, [value])) as unknown as readonly Readonly<Record<string, unknown>>[];

const counted = (what: string, count: number) => (count ? [{ what, count }] : []);

export const feedbackHolding: Holding = {
  name: 'feedback',
  tables: ['feedback', 'answer_feedback'],
  counts: async (em, device) => [
    ...counted('messages to us', (await rowsOf(em, MESSAGES, device)).length),
    ...counted('ratings of answers', (await rowsOf(em, RATINGS, voterOfDevice(device))).length),
  ],
  exported: async (em, device) => ({
    feedback: await rowsOf(em, MESSAGES, device),
    answer_ratings: await rowsOf(em, RATINGS, voterOfDevice(device)),
  }),
  resources: async () => [],
  erase: async (em, device) => {
    await em.execute(ERASE_MESSAGES, [device]);
    await em.execute(ERASE_RATINGS, [voterOfDevice(device)]);
  },
  move: async (em, { from, to }) => {
    await em.execute('update feedback set device = ? where device = ?', [to, from]);
    const [old, present] = [voterOfDevice(from), voterOfDevice(to)];
    await em.execute(ERASE_DOUBLE, [old, present]);
    await em.execute('update answer_feedback set voter = ? where voter = ?', [present, old]);
  },
};
