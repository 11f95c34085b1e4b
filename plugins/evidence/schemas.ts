import { type Static, Type } from 'typebox';

export const TIERS = ['A', 'B', 'C', 'D'] as const;
export type Tier = (typeof TIERS)[number];
export const TIER_LABELS: Readonly<Record<Tier, string>> = {
  A: 'Strong',
  B: 'Moderate',
  C: 'Limited',
  D: 'Preliminary',
};

export const EVIDENCE_LEVELS = [
  'meta_analysis',
  'systematic_review',
  'rct',
  'cohort',
  'case_control',
  'cross_sectional',
  'case_report',
  'guideline',
  'expert_opinion',
  'animal',
  'in_vitro',
  'other',
] as const;
const DIRECTIONS = ['positive', 'null', 'negative', 'mixed', 'unclear'] as const;
const SPECIES = ['human', 'animal', 'in_vitro', 'unknown'] as const;
const FUNDING = ['industry', 'public', 'mixed', 'none', 'not_stated'] as const;
const STATUSES = ['none', 'corrected', 'concern', 'retracted'] as const;

const word = (values: readonly string[]) => Type.String({ enum: [...values] });
const nullableInteger = Type.Union([Type.Integer(), Type.Null()]);

/** One entry of content/sources/*.yaml. */
export const ContentSourceEntry = Type.Object(
  {
    pmid: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}$' })),
    doi: Type.Optional(Type.String({ pattern: '^10\\.[0-9]{4,9}/\\S+$' })),
    nct_id: Type.Optional(Type.String({ pattern: '^NCT[0-9]{8}$' })),
    title: Type.String({ minLength: 3 }),
    journal: Type.String(),
    year: Type.Integer({ minimum: 1800, maximum: 2100 }),
    authors: Type.Optional(Type.Array(Type.String())),
    publication_types: Type.Array(Type.String()),
    design: word(EVIDENCE_LEVELS),
    sample_size: nullableInteger,
    studies: Type.Optional(nullableInteger),
    population: Type.String(),
    species: word(['human', 'animal', 'in_vitro']),
    direction: word(DIRECTIONS),
    funding: word(FUNDING),
    license: Type.Optional(Type.String()),
    read: word(['full_text', 'abstract']),
    supplements: Type.Array(Type.String(), { minItems: 1 }),
    topics: Type.Array(Type.String(), { minItems: 1 }),
    summary: Type.String({ minLength: 40 }),
  },
  { additionalProperties: false, anyOf: [{ required: ['pmid'] }, { required: ['doi'] }, { required: ['nct_id'] }] },
);
export const ContentSourceList = Type.Array(ContentSourceEntry);
export type ContentSourceEntry = Static<typeof ContentSourceEntry>;

const recordMembers = {
  source_id: Type.String(),
  pmid: Type.String(),
  doi: Type.String(),
  nct_id: Type.String(),
  title: Type.String(),
  abstract_or_summary: Type.String(),
  quality_score: Type.Number({ minimum: 0, maximum: 100 }),
  quality_tier: word(TIERS),
  evidence_level: word(EVIDENCE_LEVELS),
  source_class: Type.String(),
  year: nullableInteger,
  vertical: Type.String({ description: 'The main vertical; `verticals` has them all.' }),
  verticals: Type.Array(Type.String()),
  sample_size: Type.String(),
  sample_size_n: nullableInteger,
  population: Type.String(),
  species: word(SPECIES),
  effect_direction: word(DIRECTIONS),
  effect_direction_basis: Type.String({
    enum: ['editor', 'program'],
    description: '`program`: read from the abstract by rules that are often wrong; not a verdict.',
  }),
  funding: word(FUNDING),
  retraction_status: word(STATUSES),
  url: Type.String(),
  authors: Type.Array(Type.String()),
  journal: Type.String(),
  publication_types: Type.Array(Type.String()),
  open_access_url: Type.String(),
  license: Type.String(),
  quality_breakdown: Type.Array(
    Type.Object({ part: Type.String(), points: Type.Number(), max: Type.Number(), reason: Type.String() }),
  ),
  updated_at: Type.String({ format: 'date-time' }),
};

/** An evidence record; items of /api/sources. */
export const EvidenceRecord = Type.Object(recordMembers);
export type EvidenceRecord = Static<typeof EvidenceRecord>;

/** An evidence record with its place in a ranking. */
export const RankedRecord = Type.Object({
  ...recordMembers,
  rank_score: Type.Number(),
  rank_reasons: Type.Array(Type.String()),
  rank_explain: Type.Object({
    legs: Type.Array(Type.Object({ leg: Type.String(), rank: Type.Integer(), score: Type.Number() })),
    matched: Type.Array(Type.String()),
  }),
});
export type RankedRecord = Static<typeof RankedRecord>;

const year = Type.Integer({ minimum: 0, maximum: 2100, default: 0 });
const tierWord = Type.String({ enum: ['A', 'B', 'C', 'D', 'a', 'b', 'c', 'd'] });

export const SearchRequest = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 500, description: 'What to look for.' }),
  top_k: Type.Integer({ minimum: 1, maximum: 50, default: 15 }),
  min_quality_tier: Type.Optional({ ...tierWord, description: 'Minimum tier: A is the best.' }),
  source_class: Type.Optional(Type.String({ maxLength: 100 })),
  vertical: Type.Optional(Type.String({ maxLength: 200 })),
  year_from: year,
  year_to: year,
  human: Type.Boolean({ default: false, description: 'Studies in people only.' }),
  exclude_retracted: Type.Boolean({ default: true }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  fields: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Added fields to send, with commas between; the fields of the contract are always sent.',
    }),
  ),
});

export const SearchEnvelope = Type.Object({
  query: Type.String(),
  retrieval_version: Type.String(),
  index_version: Type.String(),
  results: Type.Array(RankedRecord),
  total_returned: Type.Integer(),
  total_estimate: Type.Integer(),
  latency_ms: Type.Integer(),
  reranker_used: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  resolved: Type.Array(
    Type.Object({ input: Type.String(), id: Type.String(), type: Type.String(), match_type: Type.String() }),
  ),
  facets: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
});

export const SOURCE_FORMATS = ['json', 'csv', 'jsonl', 'bibtex', 'ris', 'nbib', 'csljson'] as const;
export type SourceFormat = (typeof SOURCE_FORMATS)[number];

export const SourcesRequest = Type.Object({
  vertical: Type.Optional(Type.String({ maxLength: 200 })),
  source_class: Type.Optional(Type.String({ maxLength: 100 })),
  evidence_level: Type.Optional(Type.String({ maxLength: 100 })),
  min_score: Type.Integer({ minimum: 0, maximum: 100, default: 0 }),
  year_from: year,
  year_to: year,
  exclude_retracted: Type.Boolean({ default: true }),
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  format: Type.String({ enum: [...SOURCE_FORMATS], default: 'json' }),
});

export const SourcesPage = Type.Object({
  sources: Type.Array(EvidenceRecord),
  page: Type.Integer(),
  page_size: Type.Integer(),
  total: Type.Integer(),
  total_pages: Type.Integer(),
  has_next: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
