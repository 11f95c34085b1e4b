/** Writes the events of a stream behind those who listen. */
import type { Log } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';
import { appendEvents, type StreamEvent } from './buffer.ts';

interface Writing {
  readonly db: Database;
  readonly log: Log;
  /** Told when the stream was deleted by who asked. */
  onGone(): void;
}

/** Writes behind: what is pushed while a write is on its way goes with the next one. */
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
        // The next event takes them along.
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
    /** What is not written yet, once no write is on its way. */
    take: async (): Promise<StreamEvent[]> => {
      await writing;
      const rest = pending;
      pending = [];
      return rest;
    },
  };
};
