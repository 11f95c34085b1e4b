/** Sends due deliveries in the background: to several endpoints concurrently, one delivery at a time for each. */
import { randomUUID } from 'node:crypto';
import type { Database, Host } from '#core/plugin.ts';
import { claimTurn, endClaim, noteOutcome, type Outcome, type Turn, waitingWork } from './delivery-queue.ts';
import { excerptOf } from './excerpt.ts';
import { type EventSetting, fanOut, isFull } from './outbox.ts';
import { nextDelay, pauseOf, readRetryAfter } from './schedule.ts';
import { type SendRules, type Sent, send, unanswered } from './sending/send.ts';
import { openRing, signatureOf } from './signing.ts';

/** Maximum number of concurrent deliveries per process. */
const MOST_AT_ONCE = 8;
const LOOK_MS = 1_000;

export interface WorkerParts extends Pick<Host, 'db' | 'log' | 'secrets'> {
  readonly rules: SendRules;
  readonly baseUrl: string;
  indexVersion(): string;
  now(): Date;
  /** Returns a number from 0 up to 1. */
  random(): number;
}

export interface Worker {
  /** Polls now and then every second. */
  start(): void;
  /** Triggers a poll now. */
  wake(): void;
  /** Processes all due deliveries, except those that other processes have claimed. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const EXHAUSTED = 'Every try of an event failed, over three days';
const GONE = 'The receiver answered 410 Gone';

/** Returns the consequences of an attempt. A test is attempted once and never disables an endpoint. */
export const outcomeOf = (
  turn: Turn,
  sent: Sent,
  { random, ...times }: Pick<Outcome, 'at' | 'endedAt' | 'milliseconds'> & { readonly random: number },
): Outcome => {
  const { isTest, attempts, failures } = turn;
  const later = (delay: number | null): Date | null =>
    delay === null ? null : new Date(times.endedAt.getTime() + delay);
  const base = { ...times, sent, excerpt: excerptOf(sent.contentType, sent.body) };
  if (!sent.failure) return { ...base, nextAt: null, holdUntil: null, disabledReason: null };
  const asked = readRetryAfter(sent.retryAfter, times.endedAt.getTime());
  const isGone = sent.failure === 'gone';
  const delay = isTest || isGone ? null : nextDelay(attempts + 1, random, asked);
  const reason = isGone ? GONE : EXHAUSTED;
  return {
    ...base,
    nextAt: later(delay),
    holdUntil: later(pauseOf(failures + 1, asked)),
    disabledReason: delay === null && !isTest ? reason : null,
  };
};

const headersOf = ({ secrets }: WorkerParts, turn: Turn, at: Date): Record<string, string> => {
  const timestamp = Math.floor(at.getTime() / 1000);
  const ring = openRing(secrets, turn.endpointId, turn.sealed);
  return {
    'content-type': 'application/json',
    'user-agent': 'SupplementEvidenceBase-Webhooks/1.0',
    'webhook-id': turn.eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(ring, { id: turn.eventId, timestamp, body: turn.body }),
  };
};

/**
 * Sends a delivery. When it cannot be signed, such as after the loss of APP_SECRET, nothing is sent and the attempt fails
 * like any other.
 */
const trySending = async (parts: WorkerParts, turn: Turn, stopping: AbortSignal, at: Date): Promise<Sent> => {
  let headers: Record<string, string>;
  try {
    headers = headersOf(parts, turn, at);
  } catch (error) {
    parts.log.error('webhook_not_signed', { webhook: turn.endpointId, error });
    return unanswered('not_signed');
  }
  return send({ url: turn.url, headers, body: turn.body }, parts.rules, stopping);
};

/**
 * Makes one attempt and records it. When the server stops during the attempt, nothing is recorded and another server repeats
 * it.
 */
const deliver = async (parts: WorkerParts, turn: Turn, stopping: AbortSignal): Promise<void> => {
  const { db, log, now, random } = parts;
  const at = now();
  const startedAt = performance.now();
  const sent = await trySending(parts, turn, stopping, at);
  const milliseconds = Math.round(performance.now() - startedAt);
  const outcome = outcomeOf(turn, sent, { at, endedAt: now(), milliseconds, random: random() });
  const isOff = await db.write((em) => noteOutcome(em, turn, outcome));
  const fields = { webhook: turn.endpointId, delivery: turn.deliveryId, status: sent.status, failure: sent.failure };
  if (sent.failure) log.info('webhook_not_delivered', { ...fields, next_at: outcome.nextAt?.toISOString() ?? null });
  if (isOff) log.warn('webhook_disabled', { webhook: turn.endpointId, reason: outcome.disabledReason });
};

const fanOutAll = async (db: Database, setting: () => EventSetting, stopping: AbortSignal): Promise<void> => {
  let taken = 0;
  do taken = await db.write((em) => fanOut(em, setting()));
  while (isFull(taken) && !stopping.aborted);
};

export const createWorker = (parts: WorkerParts): Worker => {
  const { db, log, now } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const under = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let isAskedAgain = false;

  const setting = (): EventSetting => ({ baseUrl: parts.baseUrl, indexVersion: parts.indexVersion(), now: now() });

  const begin = (turn: Turn): void => {
    const work = deliver(parts, turn, signal)
      .catch(async (error) => {
        // An internal error would recur at once, so the claim is left to expire.
        if (!signal.aborted) return log.error('webhook_failed', { webhook: turn.endpointId, error });
        await db.write((em) => endClaim(em, turn)).catch(() => undefined);
      })
      .finally(() => {
        under.delete(work);
        wake();
      });
    under.add(work);
  };

  const look = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      const { changes } = await db.read((em) => waitingWork(em, now()));
      if (changes) await fanOutAll(db, setting, signal);
      while (under.size < MOST_AT_ONCE && !signal.aborted) {
        const { deliveries } = await db.read((em) => waitingWork(em, now()));
        const turn = deliveries ? await db.write((em) => claimTurn(em, randomUUID(), now())) : null;
        if (!turn) break;
        begin(turn);
      }
    } while (isAskedAgain && !signal.aborted);
  };

  const wake = (): void => {
    isAskedAgain = true;
    if (signal.aborted || looking) return;
    looking = look()
      .catch((error) => signal.aborted || log.error('webhooks_not_looked_at', { error }))
      .then(() => {
        looking = null;
      });
  };

  return {
    start: () => {
      if (signal.aborted || timer) return;
      timer = setInterval(wake, LOOK_MS);
      timer.unref();
      wake();
    },
    wake,
    settle: async () => {
      wake();
      while (looking || under.size) await (looking ?? Promise.race(under));
    },
    stop: async () => {
      if (timer) clearInterval(timer);
      stopping.abort(new Error('the server stops'));
      await looking;
      await Promise.allSettled(under);
    },
  };
};
