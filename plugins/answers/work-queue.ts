/** How many questions one process works on at a time: the others wait in the order they came, and too many are refused. */
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { coreErrors } from '#core/errors.ts';
import type { AnswerEngine, AskEvent, AskRequest } from './engine/port.ts';

/** Without a language model all of it is work of this process: one reads the database while another computes. */
export const WITHOUT_MODEL = 2;
/** With one, most of the time is waiting for it. */
export const WITH_MODEL = 8;
/** As each caller has one or two, no one caller can fill it. */
const WAITING = 256;
/** What a caller who finds it full is told to wait, in seconds. */
const RETRY_SECONDS = 10;

/** One question's place, from its request to the end of its work. */
export interface Turn {
  /** Until work may begin. Rejects with the signal's reason when it aborts first. */
  come(signal: AbortSignal): Promise<void>;
  /** Gives the place to the next, once however often it is called. */
  leave(): void;
}

export interface WorkQueue {
  /** @throws AppError 503 with Retry-After when too many wait. */
  join(): Turn;
  /** Those who wait, and those whose turn it is. */
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

/** The engine's events once it is this question's turn; between two of them, other requests get theirs. */
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
 * Ends as soon as the signal aborts, with its reason, whatever the engine waits for; the turn is given back when the
 * engine has really let go.
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
