/** Wraps every call to a model with a concurrency limit, a circuit breaker, a timeout and retries of transient errors. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createConcurrencyLimit } from '../concurrency-limit.ts';
import type { Log } from '../log.ts';
import { createBreaker, type Outcome } from './circuit-breaker.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { ModelError } from './model-error.ts';

export interface GuardSettings {
  /** Name of the model in messages and in the log, such as "language model". */
  readonly name: string;
  /** Timeout of one attempt. In a stream it applies to each wait for a piece, and ten times as much to all waits together. */
  readonly timeoutSeconds: number;
  /** Number of retries after the first attempt, for transient errors. */
  readonly retries: number;
  /**
   * Pause before the first retry; each further pause is twice as long. All have a jitter of ±50 %, so that callers spread out.
   */
  readonly pauseSeconds: number;
  /** A request is not retried when the server asks for a longer pause than this. */
  readonly longestPauseSeconds: number;
  readonly atOnce: number;
  /** Maximum number of calls that wait for a permit. */
  readonly waiting: number;
  readonly openAfter: number;
  readonly openSeconds: number;
}

export const guardDefaults = {
  retries: 2,
  pauseSeconds: 0.5,
  longestPauseSeconds: 20,
  atOnce: 4,
  waiting: 100,
  openAfter: 5,
  openSeconds: 30,
};

export interface Guard {
  /** Runs a call. Rejects with ModelError, or with the signal's reason when the caller aborts. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Streams pieces, as `run` does; retries are possible only until the first piece, and the timeout applies to each piece. */
  stream<T>(open: (signal: AbortSignal) => AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T, void>;
  /** Returns whether the last call that indicates the model's health succeeded. */
  isWell(): boolean;
}

/** Statuses that apply to every request: an invalid key, no credit, an unknown address or model. */
const REFUSES_ALL: readonly unknown[] = [401, 402, 403, 404];

/** Returns whether the caller's own timeout expired: the model is too slow for this use. */
const ranOutOfPatience = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** Classifies an error for the circuit breaker. A refusal of one request does not indicate the model's health. */
const outcomeOf = (error: unknown): Outcome => {
  if (ranOutOfPatience(error)) return 'bad';
  if (!(error instanceof ModelError)) return 'neither';
  const isBad = ['timeout', 'unavailable', 'bad_reply'].includes(error.code) || REFUSES_ALL.includes(error.status);
  return isBad ? 'bad' : 'neither';
};

/** Returns the pause in seconds that the endpoint requested, when it is longer than any call waits; otherwise 0. */
const leftAlone = (error: unknown, { longestPauseSeconds }: GuardSettings): number => {
  const asked = error instanceof ModelError ? (error.retryAfterSeconds ?? 0) : 0;
  return asked > longestPauseSeconds ? asked : 0;
};

const inOwnWords = (error: unknown, { name, timeoutSeconds }: GuardSettings, deadline: Deadline): unknown => {
  if (deadline.ranOut()) return new ModelError('timeout', `The ${name} gave no answer within ${timeoutSeconds} s`);
  if (deadline.signal.aborted || error instanceof ModelError) return error;
  const { cause, name: kind } = error as { cause?: { code?: string }; name?: string };
  // The HTTP client's own timeout of five minutes may be shorter than the setting.
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(cause?.code ?? ''))
    return new ModelError('timeout', `The ${name} gave no answer within 300 s`);
  return new ModelError('unavailable', `The ${name} could not be reached (${cause?.code ?? kind ?? 'unknown'})`);
};

/** Returns the pause before the next attempt, in seconds; null when the call is not retried. */
const pauseBefore = (attempt: number, error: unknown, settings: GuardSettings): number | null => {
  if (!(error instanceof ModelError) || error.code !== 'unavailable' || attempt > settings.retries) return null;
  const asked = error.retryAfterSeconds;
  if (asked !== null) return asked <= settings.longestPauseSeconds ? asked : null;
  const pause = settings.pauseSeconds * 2 ** (attempt - 1) * (0.5 + Math.random());
  return Math.min(pause, settings.longestPauseSeconds);
};

/** Total limit of a stream, as a multiple of the timeout: a reader has given up on a stream that is slower than this. */
const STREAM_WAITS = 10;

type Begin<T> = (deadline: Deadline) => Promise<T>;

/** Retries `begin` until it succeeds or fails permanently; returns the result with the deadline of the successful attempt. */
const patiently = async <T>(begin: Begin<T>, settings: GuardSettings, signal?: AbortSignal) => {
  for (let attempt = 1; ; attempt += 1) {
    const { timeoutSeconds } = settings;
    const deadline = createDeadline({ seconds: timeoutSeconds, inAll: STREAM_WAITS * timeoutSeconds }, signal);
    deadline.start();
    try {
      return { value: await begin(deadline), deadline };
    } catch (caught) {
      signal?.throwIfAborted();
      const error = inOwnWords(caught, settings, deadline);
      const pause = pauseBefore(attempt, error, settings);
      if (pause === null) throw error;
      await sleep(pause * 1000, undefined, { signal }).catch(() => signal?.throwIfAborted());
    } finally {
      deadline.hold();
    }
  }
};

export const createGuard = (settings: GuardSettings, log: Log): Guard => {
  const breaker = createBreaker(settings);
  const { name, atOnce, waiting } = settings;
  const refuse = () => new ModelError('unavailable', `Too many calls wait for the ${name}`);
  const takeTurn = createConcurrencyLimit({ atOnce, waiting, refuse });

  /** Acquires a permit and passes the circuit breaker; the returned function releases the permit and records the outcome. */
  const enter = async (signal?: AbortSignal) => {
    const giveBack = await takeTurn(signal);
    try {
      const settle = breaker.enter();
      return (outcome: Outcome, error?: unknown): void => {
        giveBack();
        const seconds = settle(outcome, leftAlone(error, settings));
        if (seconds) log.warn('model_circuit_opened', { model: settings.name, seconds });
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  };
  const failed = (error: unknown): void => {
    if (!(error instanceof ModelError) && !ranOutOfPatience(error)) return;
    const { code, status } = error instanceof ModelError ? error : { code: 'too_late', status: null };
    log.warn('model_call_failed', { model: settings.name, code, status });
  };

  return {
    isWell: breaker.isWell,
    run: async (work, signal) => {
      const leave = await enter(signal);
      try {
        const { value } = await patiently((deadline) => work(deadline.signal), settings, signal);
        leave('good');
        return value;
      } catch (error) {
        leave(outcomeOf(error), error);
        failed(error);
        throw error;
      }
    },
    stream: async function* (open, signal) {
      const leave = await enter(signal);
      try {
        yield* pieces(open, settings, signal);
        leave('good');
      } catch (error) {
        leave(outcomeOf(error), error);
        failed(error);
        throw error;
      } finally {
        // A reader that stops early does not indicate the model's health; after one of the calls above this has no effect.
        leave('neither');
      }
    },
  };
};

async function* pieces<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  settings: GuardSettings,
  signal?: AbortSignal,
): AsyncGenerator<T, void> {
  const begin = async (deadline: Deadline) => {
    const iterator = open(deadline.signal)[Symbol.asyncIterator]();
    return { iterator, first: await iterator.next() };
  };
  const { value, deadline } = await patiently(begin, settings, signal);
  const { iterator, first } = value;
  try {
    for (let piece = first; !piece.done; piece = await iterator.next()) {
      // The timeout is paused while the reader processes the piece.
      deadline.hold();
      yield piece.value;
      deadline.start();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw inOwnWords(error, settings, deadline);
  } finally {
    deadline.hold();
    await iterator.return?.();
  }
}
