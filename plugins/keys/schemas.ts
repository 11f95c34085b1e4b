import { type Static, Type } from 'typebox';
import { SCOPES, scopeNames } from '#core/http/scopes.ts';

const scopeText = Object.entries(SCOPES).map(([name, opens]) => `\`${name}\`: ${opens}`);

const limit = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Null()], { description }));

export const KeyCreation = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: 'What the key is for.' }),
  is_admin: Type.Boolean({ default: false }),
  rpm_limit: limit('Requests per minute; the plan default when absent.'),
  daily_limit: limit('Requests per day; the plan default when absent.'),
  expires_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
  scopes: Type.Optional(
    Type.Array(Type.String({ enum: [...scopeNames] }), {
      maxItems: 50,
      description: `What the key may be used for; everything when empty. ${scopeText.join('. ')}.`,
    }),
  ),
  contact_email: Type.Optional(Type.String({ maxLength: 320 })),
  notes: Type.Optional(Type.String({ maxLength: 2000 })),
});

const metadata = {
  id: Type.String(),
  name: Type.String(),
  key_prefix: Type.String(),
  is_admin: Type.Boolean(),
  active: Type.Integer({ minimum: 0, maximum: 1 }),
  plan: Type.String({ enum: ['sandbox', 'free', 'admin', 'enterprise'] }),
  rpm_limit: Type.Integer(),
  daily_limit: Type.Integer(),
  scopes: Type.Array(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  predecessor_id: Type.Union([Type.String(), Type.Null()], { description: 'The key that this one replaced.' }),
  successor_id: Type.Union([Type.String(), Type.Null()], { description: 'The key that replaced this one.' }),
};

export const KeyMetadata = Type.Object(metadata);
export const CreatedKey = Type.Object({
  ...metadata,
  key: Type.String(),
  api_key: Type.String(),
  warning: Type.String(),
});

const UsedBucket = Type.Object({
  used: Type.Integer(),
  limit: Type.Integer(),
  resets_at: Type.String({ format: 'date-time' }),
});

export const OwnKey = Type.Object({
  ...metadata,
  usage: Type.Object({ minute: UsedBucket, day: UsedBucket }),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});

/** Thirty days. */
export const MAX_GRACE_SECONDS = 2_592_000;

/** It may be left out altogether. */
export const KeyRotation = Type.Object(
  {
    grace_seconds: Type.Integer({
      minimum: 0,
      maximum: MAX_GRACE_SECONDS,
      default: 86_400,
      description: 'How long the key goes on beside its successor.',
    }),
  },
  { default: {} },
);

export const RotatedKey = Type.Object({
  ...metadata,
  key: Type.String(),
  api_key: Type.String(),
  warning: Type.String(),
  predecessor_expires_at: Type.String({ format: 'date-time', description: 'When the key before ends.' }),
});

export const KeyIdPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
export type KeyMetadata = Static<typeof KeyMetadata>;
