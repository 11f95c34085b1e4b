/** Request and response schemas of the search routes. */
import { type Static, Type } from 'typebox';
import { EvidenceRecord } from '../schemas.ts';

const year = Type.Integer({ minimum: 0, maximum: 2100, default: 0 });
const tierWord = Type.String({ enum: ['A', 'B', 'C', 'D', 'a', 'b', 'c', 'd'] });

/** Explains the rank of a record. */
const RankExplanation = Type.Object({
  legs: Type.Array(Type.Object({ leg: Type.String(), rank: Type.Integer(), score: Type.Number() })),
  matched: Type.Array(Type.String(), { description: 'Words of the query that the source holds.' }),
  reranked: Type.Optional(
    Type.Object({ reranker: Type.String(), score: Type.Number(), first_stage_rank: Type.Integer() }),
  ),
});

/** An evidence record with its rank. */
export const RankedRecord = Type.Object({
  ...EvidenceRecord.properties,
  rank_score: Type.Number({ description: 'Comparable within one answer only.' }),
  rank_reasons: Type.Array(Type.String()),
  rank_explain: RankExplanation,
});
export type RankedRecord = Static<typeof RankedRecord>;

/** Fields of the interface contract; every record contains them, whether requested or not. */
export const CONTRACT_FIELDS = [
  'source_id',
  'pmid',
  'doi',
  'title',
  'abstract_or_summary',
  'quality_score',
  'quality_tier',
  'evidence_level',
  'source_class',
  'rank_score',
  'rank_reasons',
  'year',
  'vertical',
  'sample_size',
  'population',
] as const;

/** A record as sent: `fields` may exclude additional fields, and ranks are explained only on request. */
const AnsweredRecord = Type.Object({
  ...Type.Partial(RankedRecord).properties,
  ...Type.Pick(RankedRecord, [...CONTRACT_FIELDS]).properties,
});

const values = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 500,
      description: `${what}. Several values with commas between; one with a leading - is left out.`,
    }),
  );

export const SearchRequest = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 500, description: 'What to look for.' }),
  top_k: Type.Integer({ minimum: 1, maximum: 50, default: 15 }),
  min_quality_tier: Type.Optional({ ...tierWord, description: 'Minimum tier: A is the best.' }),
  source_class: values('Source classes'),
  vertical: values('Verticals; `none` is for sources without one'),
  evidence_level: values('Evidence levels'),
  species: values('Species'),
  supplement: values('Supplements by slug or name; `none` is for sources without one'),
  topic: values('Topics by slug; `none` is for sources without one'),
  effect_direction: values('Directions as an editor read them; what a program read counts as `unclear`'),
  min_sample_size: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    description: 'Fewest people; sources that do not state their size are left out.',
  }),
  year_from: year,
  year_to: year,
  human: Type.Boolean({ default: false, description: 'Studies in people only.' }),
  exclude_retracted: Type.Boolean({ default: true }),
  correct: Type.Boolean({ default: true, description: 'Search for what unknown words most likely mean.' }),
  model_consent: Type.Boolean({
    default: false,
    description:
      'Whoever asks agrees that the words of the search go to the embedding model and the reranker that the operator chose; without it these take no part.',
  }),
  explain: Type.Boolean({ default: false, description: 'Send `rank_explain` with every record.' }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  fields: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Added fields to send, with commas between; the fields of the contract are always sent.',
    }),
  ),
});
export type SearchRequest = Static<typeof SearchRequest>;

export const SearchEnvelope = Type.Object({
  query: Type.String(),
  corrected: Type.Union([
    Type.Object({
      query: Type.String({ description: 'What was searched instead.' }),
      words: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
    }),
    Type.Null(),
  ]),
  retrieval_version: Type.String(),
  index_version: Type.String(),
  results: Type.Array(AnsweredRecord),
  total_returned: Type.Integer(),
  total_estimate: Type.Integer(),
  coverage: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The greatest share of the query that one of the first hits holds; below 0.4 they may be off topic.',
  }),
  latency_ms: Type.Integer(),
  reranker_used: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  resolved: Type.Array(
    Type.Object({
      input: Type.String(),
      id: Type.String(),
      type: Type.String({ enum: ['supplement', 'spelling'] }),
      match_type: Type.String(),
      confidence: Type.Number({ minimum: 0, maximum: 1 }),
    }),
  ),
  facets: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
});
export type SearchEnvelope = Static<typeof SearchEnvelope>;

export const SourceParams = Type.Object({
  source_id: Type.String({ minLength: 1, maxLength: 200, description: 'As records have it: pmid-12345678' }),
});

export const SimilarRequest = Type.Object({
  top_k: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  min_quality_tier: Type.Optional({ ...tierWord, description: 'Minimum tier: A is the best.' }),
  model_consent: Type.Boolean({
    default: false,
    description:
      'Whoever asks agrees that the words of the search go to the embedding model and the reranker that the operator chose; without it these take no part.',
  }),
  explain: Type.Boolean({ default: false, description: 'Send `rank_explain` with every record.' }),
  fields: SearchRequest.properties.fields,
});
