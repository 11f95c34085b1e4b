/** Serves the routes for webhooks. All of them require an administrator. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '#core/http/validate.ts';
import { type Context, defineRoute, type Route } from '#core/plugin.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { addEndpoint, changeEndpoint, findEndpoint, listEndpoints, removeEndpoint, rotateSecret } from './endpoints.ts';
import {
  CreatedWebhook,
  DeletedWebhook,
  EventTypeList,
  RotatedWebhook,
  Webhook,
  WebhookChange,
  WebhookCreation,
  WebhookList,
  WebhookPath,
} from './schemas.ts';
import { urlProblem } from './sending/address-rule.ts';
import type { WebhookServices } from './services.ts';
import { OVERLAP_MS, readSecret, shownSecret } from './signing.ts';
import { webhookOf, webhookWithState } from './views.ts';

const tag = 'Webhooks';
const headers = { 'Cache-Control': 'no-store' };
const json = (description: string, schema: typeof Webhook | typeof WebhookList) => [
  { status: 200, mediaType: 'application/json', description, schema },
];
const wrongOf = ['validation_failed', 'malformed_json', 'file_too_large'];

const checkUrl = ({ rules }: WebhookServices, url: string): void => {
  const problem = urlProblem(url, rules);
  // The URL may contain a token of the receiver, so it is not repeated in the error.
  if (problem) throw invalid('body', 'url', problem);
};

const secretOf = (given: string | null | undefined): string | null => {
  if (!given) return null;
  const secret = readSecret(given);
  if (!secret) throw invalid('body', 'secret', 'The secret must be whsec_ and the base64 of 24 to 64 bytes');
  return secret;
};

/** Returns the calling key, locked until the end of the transaction, so that the webhook exists before the key can end. */
const askingKey = async (context: Context, em: EntityManager): Promise<string | null> => {
  if (context.principal.kind !== 'key') return null;
  await context.use(keysPlugin).store.holdActive(em, context.principal.keyId);
  return context.principal.keyId;
};

const create = defineRoute<WebhookServices, { body: typeof WebhookCreation }>({
  id: 'webhooks.create',
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Register an address that events are posted to',
  description:
    'Signed by Standard Webhooks 1.0.0. The secret is returned once. What happens after the registration is sent.',
  tag,
  access: 'admin',
  request: { body: WebhookCreation },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The new webhook', schema: CreatedWebhook }],
  links: {
    'webhooks.show': { id: '/id' },
    'webhooks.change': { id: '/id' },
    'webhooks.rotate-secret': { id: '/id' },
    'webhooks.test': { id: '/id' },
    'webhooks.deliveries': { id: '/id' },
    'webhooks.replay': { id: '/id' },
    'webhooks.delete': { id: '/id' },
  },
  raises: wrongOf,
  handle: async (context, { body }) => {
    const { services, db, secrets } = context;
    checkUrl(services, body.url);
    const { url, events, active } = body;
    const given = { url, events, active, description: body.description || null, secret: secretOf(body.secret) };
    const { row, ring } = await db.write(async (em) =>
      addEndpoint(em, { ...given, keyId: await askingKey(context, em) }, { secrets, now: services.now() }),
    );
    return { headers, body: { ...webhookOf(row), secret: shownSecret(ring) } };
  },
});

const list = defineRoute<WebhookServices, Record<string, never>>({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/webhooks',
  summary: 'All webhooks, and how their last delivery went',
  tag,
  access: 'admin',
  request: {},
  replies: json('A list, without secrets', WebhookList),
  links: { 'webhooks.show': { id: '/0/id' }, 'webhooks.deliveries': { id: '/0/id' } },
  raises: [],
  handle: async ({ db }) => ({ headers, body: (await db.read(listEndpoints)).map(webhookWithState) }),
});

const eventTypes = defineRoute<WebhookServices, Record<string, never>>({
  id: 'webhooks.event-types',
  method: 'GET',
  path: '/api/webhooks/event-types',
  summary: 'Kinds of events, each with its schema and an example',
  tag,
  access: 'admin',
  request: {},
  replies: [{ status: 200, mediaType: 'application/json', description: 'A list', schema: EventTypeList }],
  raises: [],
  handle: async ({ services }) => ({
    body: services.events.map(({ type, summary, body, example }) => ({
      type,
      description: summary,
      schema: body,
      example,
    })),
  }),
});

const show = defineRoute<WebhookServices, { params: typeof WebhookPath }>({
  id: 'webhooks.show',
  method: 'GET',
  path: '/api/webhooks/{id}',
  summary: 'One webhook',
  tag,
  access: 'admin',
  request: { params: WebhookPath },
  replies: json('The webhook, without its secret', Webhook),
  raises: ['validation_failed', 'not_found'],
  handle: async ({ db }, { params }) => ({
    headers,
    body: webhookWithState(await db.read((em) => findEndpoint(em, params.id))),
  }),
});

const change = defineRoute<WebhookServices, { params: typeof WebhookPath; body: typeof WebhookChange }>({
  id: 'webhooks.change',
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  summary: 'Change, pause or switch on again',
  description:
    'What is left out stays. While a webhook is paused, what happens is not queued for it (a replay of the time brings it); what waited goes out when it is on again.',
  tag,
  access: 'admin',
  request: { params: WebhookPath, body: WebhookChange },
  replies: json('The webhook as it now is', Webhook),
  raises: [...wrongOf, 'not_found'],
  handle: async (context, { params, body }) => {
    const { services, db } = context;
    if (body.url !== undefined) checkUrl(services, body.url);
    const { description } = body;
    const given = { ...body, ...(description !== undefined && { description: description || null }) };
    const row = await db.write(async (em) =>
      changeEndpoint(em, params.id, { ...given, keyId: await askingKey(context, em) }),
    );
    services.worker.wake();
    return { headers, body: webhookWithState(row) };
  },
});

const remove = defineRoute<WebhookServices, { params: typeof WebhookPath }>({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  summary: 'Delete a webhook with its log; what waits is not sent any more',
  tag,
  access: 'admin',
  request: { params: WebhookPath },
  replies: [{ status: 200, mediaType: 'application/json', description: 'Deleted', schema: DeletedWebhook }],
  raises: ['validation_failed', 'not_found'],
  handle: async ({ db }, { params }) => {
    await db.write((em) => removeEndpoint(em, params.id));
    return { headers, body: { id: params.id, deleted: true } };
  },
});

const rotate = defineRoute<WebhookServices, { params: typeof WebhookPath }>({
  id: 'webhooks.rotate-secret',
  method: 'POST',
  path: '/api/webhooks/{id}/rotate-secret',
  summary: 'Rotate the secret; for 24 hours the previous secret also signs',
  description: 'The ed25519 key changes with it. The secret is returned once.',
  tag,
  access: 'admin',
  request: { params: WebhookPath },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The new secret', schema: RotatedWebhook }],
  raises: ['validation_failed', 'not_found'],
  handle: async (context, { params }) => {
    const { services, db, secrets } = context;
    const now = services.now();
    const { row, ring } = await db.write(async (em) =>
      rotateSecret(em, params.id, { secrets, now, keyId: await askingKey(context, em) }),
    );
    const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
    const body = { ...webhookWithState(row), secret: shownSecret(ring), previous_secret_valid_until: until };
    return { headers, body };
  },
});

export const webhookRoutes = [
  create,
  list,
  eventTypes,
  show,
  change,
  remove,
  rotate,
] as readonly Route<WebhookServices>[];
