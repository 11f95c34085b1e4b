/** One question being answered as a stream: the engine's events numbered, buffered and told to who listens. */

import type { EntityManager } from '@mikro-orm/postgresql';
import { coreErrors } from '#core/errors.ts';
import { asAppError, errorReply } from '#core/http/error-reply.ts';
import type { Log } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';
import type { AskEvent } from '../engine/port.ts';
import type { Answer, AnswerBody } from '../schemas.ts';
import { appendEvents, type StreamEvent, touchBuffer } from './buffer.ts';
import { bufferWriter } from './buffer-writer.ts';
import { createLiveEvents, type LiveEvents } from './live-events.ts';

const TOUCH_MS = 5_000;

export interface RunParts {
  readonly db: Database;
  readonly log: Log;
  readonly baseUrl: string;
}

export interface Run {
  readonly answerId: string;
  readonly requestId: string;
  readonly meta: object;
  readonly events: AsyncIterable<AskEvent>;
  readonly signal: AbortSignal;
  /** Stores the answer, in the transaction that buffers its last events. */
  keep(em: EntityManager, body: AnswerBody): Promise<Answer>;
}

/** Name and data of an event that is not the last, as conventions section 4 has them. */
const told = (event: Exclude<AskEvent, { type: 'final' }>): readonly [string, object] => {
  const { type, ...data } = event;
  return [type, data];
};

const failureOf = (error: unknown, { log, baseUrl }: RunParts, run: Run): string => {
  const failure = run.signal.aborted
    ? coreErrors.reduced_capacity({}, { body: { retry_after: 2 } })
    : asAppError(error, log, run.requestId);
  return JSON.stringify(errorReply(failure, run.requestId, baseUrl, false).body);
};

/** Goes on until the engine is done, whoever listens or goes away; `finished` never rejects. */
export const startRun = (
  parts: RunParts,
  run: Run,
): { readonly live: LiveEvents; readonly finished: Promise<void> } => {
  const live = createLiveEvents();
  const writer = bufferWriter(parts, run.answerId);
  let n = 0;
  const numbered = (event: string, data: string): StreamEvent => {
    n += 1;
    return { n, event, data };
  };
  const tell = (event: string, data: object): void => {
    const next = numbered(event, JSON.stringify(data));
    live.push(next);
    writer.add(next);
  };
  /** The last events are told when they are safely in: what a caller has seen whole can be looked up. */
  const close = async (before: (em: EntityManager) => Promise<StreamEvent[]>): Promise<void> => {
    const rest = await writer.take();
    const first = n;
    try {
      const last = await parts.db.write(async (em) => {
        n = first;
        const events = await before(em);
        await appendEvents(em, run.answerId, { events: [...rest, ...events], ended: true });
        return events;
      });
      for (const event of last) live.push(event);
    } catch (error) {
      n = first;
      for (const event of rest) writer.add(event);
      throw error;
    }
  };
  const done = (): StreamEvent => numbered('done', '{}');
  const answer = async (): Promise<void> => {
    tell('meta', run.meta);
    for await (const event of run.events) {
      if (event.type !== 'final') {
        tell(...told(event));
        continue;
      }
      const { answer: body } = event;
      return close(async (em) => [numbered('final', JSON.stringify(await run.keep(em, body))), done()]);
    }
    throw new Error('The engine ended without a final answer');
  };
  const fail = async (error: unknown): Promise<void> => {
    const data = failureOf(error, parts, run);
    const last = [numbered('error', data), done()];
    for (const event of last) live.push(event);
    const rest = await writer.take();
    await parts.db
      .write((em) => appendEvents(em, run.answerId, { events: [...rest, ...last], ended: true }))
      .catch((failed) => parts.log.warn('stream_not_buffered', { error: failed }));
  };
  const touch = setInterval(() => {
    parts.db.write((em) => touchBuffer(em, run.answerId)).catch(() => undefined);
  }, TOUCH_MS);
  const finished = answer()
    .catch(fail)
    .finally(() => {
      clearInterval(touch);
      live.end();
    });
  return { live, finished };
};
