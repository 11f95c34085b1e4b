/** Defines the request and response schemas of the portal's routes. */
import { type Static, type TSchema, Type } from 'typebox';

/**
 * Defines an optional field; omitted, null and "" all mean "not given". `type` is a single type name, so that form fields are
 * converted.
 */
const given = (maxLength: number, rest: object = {}) =>
  Type.Optional(Type.Unsafe<string | null>({ type: 'string', nullable: true, maxLength, ...rest } as TSchema));

export const SandboxBody = Type.Object({
  app_name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'What you are building.' }),
  email: given(254, {
    pattern: '^$|^[^@\\s<>]+@[^@\\s<>]+\\.[^@\\s<>.]+$',
    description: 'Kept as a keyed hash for as long as the key lives, so that one address has one live key.',
  }),
  use_case: given(500),
  accept_terms: Type.Boolean({ description: 'Must be true: the terms at /terms are accepted.' }),
});
export type SandboxBody = Static<typeof SandboxBody>;

export const SandboxKey = Type.Object({
  key: Type.String({ description: 'The key itself. It is shown only once.' }),
  api_key: Type.String({ description: 'The same.' }),
  owner_secret: Type.String({ description: 'Keep it apart from the key: with it you rotate the key or end it.' }),
  key_prefix: Type.String(),
  plan: Type.String({ enum: ['sandbox'] }),
  rpm_limit: Type.Integer(),
  daily_limit: Type.Integer(),
  expires_at: Type.String({ format: 'date-time' }),
  docs_url: Type.String(),
  example: Type.String({ description: 'A first call, ready to run.' }),
});
export type SandboxKey = Static<typeof SandboxKey>;
