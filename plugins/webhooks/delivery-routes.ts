/** Serves the deliveries of a webhook and their replay. */
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '#core/http/validate.ts';
import { type Database, defineRoute, type Route } from '#core/plugin.ts';
import { type DeliveryRow, findDelivery, listDeliveries, queueTest, replayDelivery, replaySpan } from './deliveries.ts';
import { findEndpoint } from './endpoints.ts';
import { KEEP_DAYS } from './jobs.ts';
import { Delivery, DeliveryList, DeliveryPath, DeliveryQuery, SpanBody, SpanReply, WebhookPath } from './schemas.ts';
import type { WebhookServices } from './services.ts';
import { deliveryOf } from './views.ts';

const tag = 'Webhooks';
const headers = { 'Cache-Control': 'no-store' };
const one = (description: string) => [{ status: 200, mediaType: 'application/json', description, schema: Delivery }];

/** Maximum wait in milliseconds: an attempt takes 15 seconds at most, and another may be in progress. */
const WAIT_MS = 20_000;
const LOOK_MS = 100;

/** Returns the delivery after its attempt, or in its current state when that takes too long. */
const afterTry = async (db: Database, { endpointId, id }: DeliveryRow, signal: AbortSignal): Promise<DeliveryRow> => {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const row = await db.read((em) => findDelivery(em, endpointId, id));
    if (row.attempts || signal.aborted || performance.now() > deadline) return row;
    await sleep(LOOK_MS);
  }
};

const test = defineRoute<WebhookServices, { params: typeof WebhookPath }>({
  id: 'webhooks.test',
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  summary: 'Send a test event now, once, and answer how it went',
  description:
    'It goes to a paused webhook too, whatever kinds it wants. `status` is `waiting` when another delivery to it takes long.',
  tag,
  access: 'admin',
  request: { params: WebhookPath },
  replies: one('The delivery'),
  links: {
    'webhooks.deliveries': { id: '$request.path.id' },
    'webhooks.replay-delivery': { id: '$request.path.id', delivery_id: '/id' },
  },
  raises: ['validation_failed', 'not_found'],
  handle: async ({ services, db, signal }, { params }) => {
    const queued = await db.write(async (em) => {
      const { id } = await findEndpoint(em, params.id, 'for update');
      return queueTest(em, id, services.setting());
    });
    services.worker.wake();
    return { headers, body: deliveryOf(await afterTry(db, queued, signal)) };
  },
});

const list = defineRoute<WebhookServices, { params: typeof WebhookPath; query: typeof DeliveryQuery }>({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  summary: 'What was sent to a webhook in the last 30 days, newest first',
  tag,
  access: 'admin',
  request: { params: WebhookPath, query: DeliveryQuery },
  replies: [{ status: 200, mediaType: 'application/json', description: 'A page', schema: DeliveryList }],
  links: { 'webhooks.replay-delivery': { id: '$request.path.id', delivery_id: '/deliveries/0/id' } },
  raises: ['validation_failed', 'not_found'],
  handle: async ({ db }, { params, query }) => {
    const { status, type, cursor, page_size: size } = query;
    const rows = await db.read(async (em) => {
      await findEndpoint(em, params.id);
      return listDeliveries(em, params.id, { status, type, before: cursor, limit: size + 1 });
    });
    const page = rows.slice(0, size);
    const next = rows.length > size ? (page.at(-1)?.id ?? null) : null;
    return { headers, body: { deliveries: page.map(deliveryOf), page_size: size, next_cursor: next } };
  },
});

const replay = defineRoute<WebhookServices, { params: typeof DeliveryPath }>({
  id: 'webhooks.replay-delivery',
  method: 'POST',
  path: '/api/webhooks/{id}/deliveries/{delivery_id}/replay',
  summary: 'Send an event again, under the same `webhook-id`',
  description: 'As a delivery of its own, with the whole schedule. To a paused webhook it goes once that is on again.',
  tag,
  access: 'admin',
  request: { params: DeliveryPath },
  replies: one('The new delivery'),
  raises: ['validation_failed', 'not_found'],
  handle: async ({ services, db }, { params }) => {
    const row = await db.write(async (em) => {
      await findEndpoint(em, params.id, 'for update');
      return replayDelivery(em, { endpointId: params.id, id: params.delivery_id, now: services.now() });
    });
    services.worker.wake();
    return { headers, body: deliveryOf(row) };
  },
});

const DAY_MS = 86_400_000;

const timeOf = (name: 'since' | 'until', text: string): Date => {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw invalid('body', name, 'Value is not a valid date-time', text);
  return at;
};

const span = defineRoute<WebhookServices, { params: typeof WebhookPath; body: typeof SpanBody }>({
  id: 'webhooks.replay',
  method: 'POST',
  path: '/api/webhooks/{id}/replay',
  summary: 'Send what a webhook missed in a span of time',
  description:
    'What failed, and what happened while it was paused or before it was registered; with `all` what arrived too.',
  tag,
  access: 'admin',
  request: { params: WebhookPath, body: SpanBody },
  replies: [{ status: 200, mediaType: 'application/json', description: 'How much was queued', schema: SpanReply }],
  raises: ['validation_failed', 'malformed_json', 'file_too_large', 'not_found'],
  handle: async ({ services, db }, { params, body }) => {
    const setting = services.setting();
    await db.read((em) => findEndpoint(em, params.id));
    const since = timeOf('since', body.since);
    const until = body.until ? timeOf('until', body.until) : setting.now;
    if (since.getTime() < setting.now.getTime() - KEEP_DAYS * DAY_MS)
      throw invalid('body', 'since', `The log goes back ${KEEP_DAYS} days`, body.since);
    if (until <= since) throw invalid('body', 'until', 'The end must lie after the beginning', body.until);
    const { queued, next } = await db.write(async (em) => {
      const { id, events } = await findEndpoint(em, params.id, 'for update');
      const chosen = { since, until, all: body.all, after: body.cursor || '0' };
      return replaySpan(em, { id, events }, { ...chosen, ...setting });
    });
    services.worker.wake();
    return { headers, body: { queued, next_cursor: next } };
  },
});

export const deliveryRoutes = [test, list, replay, span] as readonly Route<WebhookServices>[];
