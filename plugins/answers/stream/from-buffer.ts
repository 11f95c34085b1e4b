/** Resumes a stream that another process answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#core/plugin.ts';
import { readBuffer, type StreamEvent } from './buffer.ts';
import { type Place, SESSION_LOST } from './event-stream.ts';

/** Interval of polling the buffer, in milliseconds. */
const LOOK_MS = 250;

interface Reading {
  readonly db: Database;
  /** Ends the reading when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** Yields a stream of another process, or a completed one, from its buffer. */
export async function* fromBuffer(
  { db, signal }: Reading,
  owner: string,
  { answerId, n }: Place,
): AsyncGenerator<StreamEvent> {
  for (let after = n; ; ) {
    const found = await db.read((em) => readBuffer(em, { answerId, owner, after }));
    for (const event of found?.events ?? []) {
      yield event;
      after = event.n;
    }
    if (found?.state === 'ended') return;
    if (found?.state !== 'running') {
      yield SESSION_LOST;
      return;
    }
    await sleep(LOOK_MS);
    if (signal.aborted) return;
  }
}
