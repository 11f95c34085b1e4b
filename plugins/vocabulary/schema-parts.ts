/** Parts shared by the schemas of several kinds of content. */
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

/** Changes by an editor to an entry, one sentence each for readers; spelling and style are not listed. */
export const EntryChanges = Type.Array(
  Type.Object(
    { date: Type.String({ format: 'date' }), what: Type.String({ minLength: 10, maxLength: 300 }) },
    { additionalProperties: false },
  ),
  { minItems: 1 },
);
export type EntryChanges = Static<typeof EntryChanges>;

/** `magnesium/kidney-disease`: the subject of the caution, and the state of health. */
const CautionName = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*/[a-z]+(-[a-z]+)*$', maxLength: 120 });
const RuleName = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 120 });

/** Records that support the text of an entry; its page shows each with its sources. */
export const ListedFields = {
  /** Rules of content/interactions. */
  rules: Type.Optional(Type.Array(RuleName, { uniqueItems: true })),
  /** Cautions of content/interactions. */
  cautions: Type.Optional(Type.Array(CautionName, { uniqueItems: true })),
  /** Substances of content/substances.yaml that were found hidden in products, or are banned in them. */
  substances: Type.Optional(Type.Array(Slug, { uniqueItems: true })),
};

/** Signs that need a doctor, though not at once. */
export const SeeDoctor = Type.Array(Text, { minItems: 1, maxItems: 8 });

/** `2026`, `2026-01` or `2026-01-31`. */
export const RoughDate = Type.String({ pattern: '^\\d{4}(-\\d{2}(-\\d{2})?)?$' });
