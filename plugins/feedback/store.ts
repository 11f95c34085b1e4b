/** Stores feedback. Texts are stored unchanged and must be escaped wherever they are shown. */
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

/**
 * Targets with a public URL. The id of any other target may be a reader's own words, and the id of an answer grants access to it.
 */
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
 * Stores a message and records in the change log, which is append-only, that one arrived, without any of its text. `device` is
 * the sender's device, or null for a message sent with a key.
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
 * Counts an earlier vote of the same voter when an editor has closed it, before the new vote replaces it. The public note about
 * its outcome remains, under an anonymous id. The row lock keeps editors from changing the vote meanwhile.
 */
const COUNT_EARLIER = `with own as (select id, created_at, status, outcome, has_words from answer_feedback
    where answer_id = ? and voter = ? for update),
  earlier as (select id, created_at, outcome from own where has_words and status = 'closed'),
  unnamed as (update feedback_change set feedback_id = 'gone:' || gen_random_uuid()
    where feedback_id in (select id from earlier))
  insert into feedback_past (month, outcome, messages)
    select to_char(created_at at time zone 'UTC', 'YYYY-MM'), outcome, 1 from earlier
    on conflict (month, outcome) do update set messages = feedback_past.messages + 1`;

/** Stores one vote per voter and answer: a new vote replaces the earlier one and keeps its id. */
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

/**
 * Stores a vote on an answer. `voter` is the hash of a device or of a key. A vote without reasons or a comment is stored as
 * closed.
 */
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
