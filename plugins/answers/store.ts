/** Stores answers: one row each, written at once and deleted after its retention period. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '#core/errors.ts';
import type { StoredRequest } from './ask-request.ts';
import type { Answer, AnswerBody } from './schemas.ts';

/**
 * Seconds for which an answer that is not stored permanently remains available to its asker: as long as a stream can be
 * resumed.
 */
export const BUFFER_SECONDS = 300;
const DAY_SECONDS = 86_400;

export interface NewAnswer {
  readonly answerId: string;
  readonly owner: string;
  readonly request: StoredRequest;
  readonly body: AnswerBody;
  readonly latencyMs: number;
  readonly rerunOf: string | null;
}

interface Row {
  readonly answer_id: string;
  readonly owner: string;
  readonly request: StoredRequest;
  readonly body: AnswerBody;
  readonly latency_ms: number;
  readonly kept: boolean;
  readonly rerun_of: string | null;
  readonly created_at: Date | string;
  readonly expires_at: Date | string;
}

/** An answer with its internal fields. */
export interface StoredAnswer {
  readonly answer: Answer;
  readonly owner: string;
  readonly request: StoredRequest;
  readonly kept: boolean;
  readonly rerunOf: string | null;
  readonly expiresAt: string;
}

const time = (value: Date | string): string => new Date(value).toISOString();

export const permalinkOf = (answerId: string): string => `/answers/${answerId}`;

/** Builds the complete object for callers. */
const answerOf = (row: Row): Answer => ({
  answer_id: row.answer_id,
  ...row.body,
  latency_ms: row.latency_ms,
  created_at: time(row.created_at),
  permalink: row.kept ? permalinkOf(row.answer_id) : '',
});

const storedOf = (row: Row): StoredAnswer => ({
  answer: answerOf(row),
  owner: row.owner,
  request: row.request,
  kept: row.kept,
  rerunOf: row.rerun_of,
  expiresAt: time(row.expires_at),
});

const rowsOf = async (em: EntityManager, text: string, values: readonly unknown[]): Promise<Row[]> =>
  (await em.execute(text, [...values])) as unknown as Row[];

/** Returns whether the answer exists, and locks it until the end of the transaction. */
const holdAnswer = async (em: EntityManager, answerId: string): Promise<boolean> =>
  (await rowsOf(em, 'select answer_id from answer where answer_id = ? for key share', [answerId])).length > 0;

/**
 * Writes an answer. With `keepDays` 0 it is available to its asker only, for as long as a stream can be resumed.
 * @throws AppError 404 when the original of a rerun is gone: deleting an answer deletes its reruns.
 */
export const writeAnswer = async (em: EntityManager, answer: NewAnswer, keepDays: number): Promise<Answer> => {
  const { answerId, owner, request, body, latencyMs, rerunOf } = answer;
  const seconds = keepDays ? keepDays * DAY_SECONDS : BUFFER_SECONDS;
  if (rerunOf && !(await holdAnswer(em, rerunOf))) throw notFound('Answer', rerunOf);
  const [row] = await rowsOf(
    em,
    `insert into answer (answer_id, owner, question, request, body, index_version, retrieval_version, latency_ms, kept,
       rerun_of, created_at, expires_at)
     values (?, ?, ?, ?::json, ?::json, ?, ?, ?, ?, ?, now(), now() + make_interval(secs => ?)) returning *`,
    [
      answerId,
      owner,
      request.question,
      JSON.stringify(request),
      JSON.stringify(body),
      body.index_version,
      body.retrieval_version,
      latencyMs,
      keepDays > 0,
      rerunOf,
      seconds,
    ],
  );
  if (!row) throw new Error('An answer was not written');
  return answerOf(row);
};

/** Returns an answer by its id, or null. An answer that is not stored permanently is returned to its asker only. */
export const readAnswer = async (em: EntityManager, answerId: string, owner: string): Promise<StoredAnswer | null> => {
  const [row] = await rowsOf(
    em,
    "select * from answer where answer_id = ? and expires_at > now() and (kept or (owner = ? and owner <> ''))",
    [answerId, owner],
  );
  return row ? storedOf(row) : null;
};

/** Returns all unexpired answers of an owner, the latest first. */
export const answersOf = async (em: EntityManager, owner: string): Promise<readonly StoredAnswer[]> => {
  if (!owner) return [];
  const rows = await rowsOf(
    em,
    'select * from answer where owner = ? and expires_at > now() order by created_at desc, answer_id',
    [owner],
  );
  return rows.map(storedOf);
};

/**
 * Deletes an answer of this owner, its reruns and its buffered stream; an answer that is still being written is then never
 * stored. Returns false when the owner has no such answer.
 */
export const deleteAnswer = async (em: EntityManager, answerId: string, owner: string): Promise<boolean> => {
  if (!owner) return false;
  // The stream first, because the writer of the answer holds a lock on it.
  const stream = await em.execute('delete from answer_stream where answer_id = ? and owner = ? returning answer_id', [
    answerId,
    owner,
  ]);
  const gone = await em.execute('delete from answer where answer_id = ? and owner = ? returning answer_id', [
    answerId,
    owner,
  ]);
  return stream.length + gone.length > 0;
};

/** Deletes expired rows and returns the number of each kind. */
export const pruneAnswers = async (em: EntityManager): Promise<{ answers: number; streams: number }> => {
  // A rerun is newer than its original and expires separately.
  await em.execute(`update answer set rerun_of = null where expires_at > now()
    and rerun_of in (select answer_id from answer where expires_at <= now())`);
  const answers = await em.execute('delete from answer where expires_at <= now() returning answer_id');
  const streams = await em.execute('delete from answer_stream where expires_at <= now() returning answer_id');
  return { answers: answers.length, streams: streams.length };
};
