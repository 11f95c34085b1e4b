/** Converts rows to their API representation. */
import type { DeliveryRow } from './deliveries.ts';
import type { EndpointRow } from './endpoints.ts';
import type { Delivery } from './schemas.ts';

const iso = (at: string | Date): string => new Date(at).toISOString();
const isoOrNull = (at: string | Date | null): string | null => (at === null ? null : iso(at));

export const webhookOf = ({ id, url, events, description, active, created_at, public_key }: EndpointRow) => ({
  id,
  url,
  events,
  description,
  active,
  created_at: iso(created_at),
  public_key,
});

export const webhookWithState = (row: EndpointRow) => ({
  ...webhookOf(row),
  last_delivery_at: isoOrNull(row.last_delivery_at),
  last_status_code: row.last_status_code,
  consecutive_failures: row.consecutive_failures,
  disabled_reason: row.disabled_reason,
});

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  event_id: row.eventId,
  type: row.type,
  status: row.state,
  attempts: row.attempts,
  next_try_at: isoOrNull(row.nextAt),
  created_at: iso(row.createdAt),
  finished_at: isoOrNull(row.finishedAt),
  response_status: row.responseStatus,
  replay_of: row.replayOf,
  tries: row.tries.map((one) => ({ ...one })),
  event: JSON.parse(row.body) as Delivery['event'],
});
