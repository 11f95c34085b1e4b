/** Writes the events of a stream asynchronously, after the listeners have received them. */
import type { Log } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';
import { appendEvents, type StreamEvent } from './buffer.ts';

interface Writing {
  readonly db: Database;
  readonly log: Log;
  /** Called when the owner has deleted the stream. */
  onGone(): void;
}

/** Creates a write-behind buffer: events that are added during a write are written with the next one. */
export const bufferWriter = ({ db, log, onGone }: Writing, answerId: string) => {
  let pending: StreamEvent[] = [];
  let writing: Promise<void> | null = null;
  const flush = async (): Promise<void> => {
    while (pending.length) {
      const batch = pending;
      pending = [];
      try {
        const isThere = await db.write((em) => appendEvents(em, answerId, { events: batch, ended: false }));
        if (!isThere) onGone();
      } catch (error) {
        // The next event triggers another attempt for these.
        pending = [...batch, ...pending];
        log.warn('stream_not_buffered', { error });
        return;
      }
    }
  };
  return {
    add: (event: StreamEvent): void => {
      pending.push(event);
      writing ??= flush().finally(() => {
        writing = null;
      });
    },
    /** Returns the events that are not written yet, once no write is in progress. */
    take: async (): Promise<StreamEvent[]> => {
      await writing;
      const rest = pending;
      pending = [];
      return rest;
    },
  };
};
