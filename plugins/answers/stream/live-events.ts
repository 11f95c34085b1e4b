/**
 * Holds the events of one stream in this process: pushed by the writer, read by any number of connections from any position.
 */
import type { StreamEvent } from './buffer.ts';

export interface LiveEvents {
  push(event: StreamEvent): void;
  end(): void;
  /** Yields all events after event `n`, including future ones, and ends with the stream. */
  after(n: number): AsyncGenerator<StreamEvent>;
}

export const createLiveEvents = (): LiveEvents => {
  const events: StreamEvent[] = [];
  let hasEnded = false;
  let news = Promise.withResolvers<void>();
  const tell = (): void => {
    news.resolve();
    news = Promise.withResolvers<void>();
  };
  return {
    push: (event) => {
      events.push(event);
      tell();
    },
    end: () => {
      hasEnded = true;
      tell();
    },
    async *after(n) {
      for (let at = n; ; at += 1) {
        while (at >= events.length) {
          if (hasEnded) return;
          await news.promise;
        }
        yield events[at] as StreamEvent;
      }
    },
  };
};
