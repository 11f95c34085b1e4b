import { type Static, Type } from 'typebox';
import { BASIS_FIELDS } from './grading/basis.ts';
import { ReadDetails } from './reading/details.ts';

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

/**
 * An effect size that the source states, as an editor entered it, on one of its topics; the direction is seen from the
 * supplement. RR, OR, HR: ratios; SMD: standardised difference; MD: difference in `unit`; percent: change in per cent.
 */
const EffectSizeEntry = Type.Object(
  {
    topic: Type.String(),
    measure: word(['SMD', 'MD', 'RR', 'OR', 'HR', 'percent']),
    value: Type.Number(),
    low: Type.Optional(Type.Number()),
    high: Type.Optional(Type.Number()),
    unit: Type.Optional(Type.String({ minLength: 1 })),
    outcome: Type.String({ minLength: 3 }),
    direction: word(['positive', 'null', 'negative']),
    /** Subgroup that the figure describes, with the number of people in it, when it does not describe all participants. */
    population: Type.Optional(Type.String({ minLength: 3 })),
    people: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);

/** Bibliographic fields of a paper, as in a library record. */
const bibliographic = {
  pmid: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}$' })),
  doi: Type.Optional(Type.String({ pattern: '^10\\.[0-9]{4,9}/\\S+$' })),
  nct_id: Type.Optional(Type.String({ pattern: '^NCT[0-9]{8}$' })),
  title: Type.String({ minLength: 3 }),
  journal: Type.String(),
  year: Type.Integer({ minimum: 1800, maximum: 2100 }),
  authors: Type.Optional(Type.Array(Type.String())),
  publication_types: Type.Array(Type.String()),
};
const identified = { anyOf: [{ required: ['pmid'] }, { required: ['doi'] }, { required: ['nct_id'] }] };

/**
 * One entry of content/references/*.yaml. It records only that a paper exists: no editor has read it, and it says nothing about
 * the results.
 */
export const ReferenceEntry = Type.Object(bibliographic, { additionalProperties: false, ...identified });
export type ReferenceEntry = Static<typeof ReferenceEntry>;
export const ReferenceList = Type.Array(ReferenceEntry);

/** One entry of content/sources/*.yaml. */
export const ContentSourceEntry = Type.Object(
  {
    ...bibliographic,
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
    /** Facts that entries cite the source for and that do not fit into the summary. */
    details: Type.Optional(Type.Array(Type.String({ minLength: 12 }), { minItems: 1 })),
    effect_sizes: Type.Optional(Type.Array(EffectSizeEntry)),
    /** Certainty that a review states for its main outcome; the lower level when it gives a range. */
    certainty_stated: Type.Optional(word(['high', 'moderate', 'low', 'very_low'])),
    /**
     * Reason why the study does not show the effect of the supplement: it compared forms, doses or schedules (`forms`) or another
     * treatment (`active`) without an untreated group, or nobody received the supplement (`not_given`).
     */
    compares: Type.Optional(word(['forms', 'active', 'not_given'])),
    /** True for a review that also pools other substances and does not state how many people took this one. */
    wider: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, ...identified },
);
export const ContentSourceList = Type.Array(ContentSourceEntry);
export type ContentSourceEntry = Static<typeof ContentSourceEntry>;

/** One entry of content/corrections/*.yaml: values that a program read wrongly in one source, with the correct ones. */
export const CorrectionEntry = Type.Object(
  {
    pmid: bibliographic.pmid,
    doi: bibliographic.doi,
    nct_id: bibliographic.nct_id,
    why: Type.String({ minLength: 12 }),
    design: Type.Optional(word(EVIDENCE_LEVELS)),
    sample_size: Type.Optional(nullableInteger),
    population: Type.Optional(Type.String()),
    species: Type.Optional(word(['human', 'animal', 'in_vitro'])),
    direction: Type.Optional(word(DIRECTIONS)),
    funding: Type.Optional(word(FUNDING)),
    supplements: Type.Optional(Type.Array(Type.String())),
    topics: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false, ...identified, minProperties: 3 },
);
export const CorrectionList = Type.Array(CorrectionEntry);
export type CorrectionEntry = Static<typeof CorrectionEntry>;

const probability = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
  description:
    'How likely a program’s value is right; null where an editor or a register states it, and where the program abstains.',
});

/** Origin of a derived value. */
const basis = Type.Object({ by: word(['editor', 'program', 'registry']), probability });

/** Result of a source on one topic. */
const TopicFinding = Type.Object({
  supplement: Type.String(),
  topic: Type.String(),
  direction: word(DIRECTIONS),
  outcome: Type.String(),
  by: word(['editor', 'program']),
  probability,
});

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
    description: '`program`: read from the abstract by a program; `basis` says how likely it is right. No verdict.',
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
  basis: Type.Object(Object.fromEntries(BASIS_FIELDS.map((field) => [field, basis])), {
    description: 'Where each derived value comes from.',
  }),
  findings: Type.Array(TopicFinding, {
    description: 'What the source found, topic by topic, where an editor or a program read that much in it.',
  }),
  superseded_by: Type.String({ description: 'The newer version, as `pmid:1` or `doi:10.…`; empty for the newest.' }),
  read_from: Type.String({ enum: ['abstract', 'title'], description: 'The text that a program read.' }),
  updated_at: Type.String({ format: 'date-time' }),
};

/** An evidence record; items of /api/sources. */
export const EvidenceRecord = Type.Object(recordMembers);
export type EvidenceRecord = Static<typeof EvidenceRecord>;

const detailedMembers = {
  ...recordMembers,
  details: Type.Union([ReadDetails, Type.Null()], {
    description: 'What a program read in the abstract, with the sentences that state it; null where it read none.',
  }),
};

/** A record with the details that a program read in its abstract; rows of the dataset. */
export const ReadRecord = Type.Object(detailedMembers);
export type ReadRecord = Static<typeof ReadRecord>;

/** A detailed record with the quoted sentences; the response of /v1/evidence/{source_id}. */
export const DetailedRecord = Type.Object({
  ...detailedMembers,
  passages: Type.Record(Type.String(), Type.String(), {
    description: 'The sentences that `details` names, by number, as far as the abstract is stored and may be quoted.',
  }),
});
export type DetailedRecord = Static<typeof DetailedRecord>;

const year = Type.Integer({ minimum: 0, maximum: 2100, default: 0 });
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
