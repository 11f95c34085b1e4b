/** One question being answered as a stream: it goes on whoever listens or goes away, until it is done or deleted. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, coreErrors } from '#core/errors.ts';
import { asAppError, errorReply } from '#core/http/error-reply.ts';
import type { Log } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';
import type { AskEvent } from '../engine/port.ts';
import type { Answer, AnswerBody } from '../schemas.ts';
import { touchBuffer } from './buffer.ts';
import { createLiveEvents, type LiveEvents } from './live-events.ts';
import { createStreamPublisher, type Named, type StreamPublisher } from './stream-publisher.ts';

/** A stream that another process deleted is noticed no later than this, in milliseconds. */
const TOUCH_MS = 2_000;

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
  /** Ends the events; aborted with an AppError, that is what the stream ends with. */
  readonly signal: AbortSignal;
  /** Called when the stream is found deleted: the work has no purpose any more. */
  onGone(): void;
  /** Stores the answer, in the transaction that buffers its last events. */
  keep(em: EntityManager, body: AnswerBody): Promise<Answer>;
}

const DONE: Named = ['done', '{}'];

/** Name and data of an event that is not the last, as conventions section 4 has them. */
const told = (event: Exclude<AskEvent, { type: 'final' }>): readonly [string, object] => {
  const { type, ...data } = event;
  return [type, data];
};

const failureOf = (error: unknown, log: Log, { signal, requestId }: Run): AppError => {
  if (!signal.aborted) return asAppError(error, log, requestId);
  return signal.reason instanceof AppError
    ? signal.reason
    : coreErrors.reduced_capacity({}, { body: { retry_after: 2 } });
};

const answer = async (telling: StreamPublisher, run: Run): Promise<void> => {
  telling.tell('meta', run.meta);
  for await (const event of run.events) {
    if (event.type !== 'final') {
      telling.tell(...told(event));
      continue;
    }
    const { answer: body } = event;
    return telling.close(async (em) => [['final', JSON.stringify(await run.keep(em, body))], DONE]);
  }
  throw new Error('The engine ended without a final answer');
};

/** Says every few seconds that somebody is at it, and hears whether it was deleted. */
const keepTouching = ({ db }: RunParts, { answerId, onGone }: Run): NodeJS.Timeout =>
  setInterval(() => {
    db.write((em) => touchBuffer(em, answerId))
      .then((isThere) => isThere || onGone())
      .catch(() => undefined);
  }, TOUCH_MS);

/** Goes on until the engine is done or the signal aborts; `finished` never rejects. */
export const startRun = (
  parts: RunParts,
  run: Run,
): { readonly live: LiveEvents; readonly finished: Promise<void> } => {
  const live = createLiveEvents();
  const telling = createStreamPublisher({ ...parts, live, onGone: run.onGone }, run.answerId);
  const touch = keepTouching(parts, run);
  const finished = answer(telling, run)
    .catch((error: unknown) => {
      const failure = failureOf(error, parts.log, run);
      const { body } = errorReply(failure, run.requestId, parts.baseUrl, false);
      return telling.fail([['error', JSON.stringify(body)], DONE]);
    })
    .finally(() => {
      clearInterval(touch);
      live.end();
    });
  return { live, finished };
};
