/** Reads the log of deliveries and replays deliveries. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '#core/errors.ts';
import type { EventParts } from './events/from-change.ts';
import { newId } from './ids.ts';
import { bodyOf, changesBetween, type EventSetting, type Listener, queueChanges } from './outbox.ts';
import type { Failure } from './sending/send.ts';

export interface Try {
  readonly at: string;
  readonly status: number | null;
  readonly error: Failure | null;
  readonly duration_ms: number;
  readonly response_excerpt: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly isTest: boolean;
  readonly replayOf: string | null;
  readonly attempts: number;
  readonly tries: readonly Try[];
  readonly nextAt: string | Date | null;
  readonly responseStatus: number | null;
  readonly createdAt: string | Date;
  readonly finishedAt: string | Date | null;
}

const SELECT = `select d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", v.type, v.body, d.state,
  d.is_test as "isTest", d.replay_of as "replayOf", d.attempts, d.tries, d.next_at as "nextAt",
  d.response_status as "responseStatus", d.created_at as "createdAt", d.finished_at as "finishedAt"
  from webhook_delivery d join webhook_event v on v.id = d.event_id`;

const rowsOf = async (em: EntityManager, text: string, parameters: readonly unknown[]): Promise<DeliveryRow[]> =>
  (await em.execute(text, [...parameters])) as unknown as DeliveryRow[];

export interface DeliveryFilter {
  readonly status?: string;
  readonly type?: string;
  /** Id of a delivery; only older ones are returned. */
  readonly before?: string;
  readonly limit: number;
}

/** Returns deliveries, newest first. */
export const listDeliveries = (
  em: EntityManager,
  endpointId: string,
  { status, type, before, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> => {
  const filters = [
    ['d.endpoint_id = ?', endpointId],
    ['d.state = ?', status],
    ['v.type = ?', type],
    ['d.id collate "C" < ?', before],
  ].filter(([, value]) => value !== undefined);
  const where = filters.map(([text]) => text).join(' and ');
  const values = filters.map(([, value]) => value);
  return rowsOf(em, `${SELECT} where ${where} order by d.id collate "C" desc limit ?`, [...values, limit]);
};

/**
 * Returns a delivery.
 * @throws not_found
 */
export const findDelivery = async (em: EntityManager, endpointId: string, id: string): Promise<DeliveryRow> => {
  const [row] = await rowsOf(em, `${SELECT} where d.endpoint_id = ? and d.id = ?`, [endpointId, id]);
  if (!row) throw notFound('Delivery', id);
  return row;
};

const INSERT = `insert into webhook_delivery
  (id, endpoint_id, event_id, state, is_test, replay_of, next_at, created_at) values (?, ?, ?, 'waiting', ?, ?, ?, ?)`;

/**
 * Queues the same event again with its own id, so that a receiver that already processed it recognizes it.
 * @throws not_found
 */
export const replayDelivery = async (
  em: EntityManager,
  { endpointId, id, now }: { readonly endpointId: string; readonly id: string; readonly now: Date },
): Promise<DeliveryRow> => {
  const { eventId, isTest } = await findDelivery(em, endpointId, id);
  const again = newId('dlv', now.getTime());
  await em.execute(INSERT, [again, endpointId, eventId, isTest, id, now, now]);
  return findDelivery(em, endpointId, again);
};

/** Queues a test event for the endpoint, which is attempted once. The endpoint must exist. */
export const queueTest = async (em: EntityManager, endpointId: string, setting: EventSetting): Promise<DeliveryRow> => {
  const { now, indexVersion } = setting;
  const parts: EventParts = { type: 'webhook.test', data: { webhook_id: endpointId } };
  const [event, id] = [newId('evt', now.getTime()), newId('dlv', now.getTime())];
  await em.execute('insert into webhook_event (id, change_id, type, body, created_at) values (?, null, ?, ?, ?)', [
    event,
    parts.type,
    bodyOf(parts, now, indexVersion),
    now,
  ]);
  await em.execute(INSERT, [id, endpointId, event, true, null, now, now]);
  return findDelivery(em, endpointId, id);
};

/** Selects those of the changes whose events reached the endpoint or are waiting. */
const TAKEN = `select v.change_id::text as id from webhook_delivery d join webhook_event v on v.id = d.event_id
  where d.endpoint_id = ? and d.state <> 'failed'
  and v.change_id in (select value::bigint from jsonb_array_elements_text(?::jsonb))`;

/** Maximum number of changes per request. */
const MOST_REPLAYED = 2_000;
const REPLAY_OF_SPAN = 'span';

export interface Span {
  readonly since: Date;
  readonly until: Date;
  /** Whether delivered events are sent again too. */
  readonly all: boolean;
  /** The `next` of the previous reply; "0" at the beginning. */
  readonly after: string;
}

/**
 * Queues the events of a time span that an endpoint did not receive: failed deliveries, and events while it was disabled.
 * Returns their number, and the cursor when there are more.
 */
export const replaySpan = async (
  em: EntityManager,
  endpoint: Listener,
  { since, until, all, after, ...setting }: Span & EventSetting,
): Promise<{ readonly queued: number; readonly next: string | null }> => {
  const changes = await changesBetween(em, { since, until, after, limit: MOST_REPLAYED });
  const ids = JSON.stringify(changes.map(({ id }) => id));
  const rows = all ? [] : ((await em.execute(TAKEN, [endpoint.id, ids])) as unknown as { id: string }[]);
  const taken = new Set(rows.map(({ id }) => id));
  const missing = changes.filter(({ id }) => !taken.has(id));
  const queued = await queueChanges(em, missing, { ...setting, listeners: [endpoint], replayOf: REPLAY_OF_SPAN });
  return { queued, next: changes.length === MOST_REPLAYED ? (changes.at(-1)?.id ?? null) : null };
};
