/** Schemas of the front matter of content/supplements and of content/topics.yaml. The text for editors is in content/docs. */
import { type Static, Type } from 'typebox';
import { OriginCode } from './origins.ts';
import { Authority, EntryChanges, Slug, StandardIds, Text } from './schema-parts.ts';

/** `pmid:123`, `doi:10.…` or `nct:NCT…` */
export const SourceRef = Type.String({ pattern: '^(pmid:[0-9]{1,9}|doi:10\\..+|nct:NCT[0-9]{8})$' });

export const Direction = Type.String({ enum: ['positive', 'null', 'negative', 'mixed', 'unclear'] });

const Form = Type.Object(
  { name: Text, note: Type.Optional(Text), sources: Type.Optional(Type.Array(SourceRef)) },
  { additionalProperties: false },
);
const EvidenceClaim = Type.Object(
  { topic: Slug, direction: Direction, statement: Text, sources: Type.Array(SourceRef, { minItems: 1 }) },
  { additionalProperties: false },
);
/** Daily amount of the supplement itself, or of the ingredient that `of` names. */
const DailyAmount = Type.Object(
  {
    min: Type.Number({ exclusiveMinimum: 0 }),
    max: Type.Number({ exclusiveMinimum: 0 }),
    unit: Text,
    of: Type.Optional(Text),
  },
  { additionalProperties: false },
);
const Dose = Type.Object(
  {
    context: Text,
    dose: Text,
    duration: Type.Optional(Text),
    amount: Type.Optional(DailyAmount),
    sources: Type.Array(SourceRef, { minItems: 1 }),
  },
  { additionalProperties: false },
);
const SafetyNote = Type.Object(
  {
    level: Type.String({ enum: ['info', 'caution', 'warning'] }),
    statement: Text,
    sources: Type.Optional(Type.Array(SourceRef, { minItems: 1 })),
    authority: Type.Optional(Authority),
    /** General professional knowledge, pending a source: it may warn and never recommend. */
    practice: Type.Optional(Type.Literal(true)),
    /** Only if it differs from the origin that the sources imply: an editor opened the page of the authority. */
    origin: Type.Optional(OriginCode),
  },
  {
    additionalProperties: false,
    anyOf: [{ required: ['sources'] }, { required: ['authority'] }, { required: ['practice'] }],
  },
);

export const CATEGORIES = [
  'vitamin',
  'mineral',
  'herb',
  'mushroom',
  'amino-acid',
  'fatty-acid',
  'protein',
  'probiotic',
  'fibre',
  'hormone',
  'other',
] as const;
export const TRADITIONS = ['western', 'ayurveda', 'tcm', 'kampo', 'unani', 'folk'] as const;

export const SupplementEntry = Type.Object(
  {
    name: Text,
    latin_name: Type.Optional(Text),
    category: Type.String({ enum: [...CATEGORIES] }),
    traditions: Type.Array(Type.String({ enum: [...TRADITIONS] })),
    synonyms: Type.Array(Text),
    parts_used: Type.Optional(Type.Array(Text)),
    ids: Type.Optional(StandardIds),
    brands: Type.Optional(Type.Array(Text)),
    forms: Type.Array(Form),
    answer: Text,
    evidence: Type.Array(EvidenceClaim),
    dosing: Type.Array(Dose),
    safety: Type.Array(SafetyNote),
    unknown: Type.Array(Text),
    further_reading: Type.Array(Authority),
    updated_at: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    changes: Type.Optional(EntryChanges),
  },
  { additionalProperties: false },
);
export type SupplementEntry = Static<typeof SupplementEntry>;

export const TopicList = Type.Array(
  Type.Object(
    {
      slug: Slug,
      name: Text,
      kind: Type.String({ enum: ['outcome', 'condition'] }),
      terms: Type.Array(Text, { minItems: 1 }),
    },
    { additionalProperties: false },
  ),
);
