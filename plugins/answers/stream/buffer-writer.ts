import type { Log } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';
import { appendEvents, type StreamEvent } from './buffer.ts';

/** Writes behind: what is pushed while a write is on its way goes with the next one. */
export const bufferWriter = ({ db, log }: { readonly db: Database; readonly log: Log }, answerId: string) => {
  let pending: StreamEvent[] = [];
  let writing: Promise<void> | null = null;
  const flush = async (): Promise<void> => {
    while (pending.length) {
      const batch = pending;
      pending = [];
      try {
        await db.write((em) => appendEvents(em, answerId, { events: batch, ended: false }));
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
