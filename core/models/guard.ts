/** What every call to a model goes through: a turn, the circuit breaker, a time-out, and patience with passing failures. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { createBreaker, type Outcome } from './circuit-breaker.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { ModelError } from './model-error.ts';

export interface GuardSettings {
  /** As sentences and the log call it: "language model". */
  readonly name: string;
  /** For one attempt; in a stream for each wait, and ten times as much for all its waits together. */
  readonly timeoutSeconds: number;
  /** Attempts after the first, where the failure may pass. */
  readonly retries: number;
  /** Before the first retry; each further pause is twice as long. All are varied by half, so that callers spread. */
  readonly pauseSeconds: number;
  /** A server that asks for a longer pause than this is not waited for. */
  readonly longestPauseSeconds: number;
  readonly atOnce: number;
  /** Calls that may wait for a turn. */
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
  /** Rejects with ModelError, or with the signal's reason when the caller aborts. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** As `run`; attempts end with the first piece, and the time-out counts from piece to piece. */
  stream<T>(open: (signal: AbortSignal) => AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T, void>;
  /** Whether the last call that says anything of the model's health went well. */
  isWell(): boolean;
}

/** Refusals that mean every request: a wrong key, no credit, no such address or model. */
const REFUSES_ALL: readonly unknown[] = [401, 402, 403, 404];

/** The caller set itself a time, and it ran out: the model is too slow for what it is asked for. */
const ranOutOfPatience = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** Failures that say something of the model's health; one request that is refused says none. */
const outcomeOf = (error: unknown): Outcome => {
  if (ranOutOfPatience(error)) return 'bad';
  if (!(error instanceof ModelError)) return 'neither';
  const isBad = ['timeout', 'unavailable', 'bad_reply'].includes(error.code) || REFUSES_ALL.includes(error.status);
  return isBad ? 'bad' : 'neither';
};

/** Seconds for which the endpoint asked to be left alone, where that is more than any call waits. */
const leftAlone = (error: unknown, { longestPauseSeconds }: GuardSettings): number => {
  const asked = error instanceof ModelError ? (error.retryAfterSeconds ?? 0) : 0;
  return asked > longestPauseSeconds ? asked : 0;
};

const inOwnWords = (error: unknown, { name, timeoutSeconds }: GuardSettings, deadline: Deadline): unknown => {
  if (deadline.ranOut()) return new ModelError('timeout', `The ${name} gave no answer within ${timeoutSeconds} s`);
  if (deadline.signal.aborted || error instanceof ModelError) return error;
  const { cause, name: kind } = error as { cause?: { code?: string }; name?: string };
  // The client's own patience, five minutes, may be shorter than the setting.
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(cause?.code ?? ''))
    return new ModelError('timeout', `The ${name} gave no answer within 300 s`);
  return new ModelError('unavailable', `The ${name} could not be reached (${cause?.code ?? kind ?? 'unknown'})`);
};

/** How long to wait before the next attempt; null when there is none. */
const pauseBefore = (attempt: number, error: unknown, settings: GuardSettings): number | null => {
  if (!(error instanceof ModelError) || error.code !== 'unavailable' || attempt > settings.retries) return null;
  const asked = error.retryAfterSeconds;
  if (asked !== null) return asked <= settings.longestPauseSeconds ? asked : null;
  const pause = settings.pauseSeconds * 2 ** (attempt - 1) * (0.5 + Math.random());
  return Math.min(pause, settings.longestPauseSeconds);
};

/** A stream that drips for longer than so many time-outs is none that somebody reads. */
const STREAM_WAITS = 10;

type Begin<T> = (deadline: Deadline) => Promise<T>;

/** Runs `begin` until it succeeds or fails for good; the deadline of the attempt that succeeded comes with its result. */
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
  const takeTurn = createConcurrencyLimit(settings.name, settings);

  /** Takes a turn past the breaker; the answer gives it back and says how it went. */
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
        // A reader that stops early says nothing of the model; after the lines above this changes nothing.
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
      // The clock stands while the reader is busy with the piece.
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
