import { type Static, Type } from 'typebox';

const limit = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Null()], { description }));

export const KeyCreation = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: 'What the key is for.' }),
  is_admin: Type.Boolean({ default: false }),
  rpm_limit: limit('Requests per minute; the plan default when absent.'),
  daily_limit: limit('Requests per day; the plan default when absent.'),
  expires_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
  scopes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 })),
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

export const KeyIdPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
export type KeyMetadata = Static<typeof KeyMetadata>;
