/** Defines the front matter of content/biomarkers/*.md. */
import { type Static, Type } from 'typebox';
import { EntryChanges, ListedFields, SeeDoctor } from '#plugins/vocabulary/index.ts';

const strict = { additionalProperties: false };
const Text = Type.String({ minLength: 1 });
const Slugs = Type.Array(Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }), { uniqueItems: true });

/** Categories in the order of the list page. */
export const CATEGORY_WORDS: Readonly<Record<string, string>> = {
  'blood-count': 'Blood count',
  lipids: 'Blood fats',
  sugar: 'Blood sugar',
  iron: 'Iron',
  vitamins: 'Vitamins and what shows their lack',
  minerals: 'Salts and minerals',
  liver: 'Liver',
  kidney: 'Kidneys and uric acid',
  thyroid: 'Thyroid',
  hormones: 'Hormones',
  inflammation: 'Inflammation',
  immune: 'Antibodies',
  proteins: 'Proteins',
  'heart-muscle': 'Heart and muscle',
  clotting: 'Clotting',
  pancreas: 'Pancreas',
  prostate: 'Prostate',
  urine: 'Urine',
};

/** A source: an external HTTPS address that the editor has read, or a page of this site. */
export const NamedSource = Type.Object(
  { name: Text, address: Type.String({ pattern: '^(https://[^ ]+|/[a-z0-9/-]+)$' }) },
  strict,
);
export type NamedSource = Static<typeof NamedSource>;

const Bound = Type.Optional(Type.Number());
const Age = Type.Optional(Type.Integer({ minimum: 0, maximum: 120 }));

const Unit = Type.Object(
  {
    /** UCUM code. */
    unit: Text,
    /** Equivalent UCUM unit that UCUM can convert to the marker's own: U/L for IU/L of an enzyme. */
    as: Type.Optional(Text),
    /**
     * Factor that converts a number in this unit to the marker's own unit, where UCUM defines no conversion. Requires a source.
     */
    factor: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    source: Type.Optional(NamedSource),
  },
  strict,
);
export type UnitEntry = Static<typeof Unit>;

const Range = Type.Object(
  {
    low: Bound,
    high: Bound,
    sex: Type.Union([Type.Literal('female'), Type.Literal('male'), Type.Literal('any')]),
    age_from: Age,
    age_to: Age,
    pregnant: Type.Optional(Type.Boolean()),
    kind: Type.Union([Type.Literal('interval'), Type.Literal('threshold'), Type.Literal('goal')]),
    note: Type.Optional(Text),
    source: NamedSource,
  },
  strict,
);
export type RangeEntry = Static<typeof Range>;

export const BiomarkerEntry = Type.Object(
  {
    name: Type.String({ minLength: 2, maxLength: 80 }),
    /** Further names, without the name itself. */
    names: Type.Array(Text, { uniqueItems: true }),
    category: Type.String({ enum: Object.keys(CATEGORY_WORDS) }),
    specimen: Type.Union([Type.Literal('blood'), Type.Literal('urine')]),
    kind: Type.Union([Type.Literal('quantity'), Type.Literal('ordinal')]),
    scale: Type.Optional(Type.Array(Text, { minItems: 2, uniqueItems: true })),
    unit: Type.Optional(Text),
    digits: Type.Optional(Type.Integer({ minimum: 0, maximum: 4 })),
    /** Grams per mole. */
    molecular_weight: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    /** Charges per ion, without sign. */
    charge: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    units: Type.Optional(Type.Array(Unit)),
    plausible: Type.Optional(Type.Object({ low: Type.Number(), high: Type.Number() }, strict)),
    critical: Type.Optional(Type.Object({ low: Bound, high: Bound, source: NamedSource }, strict)),
    loinc: Type.Optional(
      Type.Array(Type.Object({ code: Type.String({ pattern: '^[0-9]{1,6}-[0-9]$' }), name: Text }, strict)),
    ),
    ranges: Type.Optional(Type.Array(Range)),
    /** Slugs of the outcomes in content/topics.yaml that concern the marker. */
    topics: Type.Optional(Slugs),
    /** Slugs of the supplements (or substances) that the marker measures. */
    nutrients: Type.Optional(Slugs),
    /** Slugs of conditions that the marker is tested for, in addition to those of its outcomes. */
    conditions: Type.Optional(Slugs),
    how_to_test: Type.Optional(Text),
    /** Signs that need immediate help. */
    red_flags: Type.Optional(Type.Array(Text, { minItems: 1 })),
    see_doctor: Type.Optional(SeeDoctor),
    ...ListedFields,
    sources: Type.Array(NamedSource, { minItems: 1 }),
    updated_at: Type.String({ format: 'date' }),
    changes: Type.Optional(EntryChanges),
  },
  strict,
);
export type BiomarkerEntry = Static<typeof BiomarkerEntry>;
