/** What the schemas of several kinds of content share. */
import { type Static, Type } from 'typebox';

export const Slug = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 80 });
export const Text = Type.String({ minLength: 1 });
export const Authority = Type.Object(
  { name: Text, address: Type.String({ format: 'uri' }) },
  { additionalProperties: false },
);
export type Authority = Static<typeof Authority>;

/** Ids in other vocabularies: UMLS concept, RxNorm, FDA's substance register, MeSH descriptor or supplementary concept. */
export const StandardIds = Type.Object(
  {
    umls_cui: Type.Optional(Type.String({ pattern: '^C[0-9]{7}$' })),
    rxcui: Type.Optional(Type.String({ pattern: '^[0-9]{1,8}$' })),
    unii: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{10}$' })),
    mesh: Type.Optional(Type.String({ pattern: '^[CD][0-9]{6,9}$' })),
  },
  { additionalProperties: false },
);
export type StandardIds = Static<typeof StandardIds>;

/** What an editor changed in an entry, in a sentence for its readers; spelling and style are not told. */
export const EntryChanges = Type.Array(
  Type.Object(
    { date: Type.String({ format: 'date' }), what: Type.String({ minLength: 10, maxLength: 300 }) },
    { additionalProperties: false },
  ),
  { minItems: 1 },
);
export type EntryChanges = Static<typeof EntryChanges>;

/** `2026`, `2026-01` or `2026-01-31`. */
export const RoughDate = Type.String({ pattern: '^\\d{4}(-\\d{2}(-\\d{2})?)?$' });
