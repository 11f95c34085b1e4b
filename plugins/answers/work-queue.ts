/**
 * Limits how many questions one process works on concurrently. The others wait in first-in, first-out order, and too many are
 * refused.
 */
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { coreErrors } from '#core/errors.ts';
import type { AnswerEngine, AskEvent, AskRequest } from './engine/port.ts';

/**
 * Concurrency limit without a language model. All work is then done in this process: one question reads the database while
 * another computes.
 */
export const WITHOUT_MODEL = 2;
/** Concurrency limit with a model, where most of the time is spent waiting for it. */
export const WITH_MODEL = 8;
/** Maximum length of the queue. A single caller cannot fill it, because each has only one or two places. */
const WAITING = 256;
/** Value of Retry-After when the queue is full, in seconds. */
const RETRY_SECONDS = 10;

/** The place of one question in the queue, from its request to the end of its work. */
export interface Turn {
  /** Resolves when work may begin. Rejects with the signal's reason when it aborts first. */
  come(signal: AbortSignal): Promise<void>;
  /** Releases the place to the next question; repeated calls have no effect. */
  leave(): void;
}

export interface WorkQueue {
  /**
   * Adds a question to the queue.
   * @throws AppError 503 with Retry-After when too many wait.
   */
  join(): Turn;
  /** Returns the number of waiting and running questions. */
  length(): number;
}

const full = () =>
  coreErrors.reduced_capacity(
    {},
    { headers: { 'Retry-After': String(RETRY_SECONDS) }, body: { retry_after: RETRY_SECONDS } },
  );

export const createWorkQueue = (atOnce: number, waiting = WAITING): WorkQueue => {
  const turns: { begin: () => void }[] = [];
  const admit = (): void => {
    for (const { begin } of turns.slice(0, atOnce)) begin();
  };
  return {
    length: () => turns.length,
    join: () => {
      if (turns.length >= atOnce + waiting) throw full();
      const begun = Promise.withResolvers<void>();
      const turn = { begin: begun.resolve };
      turns.push(turn);
      admit();
      return {
        come: async (signal) => {
          const over = new AbortController();
          const gone = once(signal, 'abort', { signal: over.signal }).catch(() => undefined);
          await Promise.race([begun.promise, gone]).finally(() => over.abort());
          signal.throwIfAborted();
        },
        leave: () => {
          const at = turns.indexOf(turn);
          if (at === -1) return;
          turns.splice(at, 1);
          admit();
        },
      };
    },
  };
};

export interface Work {
  readonly turn: Turn;
  readonly engine: AnswerEngine;
  readonly request: AskRequest;
  readonly signal: AbortSignal;
}

/** Yields the engine's events once the question is admitted, and lets other requests run between two events. */
async function* worked({ turn, engine, request, signal }: Work): AsyncGenerator<AskEvent> {
  try {
    await turn.come(signal);
    for await (const event of engine.ask(request, signal)) {
      yield event;
      await nextTurn();
    }
  } finally {
    turn.leave();
  }
}

/**
 * Yields the events and ends with the signal's reason as soon as it aborts, whatever the engine waits for. The place is
 * released when the engine has actually stopped.
 */
export async function* work(asked: Work): AsyncGenerator<AskEvent> {
  const { signal } = asked;
  const events = worked(asked);
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      const next = await Promise.race([aborted.promise, events.next()]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    events.return(undefined).catch(() => undefined);
  }
}
