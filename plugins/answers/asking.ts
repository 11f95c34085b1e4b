/** Answers one question, at once or as a stream. */
import { coreErrors, notFound } from '#core/errors.ts';
import type { Context } from '#core/plugin.ts';
import { newAnswerId } from './answer-id.ts';
import { storedRequest } from './ask-request.ts';
import type { Slots } from './caller.ts';
import type { AnswerEngine, AskRequest } from './engine/port.ts';
import type { Answer, AnswerBody } from './schemas.ts';
import { writeAnswer } from './store.ts';
import { closeBuffer, openBuffer } from './stream/buffer.ts';
import type { LiveEvents } from './stream/live-events.ts';
import { type Run, type RunParts, startRun } from './stream/running.ts';
import { type Turn, type WorkQueue, work } from './work-queue.ts';

/** Maximum duration of an answer, in seconds; longer than any model takes with its retries. */
export const LONGEST_SECONDS = 180;

export type Calling = Pick<Context, 'principal' | 'device' | 'requestId' | 'signal'>;

/** Dependencies of asking. */
export interface Kit extends RunParts {
  readonly slots: Slots;
  readonly queue: WorkQueue;
  readonly stopping: AbortSignal;
  /** Streams of this process, by answer id. */
  readonly running: Map<string, Running>;
  readonly keepDays: number;
  /** Returns the current `index_version` and `retrieval_version`. */
  versions(): Readonly<Record<string, string>>;
}

export interface Running {
  readonly live: LiveEvents;
  readonly finished: Promise<void>;
  readonly owner: string;
  /** Ends the work at once, because its owner has deleted the answer. */
  cancel(): void;
}

/** A question with its owner and, for a rerun, the original answer. */
export type Asked = { readonly request: AskRequest; readonly owner: string; readonly rerunOf: string | null };

const lateAfter = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(LONGEST_SECONDS * 1000)]);

const keeper = (kit: Kit, answerId: string, { request, owner, rerunOf }: Asked): Run['keep'] => {
  const startedAt = performance.now();
  return (em, body: AnswerBody) => {
    const latencyMs = Math.round(performance.now() - startedAt);
    return writeAnswer(
      em,
      { answerId, owner, request: storedRequest(request), body, latencyMs, rerunOf },
      kit.keepDays,
    );
  };
};

/**
 * Reserves a slot for this caller and a place in the queue.
 * @throws AppError 429 or 503.
 */
const admit = async ({ slots, queue }: Kit, calling: Calling) => {
  const release = await slots.take(calling);
  try {
    return { release, turn: queue.join() };
  } catch (error) {
    release();
    throw error;
  }
};

/** Answers and stores. The work ends when the caller disconnects. */
export const askOnce = async (kit: Kit, engine: AnswerEngine, calling: Calling, asked: Asked): Promise<Answer> => {
  const { release, turn } = await admit(kit, calling);
  const signal = lateAfter(AbortSignal.any([calling.signal, kit.stopping]));
  const [answerId, { owner }] = [newAnswerId(), asked];
  try {
    const keep = keeper(kit, answerId, asked);
    // This row records the owner. When the owner's data is deleted concurrently, the row is deleted too and nothing is
    // stored.
    if (owner) await open(kit, { answerId, owner, turn });
    for await (const event of work({ turn, engine, request: asked.request, signal })) {
      if (event.type !== 'final') continue;
      return await kit.db.write(async (em) => {
        if (owner && !(await closeBuffer(em, answerId))) throw notFound('Answer', answerId);
        return keep(em, event.answer);
      });
    }
    throw new Error('The engine ended without a final answer');
  } catch (error) {
    if (owner) await kit.db.write((em) => closeBuffer(em, answerId)).catch(() => undefined);
    // Whatever caused the abort, the question itself is valid.
    if (signal.aborted) throw coreErrors.reduced_capacity({}, { headers: { 'Retry-After': '2' } });
    throw error;
  } finally {
    release();
  }
};

interface Opening {
  readonly answerId: string;
  readonly owner: string;
  readonly turn: Turn;
}

/** Opens the buffer, and leaves the queue when the row cannot be written. */
const open = async (kit: Kit, { answerId, owner, turn }: Opening): Promise<void> => {
  try {
    await kit.db.write((em) => openBuffer(em, answerId, owner));
  } catch (error) {
    turn.leave();
    throw error;
  }
};

/**
 * Begins a stream whose events are numbered and buffered. It continues when the caller disconnects, because they may resume
 * it.
 */
export const begin = async (kit: Kit, engine: AnswerEngine, calling: Calling, asked: Asked) => {
  const { owner, request } = asked;
  const { release, turn } = await admit(kit, calling);
  const answerId = newAnswerId();
  try {
    await open(kit, { answerId, owner, turn });
  } catch (error) {
    release();
    throw error;
  }
  const canceller = new AbortController();
  const cancel = (): void => canceller.abort(notFound('Answer', answerId));
  const signal = lateAfter(AbortSignal.any([kit.stopping, canceller.signal]));
  const { live, finished } = startRun(kit, {
    answerId,
    requestId: calling.requestId,
    meta: { answer_id: answerId, ...kit.versions() },
    events: work({ turn, engine, request, signal }),
    signal,
    onGone: cancel,
    keep: keeper(kit, answerId, asked),
  });
  const ended = finished.finally(() => {
    release();
    kit.running.delete(answerId);
  });
  kit.running.set(answerId, { live, finished: ended, owner, cancel });
  return { answerId, events: live.after(0) };
};
