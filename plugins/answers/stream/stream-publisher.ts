/** Numbers the events of one answer, publishes them to listeners, and buffers them for resuming. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '#core/errors.ts';
import type { Log } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';
import { addEvents, appendEvents, holdBuffer, type StreamEvent } from './buffer.ts';
import { bufferWriter } from './buffer-writer.ts';
import type { LiveEvents } from './live-events.ts';

export interface StreamPublisherOptions {
  readonly db: Database;
  readonly log: Log;
  readonly live: LiveEvents;
  /** Called when the owner has deleted the stream. */
  onGone(): void;
}

/** Name and data of an event, the data as JSON. */
export type Named = readonly [event: string, data: string];

export interface StreamPublisher {
  tell(event: string, data: object): void;
  /**
   * Publishes the last events once they are committed, so that an answer which a caller received completely can be looked up.
   * @throws AppError 404 when the stream was deleted meanwhile; `make` has then not run.
   */
  close(make: (em: EntityManager) => Promise<readonly Named[]>): Promise<void>;
  /** Publishes the last events of a failed answer at once, and buffers them if possible. */
  fail(events: readonly Named[]): Promise<void>;
}

const after = (n: number, events: readonly Named[]): StreamEvent[] =>
  events.map(([event, data], at) => ({ n: n + 1 + at, event, data }));

export const createStreamPublisher = (
  { db, log, live, onGone }: StreamPublisherOptions,
  answerId: string,
): StreamPublisher => {
  const writer = bufferWriter({ db, log, onGone }, answerId);
  let n = 0;
  const publish = (events: readonly StreamEvent[]): void => {
    for (const event of events) live.push(event);
    n += events.length;
  };
  return {
    tell: (event, data) => {
      const told = after(n, [[event, JSON.stringify(data)]]);
      publish(told);
      for (const one of told) writer.add(one);
    },
    close: async (make) => {
      const rest = await writer.take();
      try {
        const last = await db.write(async (em) => {
          if (!(await holdBuffer(em, answerId, 'ended'))) throw notFound('Answer', answerId);
          const events = after(n, await make(em));
          await addEvents(em, answerId, [...rest, ...events]);
          return events;
        });
        publish(last);
      } catch (error) {
        for (const event of rest) writer.add(event);
        throw error;
      }
    },
    fail: async (events) => {
      const last = after(n, events);
      publish(last);
      const rest = await writer.take();
      await db
        .write((em) => appendEvents(em, answerId, { events: [...rest, ...last], ended: true }))
        .catch((error) => log.warn('stream_not_buffered', { error }));
    },
  };
};
