import { type Static, Type } from 'typebox';
import { SCOPES, scopeNames } from '#core/http/scopes.ts';
import { KEPT_PARTS } from './revocation.ts';

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
  owner_secret: Type.String({
    description: 'Keep it apart from the key: with it the owner rotates the key or ends it. It is shown only once.',
  }),
  warning: Type.String(),
});

const UsedBucket = Type.Object({
  used: Type.Integer(),
  limit: Type.Integer(),
  resets_at: Type.String({ format: 'date-time' }),
});

const Rotation = Type.Object({
  at: Type.String({ format: 'date-time' }),
  by: Type.String({ enum: ['owner', 'administrator'] }),
  key_prefix: Type.String({ description: 'Of the other key.' }),
});

export const OwnKey = Type.Object({
  ...metadata,
  replaced: Type.Union([Rotation, Type.Null()], { description: 'When another key took the place of this one.' }),
  replaces: Type.Union([Rotation, Type.Null()], { description: 'When this one took the place of another key.' }),
  usage: Type.Object({ minute: UsedBucket, day: UsedBucket }),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});

/** Maximum grace period, in seconds (30 days). */
export const MAX_GRACE_SECONDS = 2_592_000;

const ownerSecret = Type.Optional(
  Type.String({ maxLength: 200, description: 'As it was returned with the key; an admin key needs none.' }),
);

/** Body of a rotation; it may be omitted. */
export const KeyRotation = Type.Object(
  {
    grace_seconds: Type.Integer({
      minimum: 0,
      maximum: MAX_GRACE_SECONDS,
      default: 86_400,
      description: 'How long the key goes on beside its successor.',
    }),
    owner_secret: ownerSecret,
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

export const KeyEnd = Type.Object({ owner_secret: ownerSecret }, { default: {} });

/** Body of a deactivation; it may be omitted. */
export const KeyDeactivation = Type.Object(
  {
    keep: Type.Array(Type.String({ enum: [...KEPT_PARTS] }), {
      maxItems: KEPT_PARTS.length,
      default: [],
      description:
        'What goes on all the same, where the key ends without having leaked: keys that replaced it, keys of administrators that it issued, webhooks that it registered.',
    }),
    since: Type.Optional(
      Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description:
          'From then on nothing that was done with the key is trusted: other keys that it issued end too, and pictures that it sent wait for a look.',
      }),
    ),
  },
  { default: {} },
);

export const DeactivatedKey = Type.Object({
  ...metadata,
  ended: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'Ids of what ended with the key: `keys`, `webhooks`, `answer_streams`, `label_images`.',
  }),
  issued_keys_left: Type.Integer({ description: 'Working keys that this one issued, and that go on.' }),
});

export const KeyIdPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
export type KeyMetadata = Static<typeof KeyMetadata>;
