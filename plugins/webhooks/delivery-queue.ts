/**
 * Selects the next delivery. A server claims an endpoint, not a delivery: so each endpoint receives one delivery at a time,
 * and the endpoint that waited longest comes first, however many deliveries others have. An abandoned claim expires.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Sent } from './sending/send.ts';

/** Duration of a claim in seconds; longer than any attempt takes. */
const CLAIM_SECONDS = 40;

export interface Turn {
  readonly claim: string;
  readonly endpointId: string;
  readonly url: string;
  readonly sealed: Uint8Array;
  readonly failures: number;
  readonly deliveryId: string;
  readonly isTest: boolean;
  /** Number of attempts before this one. */
  readonly attempts: number;
  readonly eventId: string;
  readonly body: string;
}

const IS_LISTENING = `e.active and (e.hold_until is null or e.hold_until <= :now)`;
const IS_DUE = `d.endpoint_id = e.id and d.state = 'waiting' and d.next_at <= :now`;
/** A test is sent even to a disabled endpoint. */
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

/** Binds named parameters, so that a statement with several `:now` receives the value once. */
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

/** Claims an endpoint with a due delivery. Returns null when nothing is due, or others have claimed it. */
export const claimTurn = async (em: EntityManager, claim: string, now: Date): Promise<Turn | null> => {
  const endpoint = await first<{ id: string }>(em, CLAIM, { claim, now });
  const turn = endpoint && (await first<Turn>(em, NEXT, { id: endpoint.id, now }));
  // Another server delivered the last one while the first statement ran.
  if (endpoint && !turn) await endClaim(em, { endpointId: endpoint.id, claim });
  return turn;
};

export interface WaitingWork {
  /** Whether there are changes to fan out. */
  readonly changes: boolean;
  /** Whether there are due deliveries to an unclaimed endpoint. */
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

/** The result of an attempt. */
export interface Outcome {
  readonly sent: Pick<Sent, 'failure' | 'status'>;
  /** Start of the attempt. */
  readonly at: Date;
  readonly endedAt: Date;
  readonly milliseconds: number;
  readonly excerpt: string;
  /** Time of the next attempt; null when there is none. */
  readonly nextAt: Date | null;
  /** Time before which nothing is sent to the endpoint. */
  readonly holdUntil: Date | null;
  /** Reason why the endpoint is disabled by this attempt. */
  readonly disabledReason: string | null;
}

const NOTE = `update webhook_delivery set attempts = attempts + 1, state = ?, next_at = ?, finished_at = ?,
  response_status = ?, tries = tries || ?::jsonb where id = ? and state = 'waiting' and attempts = ?`;

/** A test does not affect the failure count of the endpoint, only its last response. */
const NOTE_ENDPOINT = `update webhook_endpoint set claim = null, claimed_until = null, last_delivery_at = ?,
    last_status_code = ?,
    consecutive_failures = case when ? then consecutive_failures when ? then 0 else consecutive_failures + 1 end,
    hold_until = case when ? then hold_until else ?::timestamptz end
  where id = ? and (claim is null or claim = ?)`;

/** Records an attempt and ends the claim. Returns whether the endpoint was disabled by it. */
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
