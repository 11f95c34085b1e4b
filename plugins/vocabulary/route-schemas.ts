/** Request and response schemas of the vocabulary routes. */
import { Type } from 'typebox';
import { CONDITION_CATEGORIES } from './condition-schema.ts';
import { RecommendedIntakes, UpperLimit } from './list-schemas.ts';
import { OriginCode } from './origins.ts';
import { pageMembers, pageQuery } from './paging.ts';
import { KINDS } from './resolver.ts';
import { Authority, StandardIds } from './schema-parts.ts';
import { CATEGORIES, TRADITIONS } from './schemas.ts';

const Text = Type.String();
const Texts = Type.Array(Text);
const orNull = <T extends ReturnType<typeof Type.Object> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const Q = Type.Optional(Type.String({ maxLength: 200, description: 'A name, or the beginning or a part of one.' }));

export const SlugPath = Type.Object({ slug: Type.String({ maxLength: 200 }) });

export const SupplementsRequest = Type.Object({
  q: Q,
  category: Type.Optional(Type.String({ enum: [...CATEGORIES] })),
  tradition: Type.Optional(Type.String({ enum: [...TRADITIONS] })),
  ...pageQuery,
});
export const ConditionsRequest = Type.Object({
  q: Q,
  category: Type.Optional(Type.String({ enum: [...CONDITION_CATEGORIES] })),
  ...pageQuery,
});
export const ResolveRequest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, description: 'A slug, name, synonym, Latin name, brand or id.' }),
  kind: Type.Optional(Type.String({ enum: [...KINDS] })),
});

const Intake = Type.Object({
  unit: Text,
  upper_limit: orNull(UpperLimit),
  upper_limit_note: orNull(Text),
  recommended: RecommendedIntakes,
  authority: Authority,
});

/** Warning about a name that is banned, restricted or without a supplement page. */
export const Warning = Type.Object({
  slug: Text,
  name: Text,
  kind: Text,
  statement: Text,
  authority: orNull(Authority),
  status_as_of: orNull(Text),
});

const supplement = {
  slug: Text,
  name: Text,
  latin_name: Text,
  category: Text,
  traditions: Texts,
  synonyms: Texts,
  brands: Texts,
  parts_used: Texts,
  ids: StandardIds,
  answer: Text,
  intake: orNull(Intake),
  legal_status: orNull(Warning),
  url: Text,
  updated_at: Text,
};
const SupplementSummary = Type.Object(supplement);
const Claim = Type.Object({}, { additionalProperties: true, description: 'As the entry has it, with its sources.' });
export const SupplementRecord = Type.Object({
  ...supplement,
  forms: Type.Array(Claim),
  dosing: Type.Array(Claim),
  safety: Type.Array(
    Type.Object(
      { origin: OriginCode },
      { additionalProperties: true, description: 'As the entry has it, with its sources.' },
    ),
  ),
  unknown: Texts,
  further_reading: Type.Array(Authority),
  replaces: Texts,
});

const condition = {
  slug: Text,
  name: Text,
  category: Text,
  synonyms: Texts,
  ids: StandardIds,
  topics: Type.Array(Type.Object({ slug: Text, name: Text })),
  answer: Text,
  url: Text,
  updated_at: Text,
};
const ConditionSummary = Type.Object(condition);
export const ConditionRecord = Type.Object({
  ...condition,
  ask: Texts,
  red_flags: Texts,
  see_doctor: Texts,
  further_reading: Type.Array(Authority),
  replaces: Texts,
});

export const ResolvedName = Type.Object({
  input: Text,
  kind: Type.String({ enum: [...KINDS] }),
  slug: Text,
  name: Text,
  match_type: Type.String({ enum: ['exact', 'synonym', 'brand', 'latin', 'typo'] }),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  url: orNull(Text),
});

export const SupplementsPage = Type.Object({
  supplements: Type.Array(SupplementSummary),
  ...pageMembers,
  resolved: Type.Array(ResolvedName),
});
export const ConditionsPage = Type.Object({
  conditions: Type.Array(ConditionSummary),
  ...pageMembers,
  resolved: Type.Array(ResolvedName),
});
export const ResolveAnswer = Type.Object({
  resolved: orNull(ResolvedName),
  near: Type.Array(ResolvedName),
  warning: orNull(Warning),
});
export const Replaced = Type.Object({ replaced_by: Text, url: Text });
