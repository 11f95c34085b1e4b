/** Front matter of content/conditions. The words for editors are in content/docs. */
import { type Static, Type } from 'typebox';
import { Authority, EntryChanges, Slug, StandardIds, Text } from './schema-parts.ts';

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

/** `magnesium/kidney-disease`: what the caution is about, and the state of health. */
const CautionName = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*/[a-z]+(-[a-z]+)*$', maxLength: 120 });

export const ConditionEntry = Type.Object(
  {
    name: Text,
    synonyms: Type.Array(Text),
    category: Type.String({ enum: [...CONDITION_CATEGORIES] }),
    ids: Type.Optional(StandardIds),
    topics: Type.Array(Slug, { minItems: 1 }),
    answer: Text,
    ask: Type.Array(Text, { minItems: 3, maxItems: 5 }),
    red_flags: Type.Array(Text),
    /** Rules of content/interactions on its medicines that the text speaks of; the page shows them with their sources. */
    rules: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 120 }), { uniqueItems: true }),
    ),
    /** Cautions of content/interactions that the text speaks of, beside those that hold for its state of health anyway. */
    cautions: Type.Optional(Type.Array(CautionName, { uniqueItems: true })),
    /** Of content/substances.yaml: what is found hidden in products for it, or forbidden. */
    substances: Type.Optional(Type.Array(Slug, { uniqueItems: true })),
    further_reading: Type.Array(Authority),
    updated_at: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    changes: Type.Optional(EntryChanges),
  },
  { additionalProperties: false },
);
export type ConditionEntry = Static<typeof ConditionEntry>;
