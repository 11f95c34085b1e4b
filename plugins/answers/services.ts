/** Provides the services for asking, once or as a stream, and for resuming an interrupted stream. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Host } from '#core/plugin.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { askOnce, begin, type Calling, type Kit, type Running } from './asking.ts';
import { createSlots, ownerOf, ownerOfHolder } from './caller.ts';
import { type AnswerEngine, type AskRequest, createAnswerEngine } from './engine/port.ts';
import { answerHolding } from './holding.ts';
import type { Answer } from './schemas.ts';
import { deleteAnswer, readAnswer, type StoredAnswer } from './store.ts';
import { deleteStreamsOf, hasBuffer, resumeBuffer, type StreamEvent } from './stream/buffer.ts';
import { type Place, SESSION_LOST } from './stream/event-stream.ts';
import { fromBuffer } from './stream/from-buffer.ts';
import { createWorkQueue, WITH_MODEL, WITHOUT_MODEL } from './work-queue.ts';

/** Yields the rest of a stream of this process, unless another process deleted it. */
async function* fromHere({ db }: Kit, { live, owner }: Running, { answerId, n }: Place): AsyncGenerator<StreamEvent> {
  if (await db.read((em) => hasBuffer(em, answerId, owner))) yield* live.after(n);
  else yield SESSION_LOST;
}

const deleteAndCancel = async ({ db, running }: Kit, answerId: string, owner: string): Promise<boolean> => {
  const isGone = await db.write((em) => deleteAnswer(em, answerId, owner));
  if (!isGone) return false;
  const here = running.get(answerId);
  here?.cancel();
  await here?.finished;
  return true;
};

/** Milliseconds for which shutdown waits for a model that does not stop. */
const LAST_WORDS_MS = 3_000;

export interface AnswerServices {
  /** Engine that answers questions; tests replace it. */
  engine: AnswerEngine;
  /** Interval between the comments that keep an idle stream open, in milliseconds. */
  heartbeatMs: number;
  readonly keepDays: number;
  /**
   * Answers and stores.
   * @throws AppError 429 when the caller has too many questions in progress.
   */
  ask(calling: Calling, request: AskRequest, rerunOf?: string): Promise<Answer>;
  /**
   * Begins a stream that continues when its caller disconnects.
   * @throws AppError 429 when the caller has too many questions in progress.
   */
  begin(calling: Calling, request: AskRequest): Promise<{ answerId: string; events: AsyncIterable<StreamEvent> }>;
  /** Returns whether this caller may resume there without being charged. */
  canResume(calling: Pick<Context, 'principal' | 'device'>, place: Place): Promise<boolean>;
  /** Yields the events after that position, or a single `session_lost` when there is nothing to resume. */
  resume(calling: Pick<Context, 'principal' | 'device' | 'signal'>, place: Place): AsyncIterable<StreamEvent>;
  read(answerId: string, owner: string): Promise<StoredAnswer | null>;
  /**
   * Deletes an answer, stored or still being written: its work ends at once, or within two seconds when another process does
   * it. Returns false when the caller has no such answer.
   */
  delete(calling: Pick<Context, 'principal' | 'device'>, answerId: string): Promise<boolean>;
  /** Returns the number of questions of this process that wait or are being answered. */
  waiting(): number;
  stop(): Promise<void>;
}

export const startAnswers = ({ db, log, config, counters, models, use }: Host): AnswerServices => {
  const evidence = use(evidencePlugin);
  const [vocabulary, interactions] = [use(vocabularyPlugin), use(interactionsPlugin)];
  // The process that writes one of these checks every two seconds whether it still exists.
  use(keysPlugin).store.addTrace({
    name: 'answer_streams',
    end: async (em, { holderIds }) => deleteStreamsOf(em, holderIds.map(ownerOfHolder)),
  });
  const stopper = new AbortController();
  const kit: Kit = {
    db,
    log,
    baseUrl: config.text('BASE_URL'),
    slots: createSlots(counters),
    queue: createWorkQueue(models.language ? WITH_MODEL : WITHOUT_MODEL),
    stopping: stopper.signal,
    running: new Map(),
    keepDays: config.integer('ANSWERS_KEEP_DAYS'),
    versions: () => evidencePlugin.versions?.(evidence) ?? {},
  };
  use(devicesPlugin).hold(
    answerHolding({
      cancel: async (owner) => {
        const own = [...kit.running.values()].filter((one) => one.owner === owner);
        for (const one of own) one.cancel();
        await Promise.all(own.map(({ finished }) => finished));
      },
    }),
  );
  const services: AnswerServices = {
    engine: createAnswerEngine({ evidence, vocabulary, interactions, outcomes: use(outcomesPlugin), models, db, log }),
    heartbeatMs: 15_000,
    keepDays: kit.keepDays,
    ask: (calling, request, rerunOf) =>
      askOnce(kit, services.engine, calling, { request, owner: ownerOf(calling), rerunOf: rerunOf ?? null }),
    begin: (calling, request) =>
      begin(kit, services.engine, calling, { request, owner: ownerOf(calling), rerunOf: null }),
    canResume: async (calling, { answerId }) => {
      const owner = ownerOf(calling);
      return owner !== '' && db.write((em) => resumeBuffer(em, answerId, owner));
    },
    resume: (calling, place) => {
      const owner = ownerOf(calling);
      const here = kit.running.get(place.answerId);
      return here && owner && here.owner === owner
        ? fromHere(kit, here, place)
        : fromBuffer({ db, signal: calling.signal }, owner, place);
    },
    read: (answerId, owner) => db.read((em) => readAnswer(em, answerId, owner)),
    delete: (calling, answerId) => deleteAndCancel(kit, answerId, ownerOf(calling)),
    waiting: kit.queue.length,
    stop: async () => {
      stopper.abort(new Error('stopping'));
      const all = [...kit.running.values()].map(({ finished }) => finished);
      await Promise.race([Promise.allSettled(all), sleep(LAST_WORDS_MS)]);
    },
  };
  return services;
};
