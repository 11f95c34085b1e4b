/** Defines the requests and replies of the webhook routes. */
import { type Static, type TSchema, Type } from 'typebox';
import { EVENT_TYPES } from './events/event-types.ts';
import { FAILURES } from './sending/send.ts';

const url = Type.String({ minLength: 1, maxLength: 2_000, description: 'An https address.' });
const events = Type.Array(Type.String({ enum: ['*', ...EVENT_TYPES] }), {
  minItems: 1,
  maxItems: 50,
  description: '`*` stands for every kind, those of later versions too.',
});
const description = Type.Optional(
  Type.Unsafe<string | null>({ type: 'string', nullable: true, maxLength: 200 } as TSchema),
);

export const WebhookCreation = Type.Object({
  url,
  events: Type.Unsafe<string[]>({ ...events, default: ['*'] }),
  description,
  secret: Type.Optional(
    Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      maxLength: 200,
      description: '`whsec_` and the base64 of 24 to 64 bytes; made here when left out.',
    } as TSchema),
  ),
  active: Type.Boolean({ default: true }),
});

export const WebhookChange = Type.Object({
  url: Type.Optional(url),
  events: Type.Optional(events),
  description,
  active: Type.Optional(Type.Boolean({ description: 'true also switches on again what failures had switched off.' })),
});

const time = Type.String({ format: 'date-time' });
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);

const webhook = {
  id: Type.String({ description: '`wh_…`' }),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: nullable(Type.String()),
  active: Type.Boolean(),
  created_at: time,
  public_key: Type.String({
    description: '`whpk_` and the base64 of the ed25519 key that `v1a` signatures are checked by.',
  }),
};
const state = {
  last_delivery_at: nullable(time),
  last_status_code: nullable(Type.Integer()),
  consecutive_failures: Type.Integer({ description: 'Tries that failed since the last one that did not.' }),
  disabled_reason: nullable(Type.String()),
};
const secret = Type.String({ description: 'Shown here only.' });

export const Webhook = Type.Object({ ...webhook, ...state });
export const WebhookList = Type.Array(Webhook);
export const CreatedWebhook = Type.Object({ ...webhook, secret });
export const RotatedWebhook = Type.Object({
  ...webhook,
  ...state,
  secret,
  previous_secret_valid_until: Type.String({ format: 'date-time', description: 'Until then both sign.' }),
});
export const DeletedWebhook = Type.Object({ id: Type.String(), deleted: Type.Boolean() });

export const WebhookPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
export const DeliveryPath = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  delivery_id: Type.String({ minLength: 1, maxLength: 64 }),
});

const STATES = ['waiting', 'delivered', 'failed'] as const;

export const DeliveryQuery = Type.Object({
  status: Type.Optional(Type.String({ enum: [...STATES] })),
  type: Type.Optional(Type.String({ enum: [...EVENT_TYPES] })),
  page_size: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
  cursor: Type.Optional(
    Type.String({ maxLength: 64, pattern: '^dlv_[0-9a-z]+$', description: 'The `next_cursor` of the page before.' }),
  ),
});

export const Delivery = Type.Object({
  id: Type.String({ description: '`dlv_…`' }),
  event_id: Type.String({ description: 'The `webhook-id` of every try of this event.' }),
  type: Type.String(),
  status: Type.String({ enum: [...STATES], description: '`failed`: no try will follow; replay it.' }),
  attempts: Type.Integer(),
  next_try_at: nullable(time),
  created_at: time,
  finished_at: nullable(time),
  response_status: nullable(Type.Integer()),
  replay_of: nullable(Type.String({ description: 'The delivery that this one repeats, or `span`.' })),
  tries: Type.Array(
    Type.Object({
      at: time,
      status: nullable(Type.Integer()),
      error: nullable(Type.String({ enum: [...FAILURES] })),
      duration_ms: Type.Integer(),
      response_excerpt: Type.String({ description: 'The beginning of a text answer, without what looks secret.' }),
    }),
  ),
  event: Type.Object({}, { additionalProperties: true, description: 'The body, as it is sent.' }),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryList = Type.Object({
  deliveries: Type.Array(Delivery),
  page_size: Type.Integer(),
  next_cursor: nullable(Type.String()),
});

export const SpanBody = Type.Object({
  since: Type.String({ format: 'date-time', description: 'At most 30 days ago.' }),
  until: Type.Optional(Type.Unsafe<string | null>({ type: 'string', nullable: true, format: 'date-time' } as TSchema)),
  all: Type.Boolean({ default: false, description: 'What arrived is sent again too.' }),
  cursor: Type.Optional(
    Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      pattern: '^[0-9]{1,18}$',
      description: 'The `next_cursor` of the answer before.',
    } as TSchema),
  ),
});

export const SpanReply = Type.Object({
  queued: Type.Integer(),
  next_cursor: nullable(Type.String({ description: 'There is more: ask again with it.' })),
});

export const EventTypeList = Type.Array(
  Type.Object({
    type: Type.String(),
    description: Type.String(),
    schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the body.' }),
    example: Type.Object({}, { additionalProperties: true }),
  }),
);
