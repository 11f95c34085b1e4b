/** Stores, creates and changes registered endpoints. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import type { Secrets } from '#core/secrets.ts';
import { newId } from './ids.ts';
import { type KeyRing, newRing, openRing, publicKeyOf, rotate, sealRing } from './signing.ts';

export interface EndpointRow {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly active: boolean;
  readonly sealed: Uint8Array;
  readonly public_key: string;
  readonly created_at: string | Date;
  readonly last_delivery_at: string | Date | null;
  readonly last_status_code: number | null;
  readonly consecutive_failures: number;
  readonly disabled_reason: string | null;
}

/** Maximum number of endpoints, because a change is fanned out to all of them in one transaction. */
const MOST_ENDPOINTS = 100;

const rowsOf = async (em: EntityManager, text: string, parameters: readonly unknown[] = []): Promise<EndpointRow[]> =>
  (await em.execute(text, [...parameters])) as unknown as EndpointRow[];

export const listEndpoints = (em: EntityManager): Promise<EndpointRow[]> =>
  rowsOf(em, 'select * from webhook_endpoint order by created_at, id');

/**
 * Returns an endpoint.
 * @throws not_found
 */
export const findEndpoint = async (
  em: EntityManager,
  id: string,
  lock: '' | 'for update' = '',
): Promise<EndpointRow> => {
  const [row] = await rowsOf(em, `select * from webhook_endpoint where id = ? ${lock}`, [id]);
  if (!row) throw notFound('Webhook', id);
  return row;
};

const eventList = (events: readonly string[]): string => JSON.stringify([...new Set(events)]);
const TEXTS = 'array(select jsonb_array_elements_text(?::jsonb))';

export interface NewEndpoint {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  /** Base64; generated when null. */
  readonly secret: string | null;
  readonly active: boolean;
  /** The key that registers the endpoint. */
  readonly keyId: string | null;
}

interface Making {
  readonly secrets: Secrets;
  readonly now: Date;
}

/**
 * Registers an endpoint.
 * @throws validation_failed when there are too many.
 */
export const addEndpoint = async (
  em: EntityManager,
  given: NewEndpoint,
  { secrets, now }: Making,
): Promise<{ readonly row: EndpointRow; readonly ring: KeyRing }> => {
  const [count] = (await em.execute('select count(*)::int as n from webhook_endpoint')) as unknown as { n: number }[];
  if ((count?.n ?? 0) >= MOST_ENDPOINTS)
    throw invalid('body', 'url', `There are ${MOST_ENDPOINTS} webhooks already: delete one first`);
  const id = newId('wh', now.getTime());
  const ring = newRing(given.secret);
  const { url, events, description, active, keyId } = given;
  const [row] = await rowsOf(
    em,
    `insert into webhook_endpoint (id, url, events, description, active, sealed, public_key, created_at, key_id)
     values (?, ?, ${TEXTS}, ?, ?, ?, ?, ?, ?) returning *`,
    [id, url, eventList(events), description, active, sealRing(secrets, id, ring), publicKeyOf(ring), now, keyId],
  );
  if (!row) throw new Error('A webhook is gone within its own transaction');
  return { row, ring };
};

export interface EndpointChange {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  readonly active?: boolean;
  /** The calling key. It owns the endpoint from then on, and the endpoint ends with it. */
  readonly keyId: string | null;
}

/** Enabling an endpoint clears the reason why it was disabled. */
const CHANGE = `update webhook_endpoint set url = ?, events = ${TEXTS}, description = ?, active = ?, key_id = ?,
  disabled_reason = case when ? then null else disabled_reason end,
  consecutive_failures = case when ? then 0 else consecutive_failures end,
  hold_until = case when ? then null else hold_until end
  where id = ? returning *`;

/**
 * Changes an endpoint; omitted members keep their values.
 * @throws not_found
 */
export const changeEndpoint = async (em: EntityManager, id: string, change: EndpointChange): Promise<EndpointRow> => {
  const before = await findEndpoint(em, id, 'for update');
  const events = eventList(change.events ?? before.events);
  const isOn = change.active === true;
  const description = change.description === undefined ? before.description : change.description;
  const [row] = await rowsOf(em, CHANGE, [
    ...[change.url ?? before.url, events, description, change.active ?? before.active, change.keyId],
    ...[isOn, isOn, isOn, id],
  ]);
  return row ?? before;
};

/**
 * Deletes an endpoint with its deliveries.
 * @throws not_found
 */
export const removeEndpoint = async (em: EntityManager, id: string): Promise<void> => {
  const gone = await rowsOf(em, 'delete from webhook_endpoint where id = ? returning *', [id]);
  if (!gone.length) throw notFound('Webhook', id);
};

/**
 * Rotates the secret of an endpoint.
 * @throws not_found
 */
export const rotateSecret = async (
  em: EntityManager,
  id: string,
  { secrets, now, keyId }: Making & { readonly keyId: string | null },
): Promise<{ readonly row: EndpointRow; readonly ring: KeyRing }> => {
  const { sealed } = await findEndpoint(em, id, 'for update');
  const ring = rotate(openRing(secrets, id, sealed), null, now.getTime());
  const [row] = await rowsOf(
    em,
    'update webhook_endpoint set sealed = ?, public_key = ?, key_id = ? where id = ? returning *',
    [sealRing(secrets, id, ring), publicKeyOf(ring), keyId, id],
  );
  if (!row) throw notFound('Webhook', id);
  return { row, ring };
};

/** Disables an endpoint, so that nothing is sent until someone enables it again. Returns whether it was enabled. */
export const disableEndpoint = async (em: EntityManager, id: string, reason: string): Promise<boolean> => {
  const rows = await rowsOf(
    em,
    'update webhook_endpoint set active = false, disabled_reason = ? where id = ? and active returning *',
    [reason, id],
  );
  return rows.length > 0;
};

const END_OF_KEYS = `update webhook_endpoint set active = false, disabled_reason = ?
  where key_id = any(?::text[]) and active returning *`;
const END_WAITING = `update webhook_delivery d set state = 'failed', next_at = null, finished_at = now()
  from webhook_endpoint e where e.id = d.endpoint_id and e.key_id = any(?::text[]) and d.state = 'waiting'`;

/**
 * Disables the endpoints that these keys registered or redirected, and cancels their waiting deliveries. Returns their ids.
 */
export const endEndpointsOf = async (
  em: EntityManager,
  keyIds: readonly string[],
  reason: string,
): Promise<readonly string[]> => {
  const keys = `{${keyIds.join(',')}}`;
  const rows = await rowsOf(em, END_OF_KEYS, [reason, keys]);
  await em.execute(END_WAITING, [keys]);
  return rows.map(({ id }) => id);
};
