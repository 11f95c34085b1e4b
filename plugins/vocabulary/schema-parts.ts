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

/** `magnesium/kidney-disease`: what the caution is about, and the state of health. */
const CautionName = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*/[a-z]+(-[a-z]+)*$', maxLength: 120 });
const RuleName = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 120 });

/** What the text of an entry rests on; its page shows each with its sources. */
export const ListedFields = {
  /** Rules of content/interactions. */
  rules: Type.Optional(Type.Array(RuleName, { uniqueItems: true })),
  /** Cautions of content/interactions. */
  cautions: Type.Optional(Type.Array(CautionName, { uniqueItems: true })),
  /** Of content/substances.yaml: found hidden in products, or forbidden in them. */
  substances: Type.Optional(Type.Array(Slug, { uniqueItems: true })),
};

/** Signs for which a doctor is seen, though not at once. */
export const SeeDoctor = Type.Array(Text, { minItems: 1, maxItems: 8 });

/** `2026`, `2026-01` or `2026-01-31`. */
export const RoughDate = Type.String({ pattern: '^\\d{4}(-\\d{2}(-\\d{2})?)?$' });
