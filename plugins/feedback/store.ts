/** Feedback as it is kept: texts stay as they came, data to be escaped wherever they are shown. */
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import type { AnswerFeedbackBody, FeedbackBody, Received } from './schemas.ts';

const newId = (): string => `fb_${Date.now().toString(36)}${randomBytes(8).toString('hex')}`;

const received = (id: string, at: Date): Received => ({ id, status: 'received', created_at: at.toISOString() });

const INSERT = `insert into feedback
  (id, category, message, target_type, target_id, page_url, rating, email, suggested_pmid, device, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const voterOfDevice = (device: string): string => `device:${device}`;

/** Things with a public address. Any other id may be a reader's own words, and an answer's is the key to it. */
const NAMED_TARGETS: readonly string[] = [
  'source',
  'supplement',
  'interaction',
  'product',
  'condition',
  'article',
  'biomarker',
];
const PLAIN_ID = /^[a-z0-9][a-z0-9-]{0,99}$/;

const publicTarget = (type: string, id: string): string =>
  NAMED_TARGETS.includes(type) && PLAIN_ID.test(id) ? id : '';

/**
 * Keeps one message and tells the change log, which is never deleted from, that it came, without a word of it. `device` is
 * whose it is, or null for a key's.
 */
export const keepFeedback = async (em: EntityManager, body: FeedbackBody, device: string | null): Promise<Received> => {
  const [id, at] = [newId(), new Date()];
  const { category, message, rating, target_type, target_id, page_url, email, suggested_pmid } = body;
  const texts = [target_type, target_id, page_url].map((text) => text ?? '');
  await em.execute(INSERT, [
    id,
    category,
    message,
    ...texts,
    rating ?? null,
    (email ?? '').trim(),
    suggested_pmid ?? '',
    device,
    at,
  ]);
  const data = {
    category,
    target_type: target_type ?? '',
    target_id: publicTarget(target_type ?? '', target_id ?? ''),
  };
  await recordChanges(em, [{ kind: 'feedback.created', subjectType: 'feedback', subjectId: id, data }]);
  return received(id, at);
};

/**
 * An earlier vote of the same voter that an editor has closed was a matter of its own: it is counted before the new one
 * takes its place, and what was said of it stays, under no name. Until then no editor changes it.
 */
const COUNT_EARLIER = `with own as (select id, created_at, status, outcome, has_words from answer_feedback
    where answer_id = ? and voter = ? for update),
  earlier as (select id, created_at, outcome from own where has_words and status = 'closed'),
  unnamed as (update feedback_change set feedback_id = 'gone:' || gen_random_uuid()
    where feedback_id in (select id from earlier))
  insert into feedback_past (month, outcome, messages)
    select to_char(created_at at time zone 'UTC', 'YYYY-MM'), outcome, 1 from earlier
    on conflict (month, outcome) do update set messages = feedback_past.messages + 1`;

/** One vote for each voter and answer: the newest takes the place of an earlier one and keeps its id. */
const UPSERT = `insert into answer_feedback
  (id, answer_id, voter, rating, reasons, comment, question, answer_excerpt, status, has_words, created_at)
  values (?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?)
  on conflict (answer_id, voter) do update set rating = excluded.rating, reasons = excluded.reasons,
    comment = excluded.comment, question = excluded.question, answer_excerpt = excluded.answer_excerpt,
    status = excluded.status, has_words = excluded.has_words, outcome = '', created_at = excluded.created_at,
    closed_at = null
  returning id`;

const ratingOf = (rating: AnswerFeedbackBody['rating']): 'up' | 'down' =>
  rating === 'up' || String(rating) === '1' ? 'up' : 'down';

/** `voter` is the hash of a device or of a key. A vote without a word to read is closed from the start. */
export const keepAnswerFeedback = async (
  em: EntityManager,
  body: AnswerFeedbackBody,
  voter: string,
): Promise<Received> => {
  const at = new Date();
  const rating = ratingOf(body.rating);
  const reasons = [...new Set(body.reasons ?? [])];
  const comment = body.comment ?? '';
  const hasWords = Boolean(reasons.length || comment.trim());
  const texts = [comment, body.question ?? '', body.answer_excerpt ?? ''];
  await em.execute(COUNT_EARLIER, [body.answer_id, voter]);
  const rows = (await em.execute(UPSERT, [
    newId(),
    body.answer_id,
    voter,
    rating,
    JSON.stringify(reasons),
    ...texts,
    hasWords ? 'open' : 'closed',
    hasWords,
    at,
  ])) as unknown as { id: string }[];
  const id = rows[0]?.id ?? '';
  const data = { rating };
  await recordChanges(em, [{ kind: 'feedback.created', subjectType: 'answer_feedback', subjectId: id, data }]);
  return received(id, at);
};
