/**
 * Formats server-sent events: `retry`, then the events, with periodic comments that keep proxies from closing the connection.
 */
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { StreamEvent } from './buffer.ts';

const RETRY = 'retry: 3000\n\n';
const HEARTBEAT = ': heartbeat\n\n';

/** Sent when there is nothing to resume. Its empty id makes the client discard its invalid last event id. */
export const SESSION_LOST: StreamEvent = {
  n: 0,
  event: 'session_lost',
  data: JSON.stringify({
    code: 'session_lost',
    message: 'There is nothing to go on with: the answer is older than five minutes, or another caller’s. Ask again.',
  }),
};

const eventText = (answerId: string, { n, event, data }: StreamEvent): string =>
  `id: ${n ? `${answerId}/${n}` : ''}\nevent: ${event}\ndata: ${data}\n\n`;

/** Resolves when the reader has consumed data or disconnected, and removes its listeners. */
const room = async (out: PassThrough): Promise<void> => {
  const over = new AbortController();
  const either = ['drain', 'close'].map((event) => once(out, event, { signal: over.signal }));
  await Promise.race(either).finally(() => over.abort());
};

const copy = async (out: PassThrough, answerId: string, events: AsyncIterable<StreamEvent>): Promise<void> => {
  for await (const event of events) {
    if (out.destroyed) return;
    if (!out.write(eventText(answerId, event))) await room(out);
  }
};

/** Builds the body of a reply. When the caller disconnects, this body ends but the work continues. */
export const eventStream = (answerId: string, events: AsyncIterable<StreamEvent>, heartbeatMs: number): Readable => {
  const out = new PassThrough();
  out.write(RETRY);
  const beat = setInterval(() => out.write(HEARTBEAT), heartbeatMs);
  out.once('close', () => clearInterval(beat));
  copy(out, answerId, events)
    .catch(() => undefined)
    .finally(() => {
      clearInterval(beat);
      out.end();
    });
  return out;
};

/** Position from which to resume: the answer, and the last event that arrived. */
export interface Place {
  readonly answerId: string;
  readonly n: number;
}

/** Parses `ans_…/7` from a Last-Event-ID header. Returns null when the id has another format. */
export const parseEventId = (header: string | undefined): Place | null => {
  const match = /^(ans_[0-9a-f]{1,64})\/(\d{1,7})$/.exec((header ?? '').trim());
  return match ? { answerId: match[1] ?? '', n: Number(match[2]) } : null;
};

export const STREAM_HEADERS = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' } as const;
