/** Stores the events of a stream in the database for five minutes, so that a caller can resume it. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { BUFFER_SECONDS } from '../store.ts';

/** One event; `data` is JSON and `n` counts from 1. */
export interface StreamEvent {
  readonly n: number;
  readonly event: string;
  readonly data: string;
}

/** State of a stream. `lost`: the process that was answering has stopped. */
export type StreamState = 'running' | 'ended' | 'lost';

export interface Buffered {
  readonly state: StreamState;
  readonly events: readonly StreamEvent[];
}

/** Seconds without a touch after which a running stream counts as lost; a running stream is touched every few seconds. */
const STALE_SECONDS = 15;

export const openBuffer = async (em: EntityManager, answerId: string, owner: string): Promise<void> => {
  await em.execute('delete from answer_stream where expires_at <= now()');
  await em.execute(
    `insert into answer_stream (answer_id, owner, state, touched_at, expires_at)
     values (?, ?, 'running', now(), now() + make_interval(secs => ?))`,
    [answerId, owner, BUFFER_SECONDS],
  );
};

/**
 * Locks the stream until the end of the transaction, so that it cannot be deleted concurrently, and extends it by five
 * minutes. Returns false when its owner has deleted it; then nothing may be written.
 */
export const holdBuffer = async (em: EntityManager, answerId: string, state: 'running' | 'ended'): Promise<boolean> => {
  const held = await em.execute(
    `update answer_stream set state = ?, touched_at = now(), expires_at = now() + make_interval(secs => ?)
     where answer_id = ? returning answer_id`,
    [state, BUFFER_SECONDS, answerId],
  );
  return held.length > 0;
};

/** Deletes a stream that nobody needs to resume. Returns false when its owner has already deleted it. */
export const closeBuffer = async (em: EntityManager, answerId: string): Promise<boolean> =>
  (await em.execute('delete from answer_stream where answer_id = ? returning answer_id', [answerId])).length > 0;

/** Marks the stream as active. Returns false when its owner has deleted it. */
export const touchBuffer = async (em: EntityManager, answerId: string): Promise<boolean> => {
  const held = await em.execute(
    `update answer_stream set touched_at = now(), expires_at = now() + make_interval(secs => ?)
     where answer_id = ? returning answer_id`,
    [BUFFER_SECONDS, answerId],
  );
  return held.length > 0;
};

/** Adds events to a locked stream. */
export const addEvents = (em: EntityManager, answerId: string, events: readonly StreamEvent[]): Promise<unknown> =>
  bulkUpsert(
    em,
    'answer_stream_event',
    ['answerId', 'n'],
    events.map((event) => ({ answerId, ...event })),
  );

/** Adds events; `ended` marks them as the last ones. Returns false when the stream was deleted. */
export const appendEvents = async (
  em: EntityManager,
  answerId: string,
  { events, ended }: { readonly events: readonly StreamEvent[]; readonly ended: boolean },
): Promise<boolean> => {
  if (!(await holdBuffer(em, answerId, ended ? 'ended' : 'running'))) return false;
  await addEvents(em, answerId, events);
  return true;
};

/** Returns whether the owner has such a stream. */
export const hasBuffer = async (em: EntityManager, answerId: string, owner: string): Promise<boolean> =>
  (await em.execute('select 1 from answer_stream where answer_id = ? and owner = ?', [answerId, owner])).length > 0;

/**
 * Deletes the streams of these owners and returns the ids of their answers. An answer that is still being written is then not
 * stored.
 */
export const deleteStreamsOf = async (em: EntityManager, owners: readonly string[]): Promise<readonly string[]> => {
  const rows = (await em.execute('delete from answer_stream where owner = any(?::text[]) returning answer_id as id', [
    `{${owners.join(',')}}`,
  ])) as unknown as { id: string }[];
  return rows.map(({ id }) => id);
};

/**
 * Number of free resumes: a client that retries every three seconds for all of the five minutes. More resumes are charged.
 */
const FREE_RESUMES = 100;

/** Returns whether the stream can be resumed free of charge, and counts the resume. */
export const resumeBuffer = async (em: EntityManager, answerId: string, owner: string): Promise<boolean> => {
  const rows = await em.execute(
    `update answer_stream set resumes = resumes + 1
     where answer_id = ? and owner = ? and expires_at > now() and resumes < ? returning answer_id`,
    [answerId, owner, FREE_RESUMES],
  );
  return rows.length > 0;
};

/** Returns the events after event `after`, or null when the stream belongs to another owner or has expired. */
export const readBuffer = async (
  em: EntityManager,
  { answerId, owner, after }: { readonly answerId: string; readonly owner: string; readonly after: number },
): Promise<Buffered | null> => {
  const [held] = (await em.execute(
    `select state, extract(epoch from now() - touched_at)::float8 as idle from answer_stream
     where answer_id = ? and owner = ? and expires_at > now()`,
    [answerId, owner],
  )) as unknown as { state: StreamState; idle: number }[];
  if (!held || !owner) return null;
  // Read after the state: events of a stream that ends in between are read completely the next time.
  const events = (await em.execute(
    'select n, event, data from answer_stream_event where answer_id = ? and n > ? order by n',
    [answerId, after],
  )) as unknown as StreamEvent[];
  const isLost = held.state === 'running' && Number(held.idle) > STALE_SECONDS;
  return { state: isLost ? 'lost' : held.state, events };
};
