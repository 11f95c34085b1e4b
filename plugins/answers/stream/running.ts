/** Answers one question as a stream. It continues whether or not anyone listens, until it is complete or deleted. */
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

/** Interval of touching a stream, in milliseconds; a deletion by another process is noticed within this time. */
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
  /** Ends the events. When the reason of the abort is an AppError, the stream ends with that error. */
  readonly signal: AbortSignal;
  /** Called when the stream was deleted, so that the work can stop. */
  onGone(): void;
  /** Stores the answer, in the transaction that buffers its last events. */
  keep(em: EntityManager, body: AnswerBody): Promise<Answer>;
}

const DONE: Named = ['done', '{}'];

/** Returns the name and data of an event other than the last, as in conventions section 4. */
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

/** Touches the stream every few seconds and detects its deletion. */
const keepTouching = ({ db }: RunParts, { answerId, onGone }: Run): NodeJS.Timeout =>
  setInterval(() => {
    db.write((em) => touchBuffer(em, answerId))
      .then((isThere) => isThere || onGone())
      .catch(() => undefined);
  }, TOUCH_MS);

/** Runs until the engine is complete or the signal aborts; `finished` never rejects. */
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
