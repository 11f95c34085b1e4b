/** Schema of the front matter of content/conditions. The text for editors is in content/docs. */
import { type Static, Type } from 'typebox';
import { Authority, EntryChanges, ListedFields, SeeDoctor, Slug, StandardIds, Text } from './schema-parts.ts';

export const CONDITION_CATEGORIES = [
  'heart',
  'metabolic',
  'mind',
  'sleep',
  'brain',
  'bones-joints',
  'digestion',
  'immune',
  'skin',
  'women',
  'men',
  'kidney-liver',
  'lungs',
  'eyes-ears',
  'cancer',
  'energy',
  'pregnancy',
  'other',
] as const;

export const ConditionEntry = Type.Object(
  {
    name: Text,
    synonyms: Type.Array(Text),
    category: Type.String({ enum: [...CONDITION_CATEGORIES] }),
    ids: Type.Optional(StandardIds),
    topics: Type.Array(Slug, { minItems: 1 }),
    answer: Text,
    ask: Type.Array(Type.String({ pattern: '\\?$' }), { minItems: 3, maxItems: 5 }),
    red_flags: Type.Array(Text),
    see_doctor: Type.Optional(SeeDoctor),
    ...ListedFields,
    further_reading: Type.Array(Authority),
    updated_at: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    changes: Type.Optional(EntryChanges),
  },
  { additionalProperties: false },
);
export type ConditionEntry = Static<typeof ConditionEntry>;
