/** Schemas of content/substances.yaml, reference-intakes.yaml and redirects.yaml. The text for editors is in content/docs. */
import { type Static, Type } from 'typebox';
import { Authority, RoughDate, Slug, StandardIds, Text } from './schema-parts.ts';

const closed = { additionalProperties: false };

/** `supplement`: sold as one or used as a remedy, lawful, and without a supplement page here. */
export const SUBSTANCE_KINDS = ['banned', 'restricted', 'additive', 'food', 'supplement', 'adulterant'] as const;
export type SubstanceKind = (typeof SUBSTANCE_KINDS)[number];

export const SubstanceList = Type.Array(
  Type.Object(
    {
      slug: Slug,
      name: Text,
      kind: Type.String({ enum: [...SUBSTANCE_KINDS] }),
      synonyms: Type.Array(Text, { default: [] }),
      ids: Type.Optional(StandardIds),
      statement: Text,
      authority: Type.Optional(Authority),
      status_as_of: Type.Optional(RoughDate),
    },
    closed,
  ),
);

const forGroup = { group: Text, age: Type.Optional(Text), note: Type.Optional(Text) };
const IntakeGroup = Type.Object({ ...forGroup, value: Type.Union([Type.Number(), Type.Null()]) }, closed);
const Recommended = Type.Object(
  { ...forGroup, value: Type.Number(), kind: Type.String({ enum: ['RDA', 'AI'] }) },
  closed,
);

/** `adult` is the daily amount from the age of 19; `groups` lists those with another amount. */
export const UpperLimit = Type.Object(
  {
    adult: Type.Union([Type.Number(), Type.Null()]),
    note: Type.Optional(Text),
    groups: Type.Optional(Type.Array(IntakeGroup)),
  },
  closed,
);
export type UpperLimit = Static<typeof UpperLimit>;
export type RecommendedIntake = Static<typeof Recommended>;
export const RecommendedIntakes = Type.Array(Recommended);

export const IntakeList = Type.Array(
  Type.Object(
    {
      supplement: Slug,
      unit: Text,
      upper_limit: Type.Union([UpperLimit, Type.Null()]),
      recommended: RecommendedIntakes,
      authority: Authority,
    },
    closed,
  ),
);

export const RedirectList = Type.Array(
  Type.Object({ from: Slug, to: Slug, kind: Type.String({ enum: ['supplement', 'condition'] }), reason: Text }, closed),
);
