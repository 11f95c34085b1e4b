/**
 * Whose turn it is. A server claims an endpoint, not a delivery: so one thing at a time is sent to each, and the one that
 * waited longest for its turn comes first, however much waits for others. A claim that nobody ended is over after a while.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Sent } from './sending/send.ts';

/** Longer than any try takes. */
const CLAIM_SECONDS = 40;

export interface Turn {
  readonly claim: string;
  readonly endpointId: string;
  readonly url: string;
  readonly sealed: Uint8Array;
  readonly failures: number;
  readonly deliveryId: string;
  readonly isTest: boolean;
  /** Tries before this one. */
  readonly attempts: number;
  readonly eventId: string;
  readonly body: string;
}

const IS_LISTENING = `e.active and (e.hold_until is null or e.hold_until <= :now)`;
const IS_DUE = `d.endpoint_id = e.id and d.state = 'waiting' and d.next_at <= :now`;
/** A test goes out to an endpoint that is switched off too. */
const HAS_DUE = `((${IS_LISTENING} and exists (select 1 from webhook_delivery d where ${IS_DUE}))
  or exists (select 1 from webhook_delivery d where ${IS_DUE} and d.is_test))`;
const IS_FREE = '(e.claimed_until is null or e.claimed_until < :now)';

const CLAIM = `with turn as (
    select e.id from webhook_endpoint e where ${IS_FREE} and ${HAS_DUE}
    order by e.served_at nulls first, e.id limit 1 for update skip locked)
  update webhook_endpoint e set claim = :claim, served_at = :now,
    claimed_until = :now + make_interval(secs => ${CLAIM_SECONDS})
  from turn where e.id = turn.id returning e.id`;

const NEXT = `select e.claim, e.id as "endpointId", e.url, e.sealed, e.consecutive_failures as failures,
    d.id as "deliveryId", d.is_test as "isTest", d.attempts, d.event_id as "eventId", v.body
  from webhook_endpoint e join webhook_delivery d on ${IS_DUE} join webhook_event v on v.id = d.event_id
  where e.id = :id and (d.is_test or (${IS_LISTENING})) order by d.next_at, d.id limit 1`;

/** Named parameters, so that a statement that says "now" thrice is given it once. */
const bound = (text: string, values: Readonly<Record<string, unknown>>): [string, unknown[]] => {
  const parameters: unknown[] = [];
  const sql = text.replace(/(?<!:):([a-z]+)\b/g, (_, name: string) => {
    parameters.push(values[name]);
    return name === 'now' ? '?::timestamptz' : '?';
  });
  return [sql, parameters];
};

const first = async <T>(
  em: EntityManager,
  text: string,
  values: Readonly<Record<string, unknown>>,
): Promise<T | null> => {
  const [sql, parameters] = bound(text, values);
  const rows = (await em.execute(sql, parameters)) as unknown as T[];
  return rows[0] ?? null;
};

/** Null when nothing is due, or others have all that is. */
export const claimTurn = async (em: EntityManager, claim: string, now: Date): Promise<Turn | null> => {
  const endpoint = await first<{ id: string }>(em, CLAIM, { claim, now });
  const turn = endpoint && (await first<Turn>(em, NEXT, { id: endpoint.id, now }));
  // Another server made the last of them while the first statement ran.
  if (endpoint && !turn) await endClaim(em, { endpointId: endpoint.id, claim });
  return turn;
};

export interface WaitingWork {
  /** To fan out. */
  readonly changes: boolean;
  /** Due, to an endpoint that nobody has claimed. */
  readonly deliveries: boolean;
}

const WAITING = `select exists (select 1 from webhook_outbox) as changes,
  exists (select 1 from webhook_endpoint e where ${IS_FREE} and ${HAS_DUE}) as deliveries`;

export const waitingWork = async (em: EntityManager, now: Date): Promise<WaitingWork> =>
  (await first<WaitingWork>(em, WAITING, { now })) ?? { changes: false, deliveries: false };

export const endClaim = (
  em: EntityManager,
  { endpointId, claim }: Pick<Turn, 'endpointId' | 'claim'>,
): Promise<unknown> =>
  em.execute('update webhook_endpoint set claim = null, claimed_until = null where id = ? and claim = ?', [
    endpointId,
    claim,
  ]);

/** What a try came to. */
export interface Outcome {
  readonly sent: Pick<Sent, 'failure' | 'status'>;
  /** When the try began. */
  readonly at: Date;
  readonly endedAt: Date;
  readonly milliseconds: number;
  readonly excerpt: string;
  /** Null: none will follow. */
  readonly nextAt: Date | null;
  /** Nothing is sent to the endpoint before then. */
  readonly holdUntil: Date | null;
  /** Why the endpoint is switched off with this. */
  readonly disabledReason: string | null;
}

const NOTE = `update webhook_delivery set attempts = attempts + 1, state = ?, next_at = ?, finished_at = ?,
  response_status = ?, tries = tries || ?::jsonb where id = ? and state = 'waiting' and attempts = ?`;

/** A test says nothing of how the endpoint is doing, other than its last answer. */
const NOTE_ENDPOINT = `update webhook_endpoint set claim = null, claimed_until = null, last_delivery_at = ?,
    last_status_code = ?,
    consecutive_failures = case when ? then consecutive_failures when ? then 0 else consecutive_failures + 1 end,
    hold_until = case when ? then hold_until else ?::timestamptz end
  where id = ? and (claim is null or claim = ?)`;

/** Writes down a try and ends the claim. Answers whether the endpoint was switched off by it. */
export const noteOutcome = async (em: EntityManager, turn: Turn, outcome: Outcome): Promise<boolean> => {
  const { sent, at, endedAt, milliseconds, excerpt, nextAt, holdUntil, disabledReason } = outcome;
  const isDelivered = sent.failure === null;
  const state = isDelivered ? 'delivered' : nextAt ? 'waiting' : 'failed';
  const entry = {
    at: at.toISOString(),
    status: sent.status,
    error: sent.failure,
    duration_ms: milliseconds,
    response_excerpt: excerpt,
  };
  const tries = JSON.stringify([entry]);
  await em.execute(NOTE, [state, nextAt, nextAt ? null : endedAt, sent.status, tries, turn.deliveryId, turn.attempts]);
  const { isTest, endpointId, claim } = turn;
  await em.execute(NOTE_ENDPOINT, [endedAt, sent.status, isTest, isDelivered, isTest, holdUntil, endpointId, claim]);
  if (!disabledReason) return false;
  const off = (await em.execute(
    'update webhook_endpoint set active = false, disabled_reason = ? where id = ? and active returning id',
    [disabledReason, endpointId],
  )) as unknown as { id: string }[];
  return off.length > 0;
};
