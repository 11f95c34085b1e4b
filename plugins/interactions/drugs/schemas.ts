/** Schemas of the files of content/drugs; the text for editors is in content/docs. */
import { type Static, Type } from 'typebox';

const Slug = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 80 });
const Text = Type.String({ minLength: 1, maxLength: 200 });
const RxCui = Type.String({ pattern: '^[1-9][0-9]{0,7}$' });

export const ClassList = Type.Array(
  Type.Object(
    {
      slug: Slug,
      name: Text,
      description: Text,
      synonyms: Type.Optional(Type.Array(Text)),
      atc: Type.Array(Type.String({ pattern: '^[A-Z][0-9]{2}[A-Z]{0,2}[0-9]{0,2}$' })),
      parents: Type.Array(Slug),
      data_ids: Type.Array(Text),
      members: Type.Array(
        Type.Object(
          { name: Text, rxcui: Type.Optional(RxCui), also: Type.Optional(Type.Array(Text)) },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
);
export type OtherName = Static<typeof OtherNames>[number];
export type ClassEntry = Static<typeof ClassList>[number];

export const OtherNames = Type.Array(
  Type.Object(
    {
      name: Text,
      /** Ingredients of a combination. */
      ingredients: Type.Optional(Type.Array(Text, { minItems: 2 })),
      rxcui: Type.Optional(RxCui),
      also: Type.Optional(Type.Array(Text)),
      brands: Type.Optional(Type.Array(Text)),
    },
    { additionalProperties: false },
  ),
);
