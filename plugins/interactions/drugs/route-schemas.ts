/** Request and response schemas of the endpoints about medicines. */
import { Type } from 'typebox';

export const SuggestQuery = Type.Object({
  q: Type.String({ maxLength: 60, default: '', description: 'Beginning or part of a generic or trade name.' }),
  limit: Type.Integer({ minimum: 1, maximum: 20, default: 8 }),
});

const interactionCount = Type.Integer({
  description: 'Supplements with a record for it; 0 says nothing about safety.',
});

export const SuggestReply = Type.Object({
  query: Type.String(),
  suggestions: Type.Array(Type.String()),
  items: Type.Array(
    Type.Object({
      name: Type.String(),
      rxcui: Type.String({ description: 'Of the generic; "" where we have none.' }),
      drug_class: Type.String(),
      interaction_count: interactionCount,
    }),
  ),
});

export const DrugParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 120 }) });

const Named = Type.Object({ slug: Type.String(), name: Type.String() });
const Part = Type.Object({ slug: Type.String(), name: Type.String(), rxcui: Type.String() });
const Resolved = Type.Object({
  input: Type.String(),
  kind: Type.String({ enum: ['drug', 'class'] }),
  slug: Type.String(),
  name: Type.String(),
  match_type: Type.String(),
  confidence: Type.Number(),
});

export const DrugReply = Type.Object({
  resolved: Type.Array(Resolved),
  drug: Type.Union([
    Type.Object({
      slug: Type.String(),
      name: Type.String(),
      rxcui: Type.String(),
      brands: Type.Array(Type.String()),
      ingredients: Type.Array(Part),
      classes: Type.Array(Named),
      interaction_count: interactionCount,
    }),
    Type.Null(),
  ]),
  class: Type.Union([
    Type.Object({
      slug: Type.String(),
      name: Type.String(),
      description: Type.String(),
      atc: Type.Array(Type.String()),
      parents: Type.Array(Named),
      members: Type.Array(Part),
    }),
    Type.Null(),
  ]),
});
