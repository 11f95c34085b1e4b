/** Events of one stream in this process: pushed by who answers, read by any number of connections from any place on. */
import type { StreamEvent } from './buffer.ts';

export interface LiveEvents {
  push(event: StreamEvent): void;
  end(): void;
  /** All after event `n`, those to come too; ends with the stream. */
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
