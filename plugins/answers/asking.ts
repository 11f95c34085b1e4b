/** One question answered: as a whole, or as a stream. */
import { coreErrors } from '#core/errors.ts';
import type { Context } from '#core/plugin.ts';
import { newAnswerId } from './answer-id.ts';
import { storedRequest } from './ask-request.ts';
import type { Slots } from './caller.ts';
import type { AnswerEngine, AskRequest } from './engine/port.ts';
import type { Answer, AnswerBody } from './schemas.ts';
import { writeAnswer } from './store.ts';
import { openBuffer } from './stream/buffer.ts';
import type { LiveEvents } from './stream/live-events.ts';
import { type Run, type RunParts, startRun } from './stream/running.ts';

/** Longer than any model may take with its retries. */
export const LONGEST_SECONDS = 180;

export type Calling = Pick<Context, 'principal' | 'device' | 'requestId' | 'signal'>;

/** What asking needs. */
export interface Kit extends RunParts {
  readonly slots: Slots;
  readonly stopping: AbortSignal;
  readonly running: Map<
    string,
    { readonly live: LiveEvents; readonly finished: Promise<void>; readonly owner: string }
  >;
  readonly keepDays: number;
  /** `index_version` and `retrieval_version` of this moment. */
  versions(): Readonly<Record<string, string>>;
}

/** A question, whose it is, and the answer it asks again. */
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

/** Answers and stores. A caller who leaves ends it. */
export const askOnce = async (kit: Kit, engine: AnswerEngine, calling: Calling, asked: Asked): Promise<Answer> => {
  const release = kit.slots.take(calling);
  const signal = lateAfter(AbortSignal.any([calling.signal, kit.stopping]));
  try {
    const keep = keeper(kit, newAnswerId(), asked);
    for await (const event of engine.ask(asked.request, signal)) {
      if (event.type === 'final') return await kit.db.write((em) => keep(em, event.answer));
    }
    throw new Error('The engine ended without a final answer');
  } catch (error) {
    // Whoever stopped it, nothing is wrong with the question.
    if (signal.aborted) throw coreErrors.reduced_capacity({}, { headers: { 'Retry-After': '2' } });
    throw error;
  } finally {
    release();
  }
};

/** Begins a stream: numbered, buffered, and not ended by a caller who leaves. */
export const begin = async (kit: Kit, engine: AnswerEngine, calling: Calling, asked: Asked) => {
  const { owner, request } = asked;
  const release = kit.slots.take(calling);
  const answerId = newAnswerId();
  try {
    await kit.db.write((em) => openBuffer(em, answerId, owner));
  } catch (error) {
    release();
    throw error;
  }
  const signal = lateAfter(kit.stopping);
  const { live, finished } = startRun(kit, {
    answerId,
    requestId: calling.requestId,
    meta: { answer_id: answerId, ...kit.versions() },
    events: engine.ask(request, signal),
    signal,
    keep: keeper(kit, answerId, asked),
  });
  const ended = finished.finally(() => {
    release();
    kit.running.delete(answerId);
  });
  kit.running.set(answerId, { live, finished: ended, owner });
  return { answerId, events: live.after(0) };
};
